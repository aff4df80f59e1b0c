// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.sharing;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.heddle.benchmarks.offers.ProcessBridge;
import org.heddle.benchmarks.program.PrintedTable;
import org.heddle.testkit.Await;
import org.heddle.testkit.HadoopDefaults;
import org.heddle.testkit.ProcessCluster;

/**
 * Runs the work of each framework alone, and then all of them on one cluster: {@code SharesOverTime TREE REPETITIONS}.
 * Spark comes first and runs one job after the other until the others have ended; MapReduce and MPI come while it runs.
 * Prints the lines of a table for each repetition, and the shares over time of the first one. Ends with an error if the
 * frameworks do not share the cluster, as on a machine on which a job of Spark takes too long.
 */
public final class SharesOverTime {
    static final int NODES = 3;
    static final int SLOTS_OF_A_NODE = 3;
    static final int SLOTS = NODES * SLOTS_OF_A_NODE;
    static final int MAP_REDUCE_COMES = 30; // seconds after Spark
    static final int MPI_COMES = 90; // seconds after Spark
    /** Of Spark beside the others, which need about five of them. A limit in minutes would depend on the machine. */
    private static final int MOST_JOBS = 15;

    /** So much for each slot that the slots, which are vcores, are what is short. */
    private static final int SLOT_MB = 2_048;

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final ProcessCluster cluster;
    private final FrameworkWork work;

    private SharesOverTime(ProcessCluster cluster, FrameworkWork work) {
        this.cluster = cluster;
        this.work = work;
    }

    /** @param args the directory of the source tree, and repetitions */
    public static void main(String[] args) throws Exception {
        try (ProcessCluster cluster = cluster()) {
            ProcessBridge.start(cluster);
            SharesOverTime program = new SharesOverTime(cluster, new FrameworkWork(cluster, Path.of(args[0])));
            int repetitions = Integer.parseInt(args[1]);
            for (int i = 0; i < repetitions; i++) {
                say("repetition " + (i + 1) + " of " + repetitions);
                Map<Framework, Double> alone = program.alone();
                requireShortJobs(alone.getOrDefault(Framework.SPARK, Double.NaN));
                Together together = program.together();
                program.awaitIdle();
                print(alone, together);
                Optional<String> problem = together.history().problem();
                if (i == 0 || problem.isPresent()) {
                    together.history().lines().forEach(SharesOverTime::say);
                }
                if (problem.isPresent()) {
                    throw new IOException(problem.get());
                }
            }
        }
        System.exit(0); // clients of Hadoop leave threads
    }

    private static ProcessCluster cluster() throws IOException {
        StringBuilder queues = new StringBuilder(
                "<allocations><defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy><queue name=\"root\">");
        for (Framework framework : Framework.values()) {
            queues.append("<queue name=\"").append(framework.queue()).append("\"/>");
        }
        return ProcessCluster.builder()
                .scheduler(FairScheduler.class.getName())
                .queuesFile(
                        "yarn.scheduler.fair.allocation.file",
                        queues.append("</queue></allocations>").toString())
                .oneManager()
                .nodes(NODES, SLOTS_OF_A_NODE * SLOT_MB, SLOTS_OF_A_NODE)
                .properties(HadoopDefaults.all())
                .start();
    }

    /** Seconds of each framework's work. */
    private Map<Framework, Double> alone() throws Exception {
        Map<Framework, Double> seconds = new EnumMap<>(Framework.class);
        for (Framework framework : Framework.values()) {
            double took = work.run(framework);
            say(framework.title() + " alone: " + Math.round(took) + " s");
            seconds.put(framework, took);
            awaitIdle();
        }
        return seconds;
    }

    /**
     * Spark's first job has the whole cluster, and gives it back when it ends: until then the others wait.
     *
     * @throws IOException if it ends after all others have come
     */
    static void requireShortJobs(double secondsOfSpark) throws IOException {
        if (secondsOfSpark >= MPI_COMES) {
            throw new IOException(String.format(
                    Locale.ROOT,
                    "Spark's job takes %.0f s alone. MapReduce comes %d s after its begin, and MPI %d s, so both would only wait"
                            + " for its end: measure on a machine that is not busy, or faster.",
                    secondsOfSpark,
                    MAP_REDUCE_COMES,
                    MPI_COMES));
        }
    }

