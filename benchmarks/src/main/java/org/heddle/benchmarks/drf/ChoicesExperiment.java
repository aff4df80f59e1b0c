// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.drf;

import java.util.ArrayList;
import java.util.List;
import org.heddle.benchmarks.experiment.Curve;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Published;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;

/** The DRF paper's Table 1: the choices one after the other on a cluster of 9 CPUs and 18 GB. */
public final class ChoicesExperiment implements Experiment {
    private static final String PLOT = "table-1";
    private static final String SHARE_OF_A = "dominant share of A";
    private static final String SHARE_OF_B = "dominant share of B";

    @Override
    public Description description() {
        return new Description(
                "drf-choices",
                "DRF: the choices in the example, one after the other",
                Paper.DRF,
                "Table 1",
                List.of(Published.of("user A ends with 3 tasks and user B with 2", "section 4.1")),
                "User B comes first, which decides the first choice between equal shares; the steps follow from the algorithm,"
                        + " and no other number of the paper is quoted.");
    }

    @Override
    public Effort effort() {
        return Effort.simulated(0.05, 1, 0.05, 1);
    }

    @Override
    public Measurement run(Run run) {
        OneNode node = new OneNode("drf", 9, 18).user("B", 3, 1).user("A", 1, 4);
        List<Row> rows = new ArrayList<>();
        long ofB = 0;
        while (node.step()) {
            String chosen = node.name(node.tasks(0) > ofB ? 0 : 1);
            ofB = node.tasks(0);
            rows.add(Row.of(rows.size() + 1 + ". user " + chosen)
                    .with(SHARE_OF_A, node.dominantShare(1))
                    .with(SHARE_OF_B, node.dominantShare(0))
                    .with("CPUs in use", node.used(0))
                    .with("memory in use", node.used(1)));
        }
        return new Measurement(
                rows,
                List.of(
                        Curve.overRows(PLOT, SHARE_OF_A, rows, SHARE_OF_A, 1),
                        Curve.overRows(PLOT, SHARE_OF_B, rows, SHARE_OF_B, 1)));
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return List.of(Plot.lines(measurement, PLOT, "Dominant shares after each choice", "choice", "share"));
    }
}
