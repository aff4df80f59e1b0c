// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve;

import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;

/** Makes plans. Implementations have no state; one may plan several problems at once. */
public interface Planner {
    /** Name on the command line and in plans. */
    String name();

    /** The best plan found within the context's limits, placed on machines and with a proven lower bound. */
    Plan plan(Problem problem, SolveContext context);
}
