// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.sls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.heddle.benchmarks.experiment.Band;
import org.heddle.benchmarks.experiment.Bands;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.benchmarks.program.ChildProgram;

/** The same trace under each scheduler, in Hadoop's own simulator. */
public final class SlsExperiment implements Experiment {
    private static final int NODES = 500;
    private static final int JOBS = 150;
    private static final int MAPS = 200;
    private static final int MAP_SECONDS = 5;

    @Override
    public Description description() {
        return new Description(
                "sls",
                "DRF scheduler: in Hadoop's own simulator",
                Paper.NONE,
                "",
                List.of(),
                "No paper has this: hadoop-sls 3.4.3 with the real ResourceManager in real time, " + NODES
                        + " nodes of 8 cores, " + JOBS + " MapReduce jobs of " + MAPS + " maps of " + MAP_SECONDS
                        + " s in three queues of equal weights, in a minute; the simulator's own figures. FairScheduler"
                        + " assigns as many containers in a heartbeat as fit; CapacityScheduler has its defaults.");
    }

    @Override
    public Effort effort() {
        return Effort.quiet(20, 3);
    }

    @Override
    public Bands bands() {
        return new Bands(Band.within(0.5), Map.of("jobs", Band.within(0), "last job, s", Band.within(0.1)));
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (SimulatedScheduler scheduler : SimulatedScheduler.values()) {
            List<SimulationFiles> results = new ArrayList<>();
            for (long seed : run.seeds()) {
                results.add(simulate(run, scheduler, new SyntheticTrace(NODES, JOBS, MAPS, MAP_SECONDS, seed)));
            }
            rows.add(Row.of(scheduler.toString())
                    .with("jobs", spread(results, SimulationFiles::jobs))
                    .with("last job, s", spread(results, SimulationFiles::lastSeconds))
                    .with("mean job, s", spread(results, SimulationFiles::meanSeconds))
                    .with("node heartbeat, µs", spread(results, SimulationFiles::heartbeatMicros))
                    .with("allocate call, µs", spread(results, SimulationFiles::allocateMicros)));
        }
        return Measurement.of(rows);
    }

    static SimulationFiles simulate(Run run, SimulatedScheduler scheduler, SyntheticTrace trace)
            throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory(run.scratch(), "sls-" + scheduler + "-");
        new ChildProgram(
                        Simulation.class,
                        "2g",
                        directory.toString(),
                        scheduler.toString(),
                        String.valueOf(trace.nodes()),
                        String.valueOf(trace.jobs()),
                        String.valueOf(trace.maps()),
                        String.valueOf(trace.seconds()),
                        String.valueOf(trace.seed()))
                .lines(run);
        return SimulationFiles.read(directory);
    }

    private static Spread spread(List<SimulationFiles> results, ToDoubleFunction<SimulationFiles> figure) {
        return Spread.of(results.stream().mapToDouble(figure).toArray());
    }
}
