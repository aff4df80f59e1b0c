// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve;

import java.util.List;
import org.heddle.packing.solve.malleable.MalleablePlanner;
import org.heddle.packing.solve.phased.PairPlanner;
import org.heddle.packing.solve.phased.PhasedPlanner;
import org.heddle.packing.solve.phased.SequentialPlanner;
import org.heddle.packing.solve.swarm.SwarmPlanner;
import org.heddle.packing.solve.timed.NonPhasedPlanner;

/** All planners by name. */
public final class Planners {
    private static final List<Planner> ALL = List.of(
            new SequentialPlanner(),
            new PairPlanner(),
            new PhasedPlanner(),
            new SwarmPlanner(),
            new NonPhasedPlanner(),
            new MalleablePlanner());

    private Planners() {}

    /** In the order of increasing freedom, the baseline among them. */
    public static List<Planner> all() {
        return ALL;
    }

    /** The planner of this name. */
    public static Planner named(String name) {
        return ALL.stream()
                .filter(p -> p.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new PlanningException("planner \"" + name + "\" does not exist; choose one of " + names()));
    }

    /** Their names, separated by commas. */
    public static String names() {
        return String.join(", ", ALL.stream().map(Planner::name).toList());
    }
}
