// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.report;

import java.util.List;
import org.heddle.benchmarks.experiment.Bands;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Goal;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Published;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.result.MadeUp;

/**
 * An experiment for tests.
 *
 * @param name of the experiment
 * @param effort how often and how long
 * @param seconds what it measures
 */
public record MadeUpExperiment(String name, Effort effort, double seconds) implements Experiment {
    /** A simulation. */
    public MadeUpExperiment(String name, double seconds) {
        this(name, Effort.simulated(1, 3, 2, 5), seconds);
    }

    @Override
    public Description description() {
        return new Description(
                name,
                "Made up: " + name,
                Paper.LATE,
                "Figure 0",
                List.of(
                        new Published("none", "90 s", "5.9"),
                        Published.of("a <claim> & more", "Figure 0, read from the figure")),
                "It measures nothing.");
    }

    @Override
    public List<Goal> goals() {
        return List.of(
                Goal.atMost("none", "job, s", 100.5),
                Goal.atLeast("late", "wasted, %", 2),
                Goal.atMost("late by none", 0.5, all -> all.median("late", "job, s") / all.median("none", "job, s")),
                Goal.atMost("nobody", "job, s", 1));
    }

    @Override
    public Bands bands() {
        return Bands.within(0.05);
    }

    @Override
    public Measurement run(Run run) {
        if (seconds < 0) {
            throw new IllegalStateException("it was told to fail");
        }
        run.tell("measuring nothing");
        return MadeUp.measurement(seconds);
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return List.of(Plot.bars(measurement, "times", "Times", "seconds", "job, s"));
    }
}
