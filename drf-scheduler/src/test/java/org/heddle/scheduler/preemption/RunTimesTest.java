// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.heddle.scheduler.model.WorkProtection;
import org.heddle.scheduler.preemption.RunTimes.Kind;
import org.heddle.scheduler.preemption.RunTimes.Running;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When containers are expected to end, and how much work may be lost. */
@Tag("pure")
class RunTimesTest {
    private static final Kind MAPS = new Kind("application_1", 20);

    /** Containers of one kind that ended after these seconds, and one that has run for some. */
    @ParameterizedTest
    @CsvSource({
        "'100 100 100', 0, 100", // all alike
        "'100 100 100', 90, 10",
        "'100 100 100', 100, -1", // longer than all others: nothing is known
        "'100 100', 10, -1", // two are too few
        "'10 20 300 400 500', 0, 300",
        "'10 20 300 400 500', 30, 370", // 300, 400, 500 are left
        "'10 20 300 400', 30, -1"
    })
    void theMedianOfThoseThatRanLonger(String ended, long ran, long expected) {
        RunTimes times = new RunTimes();
        List<Running> running = new ArrayList<>();
        String[] seconds = ended.split(" ", -1);
        for (int i = 0; i < seconds.length; i++) {
            running.add(new Running("ended" + i, MAPS, 0));
        }
        times.observe(running, 0);
        for (int i = 0; i < seconds.length; i++) {
            running.remove(0);
            times.observe(running, Long.parseLong(seconds[i]) * 1_000);
        }
        times.observe(List.of(new Running("now", MAPS, 1_000_000)), 1_000_000);
        long now = 1_000_000 + ran * 1_000;
        assertThat(times.runMillis("now", now)).isEqualTo(ran * 1_000);
        assertThat(times.remainingMillis("now", now)).isEqualTo(expected < 0 ? RunTimes.UNKNOWN : expected * 1_000);
    }

    @Test
    void otherPrioritiesAndPreemptedContainersSayNothing() {
        RunTimes times = new RunTimes();
        Kind reduces = new Kind("application_1", 10);
        times.observe(
                List.of(
                        new Running(1, MAPS, 0),
                        new Running(2, MAPS, 0),
                        new Running(3, MAPS, 0),
                        new Running(4, reduces, 0)),
                0);
        times.forget(3);
        times.observe(List.of(new Running(4, reduces, 0), new Running(5, MAPS, 50_000)), 60_000);
        assertThat(times.remainingMillis(4, 60_000)).isEqualTo(RunTimes.UNKNOWN);
        assertThat(times.remainingMillis(5, 60_000)).isEqualTo(RunTimes.UNKNOWN);
        assertThat(times.remainingMillis(3, 60_000)).isEqualTo(RunTimes.UNKNOWN);
        assertThat(times.runMillis(3, 60_000)).isZero();
    }

    /** A cluster that is full for an hour: 1 % of 20 minutes may be lost at once, and then 1 % of the time. */
    @Test
    void lostWorkStaysBelowItsPartOfAllWork() {
        LostWorkLimit limit = new LostWorkLimit();
        limit.earn(0.01, 1, 0);
        assertThat(limit.allows(12_000, 0)).isTrue();
        assertThat(limit.allows(12_000, 1)).as("others are pending").isFalse();
        assertThat(limit.allows(50_000, 0)).as("one may exceed a full credit").isTrue();
        limit.lose(15_000);
        assertThat(limit.allows(0, 0)).as("nothing is lost").isTrue();
        assertThat(limit.credit(2, 14_000)).isEqualTo(new WorkProtection.Credit(0.01, -3_000, 12_000, 2, 14_000));
        limit.earn(0.01, 1, 300_000);
        assertThat(limit.allows(1, 0)).as("the debt is just earned back").isFalse();
        limit.earn(0.01, 0.5, 500_000);
        assertThat(limit.allows(999, 0)).isTrue();
        assertThat(limit.allows(1_002, 0)).isFalse();
        limit.earn(0.01, 1, 10_000_000);
        assertThat(limit.allows(12_001, 1))
                .as("no more than that of 20 minutes is kept")
                .isFalse();
    }

    @Test
    void aLimitOfAllWorkIsNone() {
        LostWorkLimit limit = new LostWorkLimit();
        limit.earn(1, 1, 0);
        limit.lose(1e12);
        limit.earn(1, 1, 1_000);
        assertThat(limit.allows(1e12, 1e12)).isTrue();
        assertThat(limit.credit(0, 0)).isEqualTo(WorkProtection.Credit.UNLIMITED);
    }
}
