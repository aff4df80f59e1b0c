// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TurnsTest {
    @Test
    void anotherContestantBeginsInEachRepetition() {
        List<String> two = List.of("a", "b");
        assertThat(Turns.of(two, 0, 3)).containsExactly("a", "b");
        assertThat(Turns.of(two, 1, 3)).containsExactly("b", "a");
        assertThat(Turns.of(two, 2, 3)).containsExactly("a", "b");
        assertThat(Turns.of(List.of("a", "b", "c"), 2, 3)).containsExactly("c", "a", "b");
    }

    @Test
    void thoseThatBeginAreSpreadOverTheList() {
        List<Integer> six = List.of(1, 2, 3, 4, 5, 6);
        assertThat(Turns.of(six, 1, 3)).containsExactly(3, 4, 5, 6, 1, 2);
        assertThat(Turns.of(six, 2, 3)).containsExactly(5, 6, 1, 2, 3, 4);
    }

    @Test
    void oneRepetitionHasTheGivenOrder() {
        assertThat(Turns.of(List.of(1, 2, 3), 0, 1)).containsExactly(1, 2, 3);
    }
}
