// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ExecutorTableTest {
    private static final long WAIT = 3_000;

    private final ExecutorTable table = new ExecutorTable(new ExecutorSize(1, 100), 5, WAIT, 2);

    /** Offers one place on each host; returns the hosts that got an executor. */
    private List<String> offer(long now, String... hosts) {
        List<OfferView> offers = Arrays.stream(hosts)
                .map(host -> new OfferView(host, host, host, 1, 100))
                .collect(Collectors.toList());
        return table.decide(offers, now).values().stream()
                .flatMap(List::stream)
                .map(task -> task.host)
                .collect(Collectors.toList());
    }

    @Test
    void launchesUpToTheTargetAndNeverMoreThanTheLimit() {
        table.want(2, Map.of(), 0);
        assertThat(offer(0, "a", "b", "c")).containsExactly("a", "b");
        table.want(100, Map.of(), 0);
        assertThat(table.wanted()).isEqualTo(3);
        assertThat(offer(0, "a", "b", "c", "d")).hasSize(3);
        table.want(1, Map.of(), 0);
        assertThat(table.wanted()).isZero();
    }

    @Test
    void replacesAnExecutorThatEndedUnderANewId() {
        table.want(1, Map.of(), 0);
        offer(0, "a");
        assertThat(table.ended("0", true, 1)).isNotNull();
        assertThat(table.ended("0", true, 1)).as("twice").isNull();
        assertThat(table.wanted()).isEqualTo(1);
        offer(1, "a");
        assertThat(table.live()).extracting(ExecutorTask::id).containsExactly("1");
    }

    @Test
    void hostsWithoutDataWaitUntilTheLocalityWaitIsOver() {
        table.want(2, Map.of("a", 2), 1_000); // two tasks fit one executor
        assertThat(offer(1_000, "b")).isEmpty();
        assertThat(offer(1_000 + WAIT - 1, "b")).isEmpty();
        assertThat(offer(1_000 + WAIT - 1, "a", "b"))
                .as("no host with data is left to wait for")
                .containsExactly("a");
        assertThat(offer(1_000 + WAIT, "b")).containsExactly("b");
    }

    @Test
    void aLocalLaunchBeginsANewWait() {
        table.want(3, Map.of("a", 2, "c", 2), 0);
        assertThat(offer(2_000, "a")).containsExactly("a");
        assertThat(offer(2_000 + WAIT - 1, "b")).isEmpty();
        assertThat(offer(2_000 + WAIT, "b")).containsExactly("b");
    }

    @Test
    void aHostWhereTwoExecutorsFailedIsAvoidedForFiveMinutes() {
        table.want(1, Map.of(), 0);
        for (String id : List.of("0", "1")) {
            assertThat(offer(0, "a")).containsExactly("a");
            table.ended(id, true, 0);
        }
        assertThat(offer(299_999, "a")).isEmpty();
        assertThat(offer(300_000, "a")).containsExactly("a");
    }

    @Test
    void lossesThatAreNotFailuresAndWorkingExecutorsClearAHost() {
        table.want(1, Map.of(), 0);
        offer(0, "a");
        table.ended("0", true, 0);
        offer(0, "a");
        table.works("1");
        table.ended("1", true, 0);
        offer(0, "a");
        table.ended("2", false, 0);
        assertThat(offer(0, "a")).containsExactly("a");
    }
}
