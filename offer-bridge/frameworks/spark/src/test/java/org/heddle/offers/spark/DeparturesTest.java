// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.heddle.offers.spark.Departures.Wish;
import org.junit.jupiter.api.Test;

class DeparturesTest {
    private static final ExecutorSize SIZE = new ExecutorSize(2, 1000);
    private static final List<ExecutorTask> LIVE = List.of(
            new ExecutorTask(0, "a", "a"), new ExecutorTask(1, "a", "a"),
            new ExecutorTask(2, "b", "b"), new ExecutorTask(3, "b", "b"));

    private final Departures departures = new Departures();

    private List<String> choose(Set<String> busy, Set<String> leaving, Wish... wishes) {
        return departures.choose(Arrays.asList(wishes), LIVE, busy, leaving, SIZE).stream()
                .map(ExecutorTask::id)
                .collect(Collectors.toList());
    }

    @Test
    void anInverseOfferWithAnAgentIsAboutItsExecutors() {
        assertThat(choose(Set.of(), Set.of(), new Wish("1", "a", 2, 1000))).containsExactly("1");
        assertThat(choose(Set.of(), Set.of("1"), new Wish("2", "a", 2, 1000))).containsExactly("0");
        assertThat(choose(Set.of(), Set.of("0", "1"), new Wish("3", "a", 2, 1000)))
                .isEmpty();
    }

    @Test
    void severalContainersOfOneAgentTakeSeveralExecutors() {
        assertThat(choose(Set.of(), Set.of(), new Wish("1", "a", 2, 1000), new Wish("2", "a", 2, 1000)))
                .containsExactly("1", "0");
    }

    @Test
    void idleExecutorsGoFirstThenTheYoungest() {
        assertThat(choose(Set.of("2", "3"), Set.of(), new Wish("1", "", 5, 500)))
                .containsExactly("1", "0", "3");
    }

    @Test
    void anAmountCountsExecutorsThatLeaveAlready() {
        assertThat(choose(Set.of(), Set.of("3"), new Wish("1", "", 4, 1000))).containsExactly("2");
        assertThat(choose(Set.of(), Set.of("3", "2"), new Wish("2", "", 4, 1000)))
                .isEmpty();
    }

    @Test
    void theSameInverseOfferIsHandledOnce() {
        assertThat(choose(Set.of(), Set.of(), new Wish("1", "a", 2, 1000))).hasSize(1);
        assertThat(choose(Set.of(), Set.of(), new Wish("1", "a", 2, 1000))).isEmpty();
    }
}
