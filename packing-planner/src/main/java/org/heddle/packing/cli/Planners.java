// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.heddle.packing.solve.Planner;
import org.heddle.packing.solve.PlanningException;
import org.heddle.packing.solve.malleable.MalleablePlanner;
import org.heddle.packing.solve.phased.PairPlanner;
import org.heddle.packing.solve.phased.PhasedPlanner;
import org.heddle.packing.solve.phased.SequentialPlanner;
import org.heddle.packing.solve.timed.NonPhasedPlanner;

/** All planners by name: those of this module, then those which {@link ServiceLoader} finds on the class path. */
public final class Planners {
    private static final List<Planner> ALL = load();

    private Planners() {}

    private static List<Planner> load() {
        List<Planner> planners = new ArrayList<>(List.of(
                new SequentialPlanner(),
                new PairPlanner(),
                new PhasedPlanner(),
                new NonPhasedPlanner(),
                new MalleablePlanner()));
        ServiceLoader.load(Planner.class).forEach(planners::add);
        return List.copyOf(planners);
    }

    /** The planners of this module in the order of increasing freedom, then the others. */
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

    /** The names of all planners, separated by commas. */
    public static String names() {
        return String.join(", ", ALL.stream().map(Planner::name).toList());
    }
}
