// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimersTest {
    @Test
    void byTimeAndThenInTheOrderInWhichTheyWerePlanned() {
        Timers timers = new Timers();
        List<String> done = new ArrayList<>();
        timers.at(20, () -> done.add("late"));
        timers.at(10, () -> {
            done.add("first");
            timers.at(10, () -> done.add("third"));
        });
        timers.at(10, () -> done.add("second"));
        assertThat(timers.next()).isEqualTo(10);
        timers.run(15);
        assertThat(done).containsExactly("first", "second", "third");
        timers.run(20);
        assertThat(done).endsWith("late");
        assertThat(timers.isEmpty()).isTrue();
        assertThat(timers.next()).isEqualTo(Long.MAX_VALUE);
    }
}
