// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.gang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GangTest {
    private static final long HOLD = 10_000;

    private static Gang gang(int slots) {
        return new Gang(slots, HOLD, new Random(1));
    }

    @ParameterizedTest(name = "of {0} slots with {1} taken, an offer with room for {2} gives {3}")
    @CsvSource({"8, 0, 4, 4", "8, 0, 20, 8", "8, 6, 4, 2", "8, 8, 4, 0", "1, 0, 0, 0"})
    void takesWhatItLacks(int slots, int taken, int room, int expected) {
        Gang gang = gang(slots);
        if (taken > 0) {
            gang.take("first", "node", taken, 0);
        }
        assertThat(gang.wanted(room, 0)).isEqualTo(expected);
    }

    @Test
    void isWholeWhenAllSlotsAreTakenAndAllTasksHaveArrived() {
        Gang gang = gang(3);
        gang.take("a", "n1", 2, 0);
        gang.arrived("a");
        assertThat(gang.isWhole()).as("a slot is missing").isFalse();
        gang.take("b", "n2", 1, 0);
        assertThat(gang.isWhole()).as("b has not arrived").isFalse();
        gang.arrived("b");
        assertThat(gang.isWhole()).isTrue();
        assertThat(gang.isLate(HOLD * 10)).as("late although whole").isFalse();
        gang.lost("a");
        assertThat(gang.isWhole()).as("a has ended").isFalse();
        assertThat(gang.missing()).isEqualTo(2);
    }

    @Test
    void holdsAPartForItsTimeAndNoLonger() {
        Gang gang = gang(3);
        assertThat(gang.isLate(HOLD * 10)).as("late with nothing").isFalse();
        gang.take("a", "n1", 2, 500);
        assertThat(gang.isLate(500 + HOLD - 1)).isFalse();
        assertThat(gang.isLate(500 + HOLD)).isTrue();
        assertThat(gang.giveUp(500 + HOLD)).containsExactly("a");
        assertThat(gang.seats()).isEmpty();
        assertThat(gang.attempts()).isEqualTo(1);
        assertThat(gang.wanted(3, 500 + HOLD + HOLD / 2 - 1))
                .as("while it rests")
                .isZero();
        assertThat(gang.wanted(3, 500 + HOLD + HOLD * 3 / 2))
                .as("after its rest")
                .isEqualTo(3);
    }

    @Test
    void refusesMoreThanItLacks() {
        Gang gang = gang(3);
        assertThatThrownBy(() -> gang.take("a", "n1", 4, 0)).hasMessage("4 slots for a: 3 are missing");
    }

    /** Two gangs of 3 on 4 slots take turns with each offer: each holds 2, and no one has 3, until one gives up. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void twoGangsDoNotStopEachOtherForever(long seed) {
        Random random = new Random(seed);
        List<Gang> waiting = new java.util.ArrayList<>(List.of(new Gang(3, HOLD, random), new Gang(3, HOLD, random)));
        int free = 4;
        long now = 0;
        int task = 0;
        while (!waiting.isEmpty() && now < HOLD * 100) {
            for (Gang gang : List.copyOf(waiting)) {
                if (gang.isLate(now)) {
                    free += gang.seats().size();
                    gang.giveUp(now);
                }
                if (free > 0 && gang.wanted(1, now) == 1) {
                    String id = "t" + task++;
                    gang.take(id, "n", 1, now);
                    gang.arrived(id);
                    free--;
                }
                if (gang.isWhole()) {
                    free += 3;
                    waiting.remove(gang);
                }
            }
            now += 1000;
        }
        assertThat(waiting).as("gangs that never ran, seed " + seed).isEmpty();
    }
}
