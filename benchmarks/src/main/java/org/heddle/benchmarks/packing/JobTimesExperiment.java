// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.packing;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
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
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Problem;

/** The packing paper's Figure 1: the run times of its four small jobs over the number of virtual machines. */
public final class JobTimesExperiment implements Experiment {
    private static final String PLOT = "figure-1";

    @Override
    public Description description() {
        return new Description(
                "packing-jobs",
                "Packing: run times of the paper's jobs",
                Paper.PACKING,
                "Figure 1",
                List.of(Published.of("the benefit of more nodes falls with their number", "section 3, Figure 1")),
                PaperProblems.CHOSEN + "; the curves are the models, not runs.");
    }

    @Override
    public Effort effort() {
        return Effort.simulated(0.1, 1, 0.1, 1);
    }

    @Override
    public Measurement run(Run run) {
        Problem problem = PaperProblems.read(run.root(), "w2");
        List<Row> rows = new ArrayList<>();
        List<Curve> curves = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        for (Job job : problem.jobs()) {
            String kind = job.name().substring(0, job.name().indexOf('#'));
            if (seen.contains(kind)) {
                continue;
            }
            seen.add(kind);
            Row row = Row.of(kind);
            for (int vms : new int[] {2, 6, problem.slots()}) {
                row = row.with(vms + " VMs, s", job.model().seconds(vms));
            }
            rows.add(row);
            List<Integer> counts =
                    IntStream.rangeClosed(1, problem.slots()).boxed().toList();
            curves.add(new Curve(
                    PLOT,
                    kind,
                    counts.stream().map(Integer::doubleValue).toList(),
                    counts.stream().map(vms -> job.model().seconds(vms)).toList()));
        }
        return new Measurement(rows, curves);
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return List.of(Plot.lines(measurement, PLOT, "As Figure 1: run time over virtual machines", "VMs", "seconds"));
    }
}
