// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.drf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.heddle.demos.drf.ClusterRest.App;
import org.heddle.demos.drf.ClusterRest.Capacity;
import org.junit.jupiter.api.Test;

class ShareHistoryTest {
    private static final Capacity CAPACITY = new Capacity(1000, 100);

    @Test
    void meansAreWeightedByTimeAndOverBackloggedTimesOnly() {
        ShareHistory history = new ShareHistory(List.of("a", "b"), 0);
        history.add(0, List.of(app("a", 0, 0, 5), app("b", 0, 0, 5)), CAPACITY);
        history.add(1, List.of(app("a", 500, 10, 5), app("b", 100, 20, 5)), CAPACITY);
        history.add(4, List.of(app("a", 100, 30, 5), app("b", 200, 10, 5)), CAPACITY);
        // b has nothing pending: does not count, however long.
        history.add(60, List.of(app("a", 1000, 100, 5), app("b", 0, 0, 0)), CAPACITY);
        assertThat(history.measuredSeconds()).isEqualTo(4);
        assertThat(history.mean("a")).isCloseTo((0.5 + 3 * 0.3) / 4, within(1e-9));
        assertThat(history.mean("b")).isCloseTo((0.2 + 3 * 0.2) / 4, within(1e-9));
    }

    @Test
    void theTimeInWhichThingsSettleDoesNotCount() {
        ShareHistory history = new ShareHistory(List.of("a"), 2);
        for (int second = 0; second <= 5; second++) {
            history.add(second, List.of(app("a", second * 100L, 0, 1)), CAPACITY);
        }
        assertThat(history.measuredSeconds()).isEqualTo(3);
        assertThat(history.mean("a")).isCloseTo((0.3 + 0.4 + 0.5) / 3, within(1e-9));
    }

    private static App app(String user, long memory, long vcores, int pending) {
        return new App("id", user, "name", "RUNNING", "UNDEFINED", "", 0, memory, vcores, 1, pending);
    }
}
