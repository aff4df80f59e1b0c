// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.util.List;
import java.util.Map;
import org.heddle.benchmarks.experiment.Goal;

/**
 * What our scheduler has to reach at a size of the race.
 *
 * @param cost of a container by that of the floor, upper bound
 * @param tail 99th percentile of a node's heartbeat by that of the floor
 * @param jain over the users
 * @param leastToMean the least share by the mean
 * @param cores in use, as part of all
 * @param newcomer containers that end for each one that an application which comes later gets
 */
public record RaceGoals(double cost, double tail, double jain, double leastToMean, double cores, double newcomer) {
    /** Of the cost, at every size; decision 0046 says what bounds it. */
    private static final double BELOW_THE_FLOOR = 0.7;

    /** CPU time of a NODE_ADDED, at every size. */
    public static final double NODE_ADDED_MICROS = 20;

    private static final Map<String, RaceGoals> OF = Map.of(
            "1k", new RaceGoals(1.35, 1.4, 0.9999, 0.98, 0.76, 1.5),
            "5k", new RaceGoals(1.4, 1.4, 0.9999, 0.98, 0.75, 1.5),
            "10k", new RaceGoals(1.5, 1.5, 0.999, 0.93, 0.65, 3));

    /** None where the size has none. */
    static List<Goal> of(String size) {
        RaceGoals goals = OF.get(size);
        if (goals == null) {
            return List.of();
        }
        String ours = RaceExperiment.name(size, Contestant.HEDDLE);
        String floor = RaceExperiment.name(size, Contestant.FLOOR);
        return List.of(
                Goal.atMost(ours, RaceExperiment.MOST_RATIO, goals.cost),
                Goal.atMost(ours, RaceExperiment.MOST_RATIO, BELOW_THE_FLOOR),
                Goal.atMost(
                        ours + ": node heartbeat, p99, by that of the floor",
                        goals.tail,
                        all -> all.median(ours, RaceExperiment.HEARTBEAT)
                                / all.median(floor, RaceExperiment.HEARTBEAT)),
                Goal.atLeast(ours, RaceExperiment.JAIN, goals.jain),
                Goal.atLeast(ours, RaceExperiment.LEAST, goals.leastToMean),
                Goal.atLeast(ours, RaceExperiment.CORES, goals.cores),
                Goal.atMost(ours, RaceExperiment.ROOM, 0),
                Goal.atMost(ours, RaceExperiment.NEWCOMER, goals.newcomer),
                Goal.atMost(ours, RaceExperiment.NODE, NODE_ADDED_MICROS));
    }
}
