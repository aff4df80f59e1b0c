// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.packing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.benchmarks.experiment.Band;
import org.heddle.benchmarks.experiment.Bands;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Spread;

/** How long the planner searches and how far its plans are from their lower bounds. */
public final class SearchTimesExperiment implements Experiment {
    @Override
    public Description description() {
        return new Description(
                "packing-search",
                "Packing: search times and gaps",
                Paper.NONE,
                "",
                List.of(),
                "The paper reports no search times: these are seeded random problems with goals of ours, 14 jobs to the proven"
                        + " optimum in 2 s, 50 jobs on 1,000 machines within 1 % in 10 s, and 500 jobs on 10,000 machines within"
                        + " 2 % in 60 s; large problems use the first seeds only; the gap is to a lower bound for all plans, from which"
                        + " plans of pairs are far.");
    }

    @Override
    public Effort effort() {
        return Effort.quiet(5, 10);
    }

    @Override
    public Bands bands() {
        return new Bands(Band.within(0.3), Map.of("gap, %", new Band(0.2, 0.1), "first plan, s", new Band(0.5, 0.1)));
    }

    @Override
    public Measurement run(Run run) {
        Map<String, List<PackingGoals.Outcome>> outcomes = new LinkedHashMap<>();
        for (PackingGoals.Search search : PackingGoals.searches(run.seeds())) {
            run.tell(search.goal() + ", seed " + search.seed());
            PackingGoals.Outcome outcome = PackingGoals.plan(search);
            if (!outcome.sound()) {
                throw new IllegalStateException(
                        "the checker refuses the plan of " + search.goal() + ", seed " + search.seed());
            }
            outcomes.computeIfAbsent(search.goal(), goal -> new ArrayList<>()).add(outcome);
        }
        return Measurement.of(outcomes.entrySet().stream()
                .map(goal -> row(goal.getKey(), goal.getValue()))
                .toList());
    }

    private static Row row(String goal, List<PackingGoals.Outcome> outcomes) {
        return Row.of(goal)
                .with("problems", outcomes.size())
                .with(
                        "first plan, s",
                        Spread.of(outcomes.stream()
                                .map(PackingGoals.Outcome::firstSeconds)
                                .toList()))
                .with(
                        "search, s",
                        Spread.of(outcomes.stream()
                                .map(PackingGoals.Outcome::seconds)
                                .toList()))
                .with(
                        "gap, %",
                        Spread.of(outcomes.stream().map(one -> 100 * one.gap()).toList()));
    }
}
