// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.alert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.heddle.market.ledger.MemoryMarket;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.Share;
import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.model.status.QueueState;
import org.heddle.market.model.status.QueueStatus;
import org.heddle.settings.Clocks;
import org.junit.jupiter.api.Test;

/** Which accounts are reported, and what the webhook gets. */
class RunwayAlertsTest {
    private static final long HOUR = 3_600_000;
    private static final long NOW = 1_800_000_000_000L;

    private final RunwayWatch watch = new RunwayWatch(Duration.ofHours(10));

    private static QueueStatus account(String name, String budget, long runwayHours) {
        return new QueueStatus(
                name,
                Credits.parse(budget),
                SpendingRate.parse("1"),
                SpendingRate.parse("1"),
                Share.NONE,
                Slots.ZERO,
                0,
                Slots.ZERO,
                0,
                0,
                QueueState.PAYING,
                Credits.ZERO,
                runwayHours < 0 ? Optional.empty() : Optional.of(Duration.ofHours(runwayHours)));
    }

    private List<String> reported(long atMillis, QueueStatus... accounts) {
        return watch.below(List.of(accounts), atMillis).stream()
                .map(QueueStatus::name)
                .toList();
    }

    @Test
    void anAccountIsReportedOnceUntilItIsPaidOrADayHasPassed() {
        assertThat(reported(NOW, account("alice", "20", 20), account("bob", "5", 5), account("idle", "0", -1)))
                .containsExactly("bob");
        assertThat(reported(NOW + HOUR, account("alice", "9", 9), account("bob", "4", 4)))
                .containsExactly("alice");
        assertThat(reported(NOW + 2 * HOUR, account("alice", "8", 8), account("bob", "4", -1)))
                .isEmpty();
        assertThat(reported(NOW + 3 * HOUR, account("alice", "8", 8), account("bob", "4", 4)))
                .as("idle for a while")
                .isEmpty();
        assertThat(reported(NOW + 4 * HOUR, account("alice", "8", 8), account("bob", "9", 9)))
                .as("paid, and too little")
                .containsExactly("bob");
        assertThat(reported(NOW + 25 * HOUR, account("alice", "8", 8), account("bob", "9", 9)))
                .containsExactly("alice");
        assertThat(reported(NOW + 26 * HOUR, account("bob", "8", 8))).isEmpty();
        assertThat(reported(NOW + 27 * HOUR, account("alice", "8", 8)))
                .as("closed and opened again")
                .containsExactly("alice");
    }

    private final BudgetWatch budgets = new BudgetWatch();

    private List<String> spent(String budget) {
        return budgets.passed(List.of(account("alice", budget, 9))).stream()
                .map(spent -> spent.account().name() + " " + spent.percent())
                .toList();
    }

    @Test
    void anAccountIsReportedAtHalfAtFourFifthsAndAtNineTenthsOfItsBudget() {
        assertThat(spent("100")).isEmpty();
        assertThat(spent("50.000000001")).isEmpty();
        assertThat(spent("50")).containsExactly("alice 50");
        assertThat(spent("30")).isEmpty();
        assertThat(spent("12")).containsExactly("alice 80");
        assertThat(spent("21")).as("a small payment").isEmpty();
        assertThat(spent("0")).containsExactly("alice 90");
        assertThat(spent("0")).isEmpty();
        assertThat(spent("200")).as("paid").isEmpty();
        assertThat(spent("10")).as("at once").containsExactly("alice 90");
        assertThat(budgets.passed(List.of())).isEmpty();
        assertThat(spent("7")).as("opened again").isEmpty();
    }

    @Test
    void theWebhookGetsASentenceAndTheNumbers() throws Exception {
        List<JsonNode> got = Collections.synchronizedList(new ArrayList<>());
        HttpServer hook = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        hook.createContext("/hook", exchange -> {
            got.add(new ObjectMapper().readTree(exchange.getRequestBody()));
            exchange.sendResponseHeaders(got.size() == 1 ? 204 : 500, -1);
            exchange.close();
        });
        hook.start();
        MemoryMarket books = new MemoryMarket("alice", "bob");
        books.market().setSpending(new Mutation("alice", "test", "rate"), "alice", SpendingRate.parse("4"));
        books.turn();
        URI address = URI.create("http://127.0.0.1:" + hook.getAddress().getPort() + "/hook");
        try (RunwayAlerts alerts = new RunwayAlerts(
                address, "spruce", Duration.ofDays(10_000), books::market, new Clocks(() -> 0, () -> NOW))) {
            alerts.check();
            alerts.check();
            assertThat(got).hasSize(1);
            books.market().withdraw(new Mutation("operator", "test", "half"), "alice", Credits.of(500), "half");
            alerts.check();
        } finally {
            hook.stop(0);
            books.close();
        }
        assertThat(got).hasSize(2);
        assertThat(got.get(1).get("text").asText())
                .isEqualTo("Account alice of cluster spruce has spent 50 % of its budget, and has 500 credits left: pay"
                        + " into it, or lower its rate of 4");
        assertThat(got.get(1).get("spentPercent").asInt()).isEqualTo(50);
        assertThat(got.get(0).get("text").asText())
                .startsWith("Account alice of cluster spruce has 1000 credits, which last ")
                .endsWith(" at its present use: pay into it, or lower its rate of 4");
        assertThat(got.get(0).get("account").asText()).isEqualTo("alice");
        assertThat(got.get(0).get("atMillis").asLong()).isEqualTo(NOW);
    }
}
