// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.late;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.heddle.benchmarks.experiment.Band;
import org.heddle.benchmarks.experiment.Bands;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Goal;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.program.ChildProgram;
import org.heddle.benchmarks.program.PrintedTable;
import org.heddle.late.emulated.EmulationAgreement;

/** One scenario in an emulated cluster and on the virtual clock: how far the simulations can be trusted. */
public final class EmulatedClusterExperiment implements Experiment {
    private static final String APART = "apart";
    private static final double MOST_PERCENT = 15;

    @Override
    public Description description() {
        return new Description(
                "late-emulated",
                "LATE: the virtual clock beside an emulated cluster",
                Paper.NONE,
                "",
                List.of(),
                "No paper has this: a real ResourceManager, NodeManagers and ApplicationMasters run maps that only report"
                        + " their node's pace, ten nodes of two slots of which one is five times slower; \"apart\" is"
                        + " in percent.");
    }

    @Override
    public List<Goal> goals() {
        return List.of(Goal.atMost("largest of the column apart", MOST_PERCENT, all -> all.largest(APART)));
    }

    @Override
    public Effort effort() {
        return Effort.quiet(15, 5);
    }

    @Override
    public Bands bands() {
        return new Bands(Band.within(0.15), Map.of(APART, new Band(0, 15)));
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        ChildProgram program = new ChildProgram(
                EmulationAgreement.class, "1500m", String.valueOf(run.seeds().size()));
        return Measurement.of(PrintedTable.rows(program.lines(run), 1));
    }
}
