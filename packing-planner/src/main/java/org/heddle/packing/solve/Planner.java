// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve;

import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;

/** Makes plans. Implementations have no state, so one instance may plan several problems at once. */
public interface Planner {
    /** Name on the command line and in plans. */
    String name();

    /** The best plan within the limits of the context, with a placement on machines and a proven lower bound. */
    Plan plan(Problem problem, SolveContext context);
}
