// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.io.IOException;
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
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Published;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Spread;

/**
 * The starvation of the H-DRF paper in a real ResourceManager: queue n1 has a user who wants cores; queue n2 has one
 * who wants cores, and one whose containers hold the memory. A scheduler that adds up what a queue holds takes n2 for
 * rich, and gives every core that becomes free to n1.
 */
public final class StarvationExperiment implements Experiment {
    private static final String CORES_OF_N1 = "n1, cores, %";
    private static final String CORES_OF_N2 = "n2, cores, %";

    @Override
    public Description description() {
        return new Description(
                "hdrf-starvation",
                "Hierarchical DRF: a queue whose sibling user holds another resource",
                Paper.H_DRF,
                "the starvation example",
                List.of(Published.of("the schedulers of 2013 may starve certain jobs, H-DRF does not", "abstract")),
                "Memory stands for the paper's second resource, on 20 nodes where neither resource is in the way of the other;"
                        + " containers of cores end at random, and those of memory stay; the fair part of each user of cores is"
                        + " 50 %.");
    }

    @Override
    public Effort effort() {
        return Effort.simulated(1.5, 1, 4, 3);
    }

    /** FairScheduler computes shares in a thread of its own, so its part may differ a little. */
    @Override
    public Bands bands() {
        return new Bands(new Band(0, 5), Map.of());
    }

    @Override
    public Measurement run(Run run) throws IOException {
        Map<String, Contestant> contestants = new LinkedHashMap<>();
        contestants.put("DrfScheduler", Contestant.HEDDLE);
        contestants.put("FairScheduler", Contestant.FAIR);
        contestants.put("CapacityScheduler", Contestant.CAPACITY);
        List<Row> rows = new ArrayList<>();
        for (Map.Entry<String, Contestant> one : contestants.entrySet()) {
            run.tell(one.getKey());
            rows.add(row(one.getKey(), one.getValue(), run.seeds()));
        }
        return Measurement.of(rows);
    }

    private static Row row(String name, Contestant contestant, List<Long> seeds) throws IOException {
        List<Double> ofN1 = new ArrayList<>();
        List<Double> ofN2 = new ArrayList<>();
        List<Double> memory = new ArrayList<>();
        for (long seed : seeds) {
            try (WorkerProcess worker = new WorkerProcess(contestant, Workload.STARVED, seed)) {
                worker.awaitReady();
                double[] shares = worker.shares();
                ofN1.add(100 * shares[0]);
                ofN2.add(100 * shares[1]);
                memory.add(100 * shares[Workload.MEMORY_USER]);
            }
        }
        return Row.of(name)
                .with(CORES_OF_N1, Spread.of(ofN1))
                .with(CORES_OF_N2, Spread.of(ofN2))
                .with("n2, memory, %", Spread.of(memory));
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return List.of(Plot.bars(
                measurement, "cores", "Cores of the two users who want cores", "%", CORES_OF_N1, CORES_OF_N2));
    }
}
