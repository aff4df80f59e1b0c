// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.market;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the demo judges on a machine on which masters start slowly. */
class PhaseTest {
    private static Sample sample(double seconds, int pending, int starting) {
        UserState hungry = new UserState(0.5, 0.7, 2, 10, 4, 9, 0, "paying");
        UserState alice = new UserState(0.5, 0.3, 2, 10, 4, pending, starting, "paying");
        return new Sample(seconds, 4, Map.of("alice", alice, "bob", hungry));
    }

    @Test
    void aUserWhoseNextMasterStartsAsksForNothing() {
        assertThat(sample(30, 1, 1).isContended()).isFalse();
        assertThat(sample(30, 2, 1).isContended()).isTrue();
        assertThat(sample(30, 0, 0).isContended()).isFalse();
    }

    @Test
    void afterAPauseAUserIsJudgedOnceTasksHaveEnded() {
        List<Sample> samples = new ArrayList<>();
        for (int second = 0; second < 60; second++) {
            samples.add(sample(second, 1, second == 40 ? 1 : 0));
        }
        List<Double> judged = new Phase("equal rates", 0, 60)
                .settled(samples).stream().map(Sample::seconds).toList();
        assertThat(judged).hasSize(60 - 24 - 8).doesNotContain(40.0, 47.0).contains(24.0, 39.0, 48.0);
    }

    @Test
    void aPhaseThatCannotBeJudgedIsNoFailureButARunWithoutAnyIs() {
        List<Sample> busy = new ArrayList<>();
        for (int second = 0; second < 60; second++) {
            busy.add(sample(second, 1, 1));
        }
        Report report = new Report(new Timeline(busy, 30), List.of(), List.of(), BigDecimal.TEN, BigDecimal.TEN);
        assertThat(report.checks())
                .filteredOn(check -> check.what().contains("not judged"))
                .hasSize(2)
                .allMatch(Report.Check::holds);
        assertThat(report.checks())
                .filteredOn(check -> check.what().equals("at least one phase could be judged"))
                .singleElement()
                .matches(check -> !check.holds());
    }
}
