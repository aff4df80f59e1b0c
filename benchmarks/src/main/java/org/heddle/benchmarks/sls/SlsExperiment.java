// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.sls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.fs.FileUtil;
import org.heddle.benchmarks.experiment.Band;
import org.heddle.benchmarks.experiment.Bands;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.benchmarks.experiment.Turns;
import org.heddle.benchmarks.program.ChildProgram;
import org.heddle.testkit.machine.LoopbackHosts;

/** The same trace under each scheduler, in Hadoop's own simulator. */
public final class SlsExperiment implements Experiment {
    private static final String LAST = "last job, s";
    private static final String MEAN = "mean job, s";
    private static final int NODES = 500;
    private static final int JOBS = 150;
    private static final int MAPS = 200;
    private static final int MAP_SECONDS = 5;

    /** Of one simulation, which takes three minutes. A job that never ends would keep it. */
    private static final Duration LIMIT = Duration.ofMinutes(20);

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
                        + " s in three queues of equal weights; the simulator starts them all at once. The figures are its"
                        + " own. The times of calls are wall"
                        + " times in threads that share the machine with those of nodes and masters. Each second the simulator"
                        + " takes the mean of the last 100 calls, and writes the median of these means over the last minute; the"
                        + " figures are medians of what it wrote from the second minute on. FairScheduler assigns as many containers in a"
                        + " heartbeat as fit; CapacityScheduler has its defaults. Each map prefers one node, but takes as long on any"
                        + " other one. By default ours waits one second for a map's node and then five for its rack,"
                        + " CapacityScheduler for 40 nodes, FairScheduler and heddle-anywhere not at all: here waiting"
                        + " only costs time. Schedulers take turns in each repetition.");
    }

    @Override
    public Effort effort() {
        return Effort.quiet(30, 3);
    }

    @Override
    public Bands bands() {
        return new Bands(Band.within(0.5), Map.of("jobs", Band.within(0), LAST, Band.within(0.1)));
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        Map<SimulatedScheduler, List<SimulationFiles>> simulations = new EnumMap<>(SimulatedScheduler.class);
        for (int i = 0; i < run.seeds().size(); i++) {
            for (SimulatedScheduler scheduler : Turns.of(
                    List.of(SimulatedScheduler.values()), i, run.seeds().size())) {
                SimulationFiles simulation = simulate(
                        run,
                        scheduler,
                        new SyntheticTrace(
                                NODES, JOBS, MAPS, MAP_SECONDS, run.seeds().get(i)));
                run.tell("repetition " + (i + 1) + ", " + scheduler + ": " + simulation);
                if (Double.isNaN(simulation.heartbeatMicros() + simulation.allocateMicros())) {
                    throw new IOException(
                            "the simulation of " + scheduler + " took less than a minute: no times of calls");
                }
                simulations.computeIfAbsent(scheduler, one -> new ArrayList<>()).add(simulation);
            }
        }
        List<Row> rows = new ArrayList<>();
        for (Map.Entry<SimulatedScheduler, List<SimulationFiles>> entry : simulations.entrySet()) {
            List<SimulationFiles> results = entry.getValue();
            rows.add(Row.of(entry.getKey().toString())
                    .with("jobs", spread(results, SimulationFiles::jobs))
                    .with(LAST, spread(results, SimulationFiles::lastSeconds))
                    .with(MEAN, spread(results, SimulationFiles::meanSeconds))
                    .with("node heartbeat, µs", spread(results, SimulationFiles::heartbeatMicros))
                    .with("allocate call, µs", spread(results, SimulationFiles::allocateMicros)));
        }
        return Measurement.of(rows);
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return List.of(Plot.bars(measurement, "jobs", "Job times in Hadoop's simulator", "seconds", MEAN, LAST));
    }

    static SimulationFiles simulate(Run run, SimulatedScheduler scheduler, SyntheticTrace trace)
            throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory(run.scratch(), "sls-" + scheduler + "-");
        LoopbackHosts.writeHostsFile(directory.resolve(Simulation.HOSTS));
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
                .within(LIMIT)
                .lines(run);
        SimulationFiles files = SimulationFiles.read(directory);
        FileUtil.fullyDelete(directory.toFile()); // after a failure it is left
        return files;
    }

    private static Spread spread(List<SimulationFiles> results, ToDoubleFunction<SimulationFiles> figure) {
        return Spread.of(results.stream().mapToDouble(figure).toArray());
    }
}
