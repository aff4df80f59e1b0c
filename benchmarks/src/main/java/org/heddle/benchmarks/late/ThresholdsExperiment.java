// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.late;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
import org.heddle.late.sim.Outcome;

/** LATE's Figures 10 to 12: one threshold is varied, and the other two stay where the paper left them. */
public final class ThresholdsExperiment implements Experiment {
    @Override
    public Description description() {
        return new Description(
                "late-thresholds",
                "LATE: how sensitive it is to its three thresholds",
                Paper.LATE,
                "Figures 10 to 12",
                List.of(
                        Published.of(
                                "the response time falls sharply at a cap of 20 % and stays low", "5.4.1, Figure 10"),
                        Published.of(
                                "at a cap of 10 % more time is wasted than at 20 %, because the job runs longer",
                                "5.4.1, Figure 10"),
                        Published.of("SlowTaskThreshold beyond 25 % makes no difference", "5.4.2, Figure 11"),
                        Published.of("SlowNodeThreshold makes no difference in this job", "5.4.3, Figure 12")),
                "The job is that of section 5.4 on a virtual clock, with what the paper leaves open chosen as in"
                        + " late-sleep.");
    }

    @Override
    public Effort effort() {
        return Effort.simulated(1, 11, 3, 31);
    }

    @Override
    public Measurement run(Run run) {
        List<Row> rows = new ArrayList<>();
        List<Curve> curves = new ArrayList<>();
        for (Sweep sweep : Sweep.all()) {
            run.tell(sweep.title());
            List<Sweep.Point> points = sweep.run(run.seeds());
            for (Sweep.Point point : points) {
                rows.add(Row.of(String.format(Locale.ROOT, "%s %.1f %%", sweep.title(), point.percent()))
                        .with("job, s", point.cell().spread(Outcome::seconds))
                        .with("deviation, s", point.deviation())
                        .with("wasted for each machine, s", point.cell().spread(Sweep::wastedSecondsPerNode)));
            }
            List<Double> x = points.stream().map(Sweep.Point::percent).toList();
            curves.add(new Curve(
                    plot(sweep),
                    "response time (median, deviation)",
                    x,
                    points.stream().map(Sweep.Point::seconds).toList(),
                    points.stream().map(Sweep.Point::deviation).toList()));
            curves.add(new Curve(
                    plot(sweep),
                    "wasted time of each machine",
                    x,
                    points.stream().map(Sweep.Point::wastedPerNode).toList()));
        }
        return new Measurement(rows, curves);
    }

    private static String plot(Sweep sweep) {
        return "figure-" + sweep.figure();
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return Sweep.all().stream()
                .map(sweep -> Plot.lines(
                        measurement,
                        plot(sweep),
                        "As Figure " + sweep.figure() + ": response and wasted time over " + sweep.title(),
                        sweep.title() + " (%)",
                        "seconds"))
                .toList();
    }
}