    /**
     * What came of the frameworks on one cluster.
     *
     * @param seconds of each framework's work; of Spark's jobs the mean
     */
    private record Together(Map<Framework, Double> seconds, ShareHistory history) {}

    private Together together() throws Exception {
        ScheduledExecutorService arrivals = Executors.newScheduledThreadPool(2);
        try (ShareSampler sampler = new ShareSampler(cluster)) {
            Future<Double> mapReduce =
                    arrivals.schedule(() -> beside(Framework.MAP_REDUCE), MAP_REDUCE_COMES, TimeUnit.SECONDS);
            Future<Double> mpi = arrivals.schedule(() -> beside(Framework.MPI), MPI_COMES, TimeUnit.SECONDS);
            List<Double> jobs = new ArrayList<>();
            do {
                if (jobs.size() == MOST_JOBS) {
                    sampler.history().lines().forEach(SharesOverTime::say);
                    throw new IOException("After " + MOST_JOBS + " jobs of Spark, MapReduce " + state(mapReduce)
                            + " and MPI " + state(mpi) + ".\n" + cluster.tails());
                }
                jobs.add(beside(Framework.SPARK));
            } while (!mapReduce.isDone() || !mpi.isDone());
            Map<Framework, Double> seconds = new EnumMap<>(Framework.class);
            seconds.put(
                    Framework.SPARK,
                    jobs.stream().mapToDouble(Double::doubleValue).average().orElseThrow());
            seconds.put(Framework.MAP_REDUCE, mapReduce.get());
            seconds.put(Framework.MPI, mpi.get());
            return new Together(seconds, sampler.history());
        } finally {
            arrivals.shutdownNow();
        }
    }

    private static String state(Future<Double> work) {
        return work.isDone() ? "has ended" : "has not ended";
    }

    private double beside(Framework framework) throws Exception {
        say(framework.title() + " begins");
        double took = work.run(framework);
        say(framework.title() + " beside others: " + Math.round(took) + " s");
        return took;
    }

    private void awaitIdle() {
        Await.until("all containers to end", PATIENCE, () -> cluster.metric("allocatedMB") == 0, cluster::tails);
    }

    private static void print(Map<Framework, Double> alone, Together together) {
        for (Framework framework : Framework.values()) {
            double before = alone.getOrDefault(framework, Double.NaN);
            double beside = together.seconds().getOrDefault(framework, Double.NaN);
            Map<String, Double> figures = new LinkedHashMap<>();
            figures.put(SharingExperiment.ALONE, before);
            figures.put(SharingExperiment.BESIDE, beside);
            figures.put(SharingExperiment.TIMES, beside / before);
            figures.put(SharingExperiment.ARRIVAL, together.history().slowestArrival(framework));
            print(framework.title(), figures);
        }
        for (ShareHistory.Phase phase : together.history().phases()) {
            if (phase.seconds() >= ShareHistory.LEAST_SECONDS) {
                print(phase);
            }
        }
    }

    private static void print(ShareHistory.Phase phase) {
        Map<Framework, Double> fair = Framework.fairShares(phase.present());
        phase.shares()
                .forEach((framework, share) -> print(
                        phase.title() + ": " + framework.title(),
                        figures(phase, share, fair.getOrDefault(framework, Double.NaN))));
        double all = fair.values().stream().mapToDouble(Double::doubleValue).sum();
        print(phase.title() + ": " + ShareHistory.IN_USE, figures(phase, phase.inUse(), all));
    }

    private static Map<String, Double> figures(ShareHistory.Phase phase, double share, double fair) {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(SharingExperiment.SHARE, 100 * share);
        figures.put(SharingExperiment.FAIR_SHARE, 100 * fair);
        figures.put(SharingExperiment.SECONDS, phase.seconds());
        return figures;
    }

    private static void print(String row, Map<String, Double> figures) {
        say(PrintedTable.of("what", row, figures));
    }

    private static void say(String line) {
        System.out.println(line);
    }
}
