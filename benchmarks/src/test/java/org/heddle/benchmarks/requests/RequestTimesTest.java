// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.requests;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.heddle.benchmarks.requests.RequestingMaster.Answer;
import org.heddle.benchmarks.rm.RequestLatencyExperiment;
import org.junit.jupiter.api.Test;

class RequestTimesTest {
    private static Answer given(int millis, boolean isInSameAnswer, boolean isLocal) {
        return new Answer(Duration.ofMillis(millis), true, isInSameAnswer, isLocal);
    }

    private static Answer waits(int millis) {
        return new Answer(Duration.ofMillis(millis), false, false, false);
    }

    @Test
    void aRequestWithoutItsContainerCountsWithWhatItHasWaited() {
        Map<String, Double> figures =
                RequestTimes.figures(List.of(given(2, true, true), given(4, false, false), waits(9)));

        assertThat(figures)
                .containsEntry(RequestLatencyExperiment.MEDIAN, 4.0)
                .containsEntry(RequestLatencyExperiment.TAIL, 9.0)
                .containsEntry(RequestLatencyExperiment.LONGEST, 9.0);
    }

    @Test
    void sharesAreOfAllRequestsAndOfThoseWithAContainer() {
        Map<String, Double> figures =
                RequestTimes.figures(List.of(given(2, true, true), given(4, false, false), waits(9), waits(9)));

        assertThat(figures)
                .containsEntry(RequestLatencyExperiment.SAME_ANSWER, 25.0)
                .containsEntry(RequestLatencyExperiment.LOCAL, 50.0);
    }
}
