// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import org.heddle.benchmarks.experiment.Goal;
import org.heddle.benchmarks.experiment.Measurement;
import org.jspecify.annotations.Nullable;

/** Goals, what was seen, and whether they were met. */
public final class GoalTable {
    private GoalTable() {}

    /** A table in Markdown; nothing where there are no goals. */
    public static String markdown(List<Goal> goals, Measurement measurement) {
        Table table = of(goals, measurement);
        return table == null ? "" : table.markdown();
    }

    /**
     * A table; null where there are no goals.
     *
     * @param measurement null if there is none yet
     */
    @Nullable
    static Table of(List<Goal> goals, @Nullable Measurement measurement) {
        List<List<String>> rows = new ArrayList<>();
        for (Goal goal : goals) {
            double seen = measurement == null ? Double.NaN : goal.figure().applyAsDouble(measurement);
            rows.add(List.of(
                    goal.what(),
                    goal.bound().words() + " " + Numbers.exact(goal.limit()),
                    Numbers.digits(seen),
                    verdict(goal, seen)));
        }
        return rows.isEmpty() ? null : new Table(List.of("goal", "wanted", "seen", ""), rows);
    }

    private static String verdict(Goal goal, double seen) {
        if (Double.isNaN(seen)) {
            return "not measured";
        }
        return goal.isReachedBy(seen) ? "met" : "MISSED";
    }
}
