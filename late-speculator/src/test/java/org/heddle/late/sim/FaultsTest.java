// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Attempts that report nonsense or nothing, and clocks that jump; a smaller cluster than {@link Scenarios#slow}. */
class FaultsTest {
    private static final long SEED = 7;
    private static final double WITHOUT_FAULTS = run(slow(Faults.NONE)).seconds();

    private static Scenario slow(Faults faults) {
        return Scenario.maps("slow", 40, 2, 200, 60_000, i -> SimNode.of(i % 10 == 3 ? 5 : 1))
                .with("slow, faults", faults);
    }

    private static Scenario even(Faults faults) {
        return Scenario.maps("even", 40, 2, 200, 60_000, i -> SimNode.of(1)).with("even, faults", faults);
    }

    private static Outcome run(Scenario scenario) {
        return Simulation.run(scenario, Mode.HEDDLE, SEED);
    }

    /** Slow nodes report 1.0 at a fifth of their work and go on, or report nothing more. */
    @Test
    void attemptsThatStopReportingGetBackups() {
        for (Faults faults : new Faults[] {
            Faults.completeFrom(0.2), Faults.completeFrom(0.9), Faults.silentFrom(0.2), Faults.silentFrom(0.9)
        }) {
            Outcome outcome = run(slow(faults));
            assertThat(outcome.seconds()).as("%s", faults).isLessThan(1.05 * WITHOUT_FAULTS);
            assertThat(outcome.won()).as("%s", faults).isEqualTo(outcome.backups());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {3_600_000, -3_600_000, 20_000, -20_000})
    void aJumpOfTheClockChangesNothing(long by) {
        Outcome outcome = run(slow(Faults.clockJump(60_000, by)));
        assertThat(outcome.seconds()).isLessThan(1.05 * WITHOUT_FAULTS);
        assertThat(outcome.won()).isEqualTo(outcome.backups());
        assertThat(run(even(Faults.clockJump(60_000, by))).backups()).isZero();
    }

    @Test
    void aJobThatIsAnnouncedLateGetsBackups() {
        Outcome outcome = run(slow(Faults.createdAfter(20_000)));
        assertThat(outcome.seconds()).isLessThan(1.05 * WITHOUT_FAULTS);
        assertThat(outcome.won()).isEqualTo(outcome.backups());
    }

    /** The first seconds of a backup are the start of its JVM, which does not call for a third attempt. */
    @Test
    void reportsEverySecondCauseNoThirdAttempts() {
        Outcome outcome = run(slow(Faults.NONE).reporting(1_000));
        assertThat(outcome.seconds()).isLessThan(1.05 * WITHOUT_FAULTS);
        assertThat(outcome.won()).isEqualTo(outcome.backups());
    }

    /** Maps whose score goes up six times in a minute, while reports come each second: no report is no silence. */
    @Test
    void progressInStepsIsNotSilence() {
        Scenario even = Scenario.maps("steps", 20, 2, 65, 60_000, i -> SimNode.of(1))
                .reporting(1_000)
                .with("steps", Faults.scoreSteps(6));
        assertThat(run(even).backups()).isZero();
        Scenario slow = Scenario.maps("slow", 20, 2, 65, 60_000, i -> SimNode.of(i % 10 == 3 ? 5 : 1))
                .reporting(1_000);
        assertThat(run(slow.with("slow, steps", Faults.scoreSteps(6))).seconds())
                .isLessThan(1.05 * run(slow).seconds());
    }

    /**
     * Half of all reports are NaN, negative, 2, infinite or go back: as tasks send them, or as Hadoop passes them on.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void impossibleReportsAreDropped(boolean clamped) {
        Outcome slow = run(slow(Faults.noise(0.1, clamped)));
        assertThat(slow.seconds()).isLessThan(1.1 * WITHOUT_FAULTS);
        assertThat(slow.uselessShare()).isLessThan(0.015);
        assertThat(run(even(Faults.noise(0.1, clamped))).uselessShare()).isLessThan(0.01);
    }

    /**
     * Maps whose pace varies by half from one second to the next; before the first end nothing is known well. Free
     * slots beside a second wave of 16 maps are used for a few backups.
     */
    @ParameterizedTest
    @CsvSource({"20, 0, 0.005", "20, 1, 0.005", "36, 0, 0.03"})
    void contendedProcessorsCauseFewBackups(int maps, int reduces, double most) {
        Scenario scenario = Scenario.maps("contended", 10, 2, maps, 12_000, i -> SimNode.of(1))
                .reduces(reduces, 2_000, 5_000, 0)
                .reporting(1_000)
                .with("contended", Faults.contended(12));
        double useless = LongStream.rangeClosed(1, 20)
                .mapToDouble(seed -> Simulation.run(scenario, Mode.HEDDLE, seed).uselessShare())
                .average()
                .orElseThrow();
        assertThat(useless).isLessThan(most);
    }
}
