// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.late;

import java.io.IOException;
import java.util.ArrayList;
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

/** The processor time of a scan, beside that of the stock speculator. */
public final class ScanCostExperiment implements Experiment {
    private static final String MEAN = "mean ms";
    private static final String SMALL = "5000, 1000, late heddle";
    private static final String SMALL_STOCK = "5000, 1000, stock, pause 1 s";
    private static final String LARGE = "50000, 10000, late heddle";

    @Override
    public Description description() {
        return new Description(
                "late-scan",
                "LATE: what a scan costs",
                Paper.NONE,
                "",
                List.of(),
                "No paper has this: each pass of both speculators on the virtual clock, a fifth as many slots as maps.");
    }

    @Override
    public List<Goal> goals() {
        return List.of(
                Goal.atMost(
                        SMALL + ": " + MEAN + ", by that of the stock speculator",
                        1,
                        all -> all.median(SMALL, MEAN) / all.median(SMALL_STOCK, MEAN)),
                Goal.atMost(LARGE, MEAN, 20));
    }

    @Override
    public Effort effort() {
        return Effort.quiet(3, 3);
    }

    @Override
    public Bands bands() {
        return new Bands(Band.within(0.5), Map.of("passes", Band.within(0.05), MEAN, new Band(0.4, 0.3)));
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < run.seeds().size(); i++) {
            lines.addAll(new ChildProgram(ScanCost.class, "2g").lines(run));
        }
        return Measurement.of(PrintedTable.rows(lines, 3));
    }
}
