// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.packing;

import org.heddle.packing.check.CheckResult;
import org.heddle.packing.check.PlanChecker;
import org.heddle.packing.cli.Planners;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.SolveContext;

/** Plans that the checker accepts. */
final class CheckedPlans {
    private CheckedPlans() {}

    /**
     * Plans a problem.
     *
     * @param planner its name
     * @param limitSeconds of the search
     * @throws IllegalStateException if the checker refuses the plan
     */
    static Plan plan(Problem problem, String planner, double limitSeconds) {
        Plan plan = Planners.named(planner).plan(problem, SolveContext.quiet(limitSeconds));
        CheckResult result = PlanChecker.check(problem, plan);
        if (!result.accepted()) {
            throw new IllegalStateException("the checker refuses the " + planner + " plan of " + problem.id() + " with "
                    + problem.jobs() + ": " + result.violations().get(0));
        }
        return plan;
    }
}
