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
import org.heddle.benchmarks.experiment.Goal;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Spread;

/** How long the planner searches and how far its plans are from their lower bounds. */
public final class SearchTimesExperiment implements Experiment {
    private static final String SEARCH = "search, s";
    private static final String GAP = "gap, %";
    /** The gap of a proven optimum, which rounding leaves. */
    private static final double NO_GAP = 1e-6;

    @Override
    public Description description() {
        return new Description(
                "packing-search",
                "Packing: search times and gaps",
                Paper.NONE,
                "",
                List.of(),
                "The paper reports no search times: these are seeded random problems of M jobs on N disks; large problems use"
                        + " the first seeds only, and their searches end after 10 s (M = 50) or 30 s (M = 500); the gap is to a lower bound for all plans, from which"
                        + " plans of pairs are far.");
    }

    @Override
    public List<Goal> goals() {
        String optimal = "exact, M=14, N=200";
        return List.of(
                largest(optimal, SEARCH, 2),
                largest(optimal, GAP, NO_GAP),
                largest("large, M=50, N=2000", GAP, 1),
                largest("large, M=500, N=20000", GAP, 2));
    }

    private static Goal largest(String row, String column, double limit) {
        return Goal.atMost(row + ": largest " + column, limit, all -> all.most(row, column));
    }

    @Override
    public Effort effort() {
        return Effort.quiet(5, 10);
    }

    @Override
    public Bands bands() {
        return new Bands(Band.within(0.3), Map.of(GAP, new Band(0.2, 0.1), "first plan, s", new Band(0.5, 0.1)));
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
                        SEARCH,
                        Spread.of(outcomes.stream()
                                .map(PackingGoals.Outcome::seconds)
                                .toList()))
                .with(
                        GAP,
                        Spread.of(outcomes.stream().map(one -> 100 * one.gap()).toList()));
    }
}
