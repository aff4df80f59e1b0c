// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.late;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.mapred.TIPStatus;
import org.apache.hadoop.mapreduce.CounterGroup;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskReport;
import org.apache.hadoop.mapreduce.TaskType;
import org.heddle.demos.Stage;
import org.heddle.late.replay.Main;
import org.heddle.testkit.Await;
import org.heddle.testkit.ClusterBuilder;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.jobs.SleepyMaps;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./demo late}: cluster up, one job without speculation, the same with LATE, timelines side by side. */
@Command(
        name = "late",
        mixinStandardHelpOptions = true,
        description = {
            "A cluster of five nodes, one of which is slow: what runs there takes many times as long. One MapReduce job",
            "runs without speculation, then the same job with the LATE speculator. The maps sleep, so that two cores are",
            "enough. Takes about three minutes on an idle machine. Exit code 0: both jobs succeeded and the second was",
            "faster."
        })
public final class LateDemo implements Callable<Integer> {
    /** Told by the launcher: whether there is a terminal. */
    private static final String TERMINAL = "heddle.demo.terminal";

    private static final String USER = "alice";
    private static final int NODES = 5;
    private static final String SLOW = "node3";
    private static final String SPECULATOR = "org.heddle.late.mr.LateSpeculator";
    private static final String COUNTERS = "org.heddle.late.mr.LateCounter";
    private static final int BAR = 30;

    @Option(names = "--maps", defaultValue = "24", description = "maps of the job (default: ${DEFAULT-VALUE})")
    private int maps;

    @Option(
            names = "--seconds",
            defaultValue = "8",
            description = "seconds of a map on a node of usual speed (default: ${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--slowdown",
            defaultValue = "10",
            description = "how many times slower the slow node is (default: ${DEFAULT-VALUE})")
    private int slowdown;

    @Option(
            names = "--out",
            description = "directory for histories, pictures and logs (default: a new one in demos/target)")
    private @Nullable Path out;

    private final PrintStream console = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private record Run(String name, String id, double seconds, long backups, long won, Path history) {}

    @Override
    public Integer call() throws Exception {
        if (maps < 4 || maps > 1_000 || seconds < 1 || seconds > 600 || slowdown < 2 || slowdown > 100) {
            console.println("demo: --maps " + maps + " --seconds " + seconds + " --slowdown " + slowdown
                    + ": give 4 to 1000 maps of 1 to 600 seconds, and a slowdown of 2 to 100");
            return 2;
        }
        Stage stage = Stage.set("late", out, console);
        ClusterBuilder plan = HeddleCluster.builder()
                .nodes(NODES, Map.of("memory-mb", 2048L, "vcores", 4L))
                .users(USER)
                .property("yarn.scheduler.capacity.maximum-am-resource-percent", "0.5")
                .mapReduce();
        return stage.play(plan, () -> {}, cluster -> {
            console.printf(
                    "%d maps of %d s on %d nodes; on %s everything takes %d times as long.%n%n",
                    maps, seconds, NODES, SLOW, slowdown);
            return compare(cluster, stage.home());
        });
    }

    private int compare(HeddleCluster cluster, Path home) throws Exception {
        List<Run> runs = new ArrayList<>();
        runs.add(run(cluster, home, "without", false));
        runs.add(run(cluster, home, "with-late", true));
        String application = runs.get(1).id().replace("job", "application");
        Path decisions = home.resolve("late.jsonl");
        Files.writeString(decisions, cluster.logs().text(application, "late.jsonl"));
        Path picture = home.resolve("timelines.png");
        List<String> draw = new ArrayList<>(List.of("timeline", "--picture", picture.toString()));
        runs.forEach(run -> draw.add(run.history().toString()));
        if (Main.run(draw.toArray(new String[0]), new PrintStream(PrintStream.nullOutputStream()), console) != 0) {
            return 1;
        }
        console.println();
        console.printf(Locale.ROOT, "%-12s %8s %8s %5s%n", "", "seconds", "backups", "won");
        for (Run run : runs) {
            console.printf(Locale.ROOT, "%-12s %8.0f %8d %5d%n", run.name(), run.seconds(), run.backups(), run.won());
        }
        double ratio = runs.get(0).seconds() / runs.get(1).seconds();
        console.printf(Locale.ROOT, "%nWith LATE the job took %.0f %% of the time.%n%n", 100 / ratio);
        console.println("Timelines side by side: " + picture);
        console.println("Every decision with its reason: " + decisions);
        console.println("Histories, for bin/heddle late replay: " + runs.get(0).history() + ", "
                + runs.get(1).history());
        return ratio > 1 ? 0 : 1;
    }

