// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.market;

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
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.market.simulate.BoostScenario;

/** The market paper's Figures 10 and 11: ten users, of whom each pays four times the rate for one of ten jobs. */
public final class BoostExperiment implements Experiment {
    private static final String PLOT = "figure-11";
    private static final String BOOSTED = "jobs with the boost";
    private static final String OTHERS = "other jobs";
    private static final String RATIO = "others / boosted";

    @Override
    public Description description() {
        return new Description(
                "market-boost",
                "Market: a rate four times as high for one job of ten",
                Paper.MARKET,
                "Figures 10 and 11",
                List.of(
                        new Published(BOOSTED, "about 300 s", "4.4, Figure 10"),
                        new Published(OTHERS, "about 900 s on average", "4.4, Figure 10"),
                        new Published(RATIO, "about 3", "4.4")),
                "The cluster is simulated without preemption, as in Figure 11; a job takes 400 s alone on the cluster, and the"
                        + " ideal ratio is 3.31, which follows from the rates.");
    }

    @Override
    public Effort effort() {
        return Effort.simulated(0.3, 1, 0.3, 1);
    }

    @Override
    public Measurement run(Run run) {
        BoostScenario.Outcome outcome = BoostScenario.run();
        List<Row> rows = List.of(
                Row.of(BOOSTED).with("job, s", Spread.of(outcome.boosted())),
                Row.of(OTHERS).with("job, s", Spread.of(outcome.others())),
                Row.of(RATIO).with("ratio of the means", outcome.ratio()),
                Row.of("all jobs").with("in times of one job alone", outcome.makespan()));
        List<Double> jobs = IntStream.rangeClosed(1, BoostScenario.USERS)
                .mapToObj(job -> (double) job)
                .toList();
        List<Curve> curves = new ArrayList<>();
        for (int user = 0; user < BoostScenario.USERS; user++) {
            curves.add(new Curve(
                    PLOT, "user " + (user + 1), jobs, outcome.seconds().get(user)));
        }
        return new Measurement(rows, curves);
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return List.of(Plot.lines(measurement, PLOT, "As Figure 11: times of the jobs of each user", "job", "seconds"));
    }
}
