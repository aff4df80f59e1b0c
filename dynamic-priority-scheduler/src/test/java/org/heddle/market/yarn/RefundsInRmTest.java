// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.change.StatementRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Refunds by rule, in a real ResourceManager whose date steps by an hour all the time. */
class RefundsInRmTest {
    @TempDir
    Path directory;

    private static List<String> refunds(MarketFixture fixture, String account) throws Exception {
        fixture.market().record(fixture.by(), "wait", "refunds");
        return fixture.market().statement(StatementRange.first(account, 0, Long.MAX_VALUE, 0, 1_000)).stream()
                .filter(line -> line.kind() == StatementLine.Kind.REFUND)
                .map(line -> line.amount() + " " + line.text())
                .toList();
    }

    /** Ten slots at 1 cost 10 credits in each interval; a node with half of them is lost. */
    @ParameterizedTest
    @CsvSource({"all, 7.5", "lost, 7.5", "preempted, ", "none, "})
    void whatALostNodeCostIsGivenBack(String policy, @Nullable String amount) throws Exception {
        try (MarketFixture fixture = new MarketFixture(directory, MarketKeys.REFUND.name(), policy)) {
            fixture.node("127.0.0.1", 5_000, 100);
            MockNM second = fixture.node("127.0.0.2", 5_000, 100);
            fixture.queue("a", "1", "100");
            MarketFixture.App a = fixture.app("a", "a");
            fixture.nextEpoch();
            a.ask(10);
            fixture.heartbeat();
            assertThat(a.holds()).isEqualTo(10);
            fixture.nextEpoch().nextEpoch(); // who begins in an interval pays from the next one on
            assertThat(fixture.status("a").budget()).hasToString("90");

            fixture.after(5_000);
            fixture.rm.sendNodeLost(second);
            fixture.rm.drainEvents();
            a.ask(0);
            a.end(1); // and one ends by itself
            fixture.after(5_000);
            fixture.scheduler().tick();
            fixture.market().record(fixture.by(), "wait", "bills");
            // 10 slots for half of the interval, 4 for the other half.
            if (amount == null) {
                assertThat(refunds(fixture, "a")).isEmpty();
                assertThat(fixture.status("a").budget()).hasToString("83");
            } else {
                assertThat(refunds(fixture, "a"))
                        .containsExactly(amount + " " + a.app.getApplicationId() + ": 5 containers lost");
                assertThat(fixture.status("a").budget()).hasToString("90.5");
            }
        }
    }

    @Test
    void whatAPreemptedContainerCostIsGivenBack() throws Exception {
        try (MarketFixture fixture = new MarketFixture(
                directory,
                MarketKeys.REFUND.name(),
                "preempted",
                MarketKeys.PREEMPTION_INTERVAL_MS.name(),
                "3000",
                MarketKeys.PREEMPTION_MAX_LOST_WORK.name(),
                "100%")) {
            fixture.node("127.0.0.1", 10_000, 100);
            fixture.queue("a", "1", "20").queue("b", "1", "1000");
            MarketFixture.App a = fixture.app("a", "a");
            fixture.nextEpoch();
            a.ask(100);
            fixture.heartbeat();
            assertThat(a.holds()).isEqualTo(10);
            fixture.nextEpoch().nextEpoch().nextEpoch();
            assertThat(fixture.status("a").budget()).as("all is spent").hasToString("0");

            MarketFixture.App b = fixture.app("b", "b").ask(4);
            fixture.nextEpoch().heartbeat();
            fixture.preempt(a, b, 4);
            assertThat(a.holds()).isEqualTo(6);
            fixture.nextEpoch();
            assertThat(refunds(fixture, "a"))
                    .as("four containers of one slot, for two intervals")
                    .containsExactly("8 " + a.app.getApplicationId() + ": 4 containers preempted");
            assertThat(fixture.status("a").budget()).hasToString("8");
        }
    }
}
