// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.heddle.benchmarks.experiment.Band;
import org.heddle.benchmarks.experiment.Bands;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Published;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.program.ChildProgram;
import org.heddle.benchmarks.program.PrintedTable;

/** What the bridge costs MPI and MapReduce, as in Tables 1 and 2 of Nexus. Needs MPICH and its compiler. */
public final class BridgeOverheadExperiment implements Experiment {
    @Override
    public Description description() {
        return new Description(
                "bridge-overhead",
                "What the bridge costs MPI and MapReduce",
                Paper.NEXUS,
                "section 6.1, Tables 1 and 2",
                List.of(
                        Published.of("MPI LINPACK 50.85 s alone, 51.79 s on Nexus: 2 %", "Table 1"),
                        Published.of("Hadoop WordCount 159.87 s alone, 166.19 s on Nexus: 4 %", "Table 2")),
                "Runs of a few seconds on one machine, in pairs; MPI under mpiexec or on offers, MapReduce on YARN without"
                        + " a bridge or beside one, where the paper runs Hadoop itself on Nexus.");
    }

    @Override
    public Effort effort() {
        return Effort.quiet(5, 9);
    }

    @Override
    public Bands bands() {
        return new Bands(Band.within(0.3), Map.of("slower by %", new Band(0, 3)));
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        ChildProgram program = new ChildProgram(
                BridgeOverhead.class,
                "1g",
                run.root().toString(),
                run.scratch().toString(),
                String.valueOf(run.seeds().size()),
                "3500");
        return Measurement.of(PrintedTable.rows(program.lines(run), 1));
    }
}
