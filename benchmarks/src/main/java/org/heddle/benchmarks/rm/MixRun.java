// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.benchmarks.program.PrintedTable;

/**
 * How one scheduler shares a full cluster among users whose containers differ in size: {@code MixRun NAME SCHEDULER
 * SIZE SEED VISITS}. Prints a table with one line.
 */
public final class MixRun {
    static final String LONGEST_WAIT = "longest wait, x median run";

    /** For each node, and at the least; the cluster is full then, and has been for many run times of a container. */
    private static final int WARM_UP = 60;

    private static final int LEAST_WARM_UP = 10_000;

    private MixRun() {}

    public static void main(String[] args) throws IOException {
        Workload load = Workload.named(args[2], Long.parseLong(args[3]));
        int visits = Integer.parseInt(args[4]);
        Map<String, Double> figures = new LinkedHashMap<>();
        try (DrivenManager driven = new DrivenManager(Contestant.named(args[1]), load)) {
            driven.warmUp(Math.max(LEAST_WARM_UP, WARM_UP * load.nodes()));
            double[] waits = driven.waitsOfVisitor(visits);
            Standing standing = driven.standing();
            figures.put(RaceExperiment.LEAST, standing.leastToMean());
            figures.put(RaceExperiment.JAIN, standing.jain());
            figures.put(RaceExperiment.CORES, standing.coresInUse());
            if (visits > 0) {
                Spread spread = Spread.of(waits);
                figures.put("median wait, x median run", spread.median());
                figures.put(LONGEST_WAIT, spread.most());
            }
        }
        System.out.println(PrintedTable.of("mix", args[0], figures));
        System.exit(0); // threads of the ResourceManager may live on
    }
}
