// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.jobs;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.heddle.benchmarks.program.PrintedTable;
import org.heddle.benchmarks.result.ProcessorTime;
import org.heddle.benchmarks.rm.Contestant;
import org.heddle.testkit.Await;
import org.heddle.testkit.HadoopDefaults;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.jobs.SleepyMaps;

/**
 * Runs jobs under one scheduler in a cluster and prints a line of a table for each: {@code JobWallTimes TREE
 * SCRATCH SCHEDULER MAPS MAP-MILLISECONDS STAGES}. The ResourceManager and the NodeManagers are Hadoop's, in this
 * process; containers are processes. The cluster has room for some of the maps at first, and later for all at once.
 */
public final class JobWallTimes {
    static final int NODES = 4;
    static final int FEW_CORES = 1; // of each node at first, so that the processors are not what bounds the maps
    static final int TASKS_OF_A_STAGE = 4;
    static final int STAGE_MILLIS = 500;

    private static final ProcessorTime PROCESSORS = ProcessorTime.ofThisMachine();
    private static final long MEMORY_MB = 32_768; // never short, so that a container is a core
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final Path tree;
    private final Path scratch;
    private final Contestant contestant;
    private final PrintStream out;

    private JobWallTimes(Path tree, Path scratch, Contestant contestant, PrintStream out) {
        this.tree = tree;
        this.scratch = scratch;
        this.contestant = contestant;
        this.out = out;
    }

    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // whatever Hadoop has to say
        JobWallTimes times = new JobWallTimes(Path.of(args[0]), Path.of(args[1]), Contestant.named(args[2]), out);
        int maps = Integer.parseInt(args[3]);
        int millis = Integer.parseInt(args[4]);
        times.measure(maps, millis, Integer.parseInt(args[5]));
        System.exit(0); // threads of the cluster may live on
    }

    private void measure(int maps, int millis, int stages) throws Exception {
        int few = NODES * FEW_CORES - 1; // one core is the master's
        int more = (maps - few + NODES - 1) / NODES; // cores of each node that comes
        try (HeddleCluster cluster = start();
                YarnClient yarn = client(cluster)) {
            mapReduce(cluster, yarn, few, 0, few); // warms up the ResourceManager
            print(maps + " maps, " + few + " at once", mapReduce(cluster, yarn, maps, millis, few));
            for (int i = 0; i < NODES; i++) {
                cluster.addNode(node(more));
            }
            print(maps + " maps at once", mapReduce(cluster, yarn, maps, millis, few + NODES * more));
            print(stages + " stages of Spark", spark(cluster, yarn, stages));
        }
    }

    private static Map<String, Long> node(long cores) {
        return Map.of("memory-mb", MEMORY_MB, "vcores", cores);
    }

    private HeddleCluster start() throws Exception {
        Path directory = Files.createTempDirectory(scratch, contestant + "-");
        HeddleCluster cluster = HeddleCluster.builder()
                .addressesAsNames()
                .nodes(NODES, node(FEW_CORES))
                .mapReduce()
                .withoutHistoryServer()
                .properties(HadoopDefaults.all())
                .properties(contestant.properties(directory))
                .directory(directory)
                .build();
        cluster.start();
        return cluster;
    }

    private static YarnClient client(HeddleCluster cluster) {
        YarnClient yarn = YarnClient.createYarnClient();
        yarn.init(cluster.configuration());
        yarn.start();
        return yarn;
    }

    private static Map<String, Double> mapReduce(HeddleCluster cluster, YarnClient yarn, int maps, int millis, int room)
            throws Exception {
        Configuration conf = cluster.configuration();
        conf.set("mapreduce.job.queuename", Contestant.USERS_QUEUE);
        conf.setBoolean("mapreduce.map.speculative", false);
        Job job = SleepyMaps.job(conf, maps + " maps", maps, millis, "none", 1);
        double before = PROCESSORS.ownSeconds();
        long submits = System.currentTimeMillis();
        job.submit();
        ApplicationReport ended = awaitEnd(yarn);
        double used = PROCESSORS.ownSeconds() - before;
        List<String> log = new ArrayList<>();
        cluster.logs()
                .text(ended.getApplicationId().toString(), "syslog")
                .lines()
                .forEach(log::add);
        List<MasterLog.Attempt> attempts = MasterLog.attempts(log, ZoneId.systemDefault());
        if (attempts.size() != maps) {
            throw new IOException("the master's log has " + attempts.size() + " of " + maps + " maps that ended well");
        }
        return withProcessorTime(MapReduceTimes.figures(Submission.of(submits, ended), attempts, room), used);
    }

    private Map<String, Double> spark(HeddleCluster cluster, YarnClient yarn, int stages) throws Exception {
        Path client = Files.createDirectories(cluster.directory().resolve("client"));
        cluster.writeClientConfiguration(client);
        Path home = Files.createDirectories(cluster.directory().resolve("spark"));
        SparkOnYarn spark = new SparkOnYarn(home, tree, client);
        double before = PROCESSORS.ownSeconds();
        long submits = System.currentTimeMillis();
        spark.run("stages", Contestant.USERS_QUEUE, stages, TASKS_OF_A_STAGE, STAGE_MILLIS, TASKS_OF_A_STAGE);
        ApplicationReport ended = awaitEnd(yarn);
        double used = PROCESSORS.ownSeconds() - before;
        SparkEvents events = spark.eventsOf(ended.getApplicationId().toString());
        if (events.stages() != stages) {
            throw new IOException("the event log has " + events.stages() + " of " + stages + " stages");
        }
        return withProcessorTime(events.figures(Submission.of(submits, ended)), used);
    }

    /** With the processor time of the cluster, the client and all containers together. */
    private static Map<String, Double> withProcessorTime(Map<String, Double> figures, double seconds) {
        figures.put("processor time, s", seconds);
        return figures;
    }

    /** The end of the application that was submitted last. */
    private static ApplicationReport awaitEnd(YarnClient yarn) {
        AtomicReference<String> seen = new AtomicReference<>("there is no application");
        ApplicationReport ended = Await.value(
                "the end of the application",
                PATIENCE,
                () -> yarn.getApplications().stream()
                        .max(Comparator.comparing(ApplicationReport::getApplicationId))
                        .filter(report -> hasEnded(report, seen))
                        .orElse(null),
                seen::get);
        if (ended.getFinalApplicationStatus() != FinalApplicationStatus.SUCCEEDED) {
            throw new IllegalStateException(ended.getApplicationId() + " failed: " + ended.getDiagnostics());
        }
        return ended;
    }

    private static boolean hasEnded(ApplicationReport report, AtomicReference<String> seen) {
        seen.set(String.format(
                Locale.ROOT,
                "%s is %s, %.0f %% are done: %s",
                report.getApplicationId(),
                report.getYarnApplicationState(),
                100 * report.getProgress(),
                report.getDiagnostics()));
        return report.getFinishTime() > 0;
    }

    private void print(String job, Map<String, Double> figures) {
        out.println(PrintedTable.of("job", job + ", " + contestant, figures));
    }
}