    private Run run(HeddleCluster cluster, Path home, String name, boolean speculate) throws Exception {
        Job job = cluster.as(USER, () -> {
            Configuration conf = cluster.configuration();
            conf.setBoolean("mapreduce.map.speculative", speculate);
            conf.setLong("mapreduce.task.progress-report.interval", 1_000);
            if (speculate) {
                conf.set("yarn.app.mapreduce.am.job.speculator.class", SPECULATOR);
            }
            Job made = SleepyMaps.job(conf, name, maps, TimeUnit.SECONDS.toMillis(seconds), SLOW, slowdown);
            made.submit();
            return made;
        });
        String id = job.getJobID().toString();
        follow(cluster, job, name);
        if (!job.isSuccessful()) {
            throw new IOException(
                    "the job " + name + " failed: " + cluster.logs().describe(id.replace("job", "application")));
        }
        double took = (job.getFinishTime() - job.getStartTime()) / 1000.0;
        CounterGroup counters = job.getCounters().getGroup(COUNTERS);
        long backups = counters.findCounter("LAUNCHED").getValue();
        long won = counters.findCounter("WON").getValue();
        Path history = home.resolve(name + ".jhist");
        Files.write(history, history(cluster, id));
        return new Run(name, id, took, backups, won, history);
    }

    /** Shows the job's progress until it is complete. */
    private void follow(HeddleCluster cluster, Job job, String name) throws Exception {
        boolean terminal = Boolean.getBoolean(TERMINAL);
        long begin = System.nanoTime();
        String last = "";
        while (!job.isComplete()) {
            TaskReport[] reports = cluster.as(USER, () -> job.getTaskReports(TaskType.MAP));
            int done = 0;
            int backups = 0;
            float progress = 0;
            for (TaskReport report : reports) {
                progress += report.getProgress();
                done += report.getCurrentStatus() == TIPStatus.COMPLETE ? 1 : 0;
                backups += Math.max(0, report.getRunningTaskAttemptIds().size() - 1);
            }
            int filled = reports.length == 0 ? 0 : Math.round(BAR * progress / reports.length);
            String line = String.format(
                    Locale.ROOT,
                    "%-10s [%s%s] %2d of %d maps done, %d backups running",
                    name,
                    "#".repeat(filled),
                    ".".repeat(BAR - filled),
                    done,
                    maps,
                    backups);
            String timed = String.format(Locale.ROOT, "%4d s  %s", elapsed(begin), line);
            if (terminal) {
                console.print("\r\033[2K" + timed);
            } else if (!line.equals(last)) {
                console.println(timed);
            }
            console.flush();
            last = line;
            TimeUnit.SECONDS.sleep(1);
        }
        if (terminal) {
            console.print("\r\033[2K");
        }
        console.printf("%4d s  %-10s done%n", elapsed(begin), name);
    }

    private static long elapsed(long begin) {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
    }

    /** The finished job's history file, once the history server has it. */
    private static byte[] history(HeddleCluster cluster, String job) throws Exception {
        FileSystem fs = cluster.fileSystem();
        byte[][] found = new byte[1][];
        Await.until("the history of " + job, Duration.ofSeconds(60), () -> {
            RemoteIterator<LocatedFileStatus> files =
                    fs.listFiles(new org.apache.hadoop.fs.Path("/mapreduce/history/done"), true);
            while (files.hasNext()) {
                LocatedFileStatus file = files.next();
                String name = file.getPath().getName();
                if (name.startsWith(job) && name.endsWith(".jhist")) {
                    try (var in = fs.open(file.getPath())) {
                        found[0] = in.readAllBytes();
                    }
                }
            }
            return found[0] != null;
        });
        return found[0];
    }
}
