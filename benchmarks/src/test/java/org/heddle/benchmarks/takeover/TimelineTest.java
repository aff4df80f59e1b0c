// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.takeover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TimelineTest {
    @Test
    void theFirstTimeCountsAndColumnsKeepTheirOrder() {
        Timeline timeline = new Timeline();
        timeline.reached("before the kill");
        timeline.begin();
        timeline.reached("told");
        AtomicInteger looks = new AtomicInteger();

        Map<String, Double> seconds = timeline.await(
                List.of("looked", "told"),
                Map.of("looked", () -> {
                    timeline.reached("told"); // again, and so without effect
                    if (looks.incrementAndGet() == 1) {
                        throw new IOException("nobody answers");
                    }
                    return looks.get() == 3;
                }),
                () -> "");

        assertThat(seconds).containsOnlyKeys("looked", "told");
        assertThat(List.copyOf(seconds.keySet())).containsExactly("looked", "told");
        assertThat(seconds.get("told")).isLessThan(seconds.get("looked"));
        assertThat(timeline.has("before the kill")).isFalse();
        assertThat(looks).hasValue(3);
    }
}
