// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.mapred.TIPStatus;
import org.apache.hadoop.mapreduce.CounterGroup;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.SignalContainerCommand;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.heddle.late.replay.ReplayCommand;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.jobs.SleepyMaps;
import org.heddle.testkit.logs.ContainerLogs.LogFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Real ApplicationMaster, real JVM tasks, one slow node; the speculator arrives as {@code -libjars}. */
class LateSpeculatorIT {
    private static final String COUNTERS = "org.heddle.late.mr.LateCounter";
    private static final String SPECULATOR = "org.heddle.late.mr.LateSpeculator";
    private static final String LAUNCH = "\"action\":\"LAUNCH\"";
    private static final String SLOW = "node2";
    /**
     * Long beside the start of eleven JVMs at once: by its end the slow node's attempts have told how slow they are.
     */
    private static final long MAP_MILLIS = 12_000;

    private static final int SLOWDOWN = 8;

    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .nodes(5, Map.of("memory-mb", 1536L, "vcores", 3L))
            .users("alice")
            .property("yarn.scheduler.capacity.maximum-am-resource-percent", "0.5")
            .containerClassPath(classPathWithoutSpeculator())
            .mapReduce()
            .build();

    /** What a cluster without the speculator has, and the job's own classes. */
    private static String classPathWithoutSpeculator() {
        return Arrays.stream(System.getProperty("java.class.path").split(":", -1))
                .filter(entry -> !entry.contains("late-speculator/target/classes"))
                .filter(entry -> !entry.matches(".*/heddle-late-speculator-[^/]*(?<!-tests)\\.jar"))
                .collect(Collectors.joining(":"));
    }

    private static Path jar() throws IOException {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of("target"), "heddle-late-speculator-*.jar")) {
            for (Path jar : jars) {
                if (!jar.toString().matches(".*-(tests|sources|javadoc)\\.jar")) {
                    return jar.toAbsolutePath();
                }
            }
        }
        throw new IOException("target holds no speculator jar: run this test by ./mvnw verify");
    }

    /** In the job's own class loader. */
    @Test
    @Tag("long-3")
    void backupsOvertakeTheTasksOfASlowNode() throws Exception {
        Job job = cluster.as("alice", () -> {
            Configuration conf = cluster.configuration();
            speculate(conf);
            conf.setBoolean("mapreduce.job.classloader", true);
            Job sleeps = SleepyMaps.job(conf, "overtaken", 11, MAP_MILLIS, SLOW, SLOWDOWN);
            sleeps.submit();
            return sleeps;
        });
        String application = job.getJobID().toString().replace("job", "application");
        assertThat(job.waitForCompletion(false))
                .withFailMessage(() -> cluster.logs().describe(application))
                .isTrue();

        // Counters, as the history server tells them.
        CounterGroup counters = job.getCounters().getGroup(COUNTERS);
        assertThat(counters.findCounter("LAUNCHED").getValue()).isPositive();
        assertThat(counters.findCounter("WON").getValue()).isPositive();
        assertThat(counters.findCounter("WASTED_MS").getValue()).isPositive();

        assertThat(cluster.logs().text(application, "syslog")).doesNotContain("The LATE speculator ");

        // Decisions, in the ApplicationMaster's log directory.
        String decisions = cluster.logs().text(application, "late.jsonl");
        assertThat(decisions).contains("\"format\":\"heddle-late-decisions\"");
        assertThat(decisions).contains("\"node\":\"" + SLOW).contains(LAUNCH);

        Path history = Path.of("target", "late.jhist");
        Files.write(history, history(job.getJobID().toString()));
        Path picture = Path.of("target", "late.png");
        String told =
                ReplayCommand.run("replay", history.toString(), "--profile", "paper", "--picture", picture.toString());
        assertThat(told).contains("as recorded").contains("with paper").doesNotContain("NaN");
        assertThat(Files.size(picture)).isGreaterThan(1_000);
    }

    /** Reduces hold all slots but those of the slow node, and wait for its maps. */
    @Test
    @Tag("long-3")
    @Tag("newer-line")
    void aWaitingReduceGivesItsSlotToABackup() throws Exception {
        Job job = cluster.as("alice", () -> {
            Configuration conf = cluster.configuration();
            speculate(conf);
            conf.set("yarn.app.mapreduce.am.job.speculator.class", PatientSpeculator.class.getName());
            // So slow that the gain is worth a reduce's slot, also where a busy machine stretches all other maps.
            Job sleeps = SleepyMaps.job(conf, "room", 11, MAP_MILLIS, SLOW, 20);
            sleeps.setNumReduceTasks(20);
            sleeps.submit();
            return sleeps;
        });
        String application = job.getJobID().toString().replace("job", "application");
        assertThat(job.waitForCompletion(false))
                .withFailMessage(() -> cluster.logs().describe(application))
                .isTrue();
        CounterGroup counters = job.getCounters().getGroup(COUNTERS);
        long rooms = counters.findCounter("ROOM_MADE").getValue();
        assertThat(rooms).as("reduces that made room").isPositive();
        assertThat(counters.findCounter("WON").getValue())
                .as("backups that won")
                .isPositive();
        assertThat(job.getCounters().findCounter(JobCounter.NUM_KILLED_REDUCES).getValue())
                .isGreaterThanOrEqualTo(rooms);
        assertThat(cluster.logs().text(application, "late.jsonl")).contains("\"reason\":\"MAKES_ROOM\"");
    }

    /** Sent with the job or installed on the nodes, loaded by the ApplicationMaster's class loader or the job's own. */
    @Test
    void theClassLoadsFromEachPlaceAndByEachClassLoader() throws Exception {
        Job sent = load(true, true);
        Job installed = load(false, false);
        hasLoaded(sent, true);
        hasLoaded(installed, false);
    }

    @Test
    @Tag("long-3")
    void theClassLoadsFromEachPlaceByTheOtherClassLoader() throws Exception {
        Job sent = load(true, false);
        Job installed = load(false, true);
        hasLoaded(sent, false);
        hasLoaded(installed, true);
    }

    private static Job load(boolean sent, boolean own) throws Exception {
        return cluster.as("alice", () -> {
            Configuration conf = cluster.configuration();
            conf.setBoolean("mapreduce.job.classloader", own);
            conf.set("yarn.app.mapreduce.am.job.speculator.class", SPECULATOR);
            if (sent) {
                conf.set("tmpjars", jar().toUri().toString());
            } else {
                // What mapred-site.xml says of every node, with the jar among it.
                conf.set("mapreduce.application.classpath", conf.get("mapreduce.application.classpath") + "," + jar());
            }
            Job job = SleepyMaps.job(conf, "loaded", 1, 400, "nowhere", 1);
            job.submit();
            return job;
        });
    }

    private static void hasLoaded(Job job, boolean own) throws Exception {
        String application = job.getJobID().toString().replace("job", "application");
        assertThat(job.waitForCompletion(false))
                .withFailMessage(() -> cluster.logs().describe(application))
                .isTrue();
        assertThat(cluster.logs().text(application, "late.jsonl")).contains("heddle-late-decisions");
        assertThat(cluster.logs().text(application, "syslog").contains("Creating job classloader"))
                .as("a class loader of the job's own")
                .isEqualTo(own);
    }

    private static void speculate(Configuration conf) throws IOException {
        conf.set("tmpjars", jar().toUri().toString()); // what -libjars sets
        conf.set("yarn.app.mapreduce.am.job.speculator.class", SPECULATOR);
        conf.setLong("mapreduce.task.progress-report.interval", 1_000);
    }

    private static long finishedMaps(Job job) throws Exception {
        return Arrays.stream(job.getTaskReports(TaskType.MAP))
                .filter(map -> map.getCurrentStatus() == TIPStatus.COMPLETE)
                .count();
    }

    /** With the speculator on the job's class path. */
    @Test
    @Tag("long-3")
    @Tag("newer-line")
    void speculationContinuesAfterTheApplicationMasterIsKilled() throws Exception {
        Job job = cluster.as("alice", () -> {
            Configuration conf = cluster.configuration();
            speculate(conf);
            Job sleeps = SleepyMaps.job(conf, "restarted", 11, MAP_MILLIS, SLOW, SLOWDOWN);
            // Without an output directory a restarted ApplicationMaster begins all over again.
            sleeps.setOutputFormatClass(TextOutputFormat.class);
            FileOutputFormat.setOutputPath(sleeps, new org.apache.hadoop.fs.Path("/user/alice/restarted"));
            sleeps.submit();
            return sleeps;
        });
        ApplicationId id = TypeConverter.toYarn(job.getJobID()).getAppId();
        Await.until("some maps to finish", Duration.ofSeconds(60), () -> finishedMaps(job) >= 3);
        kill(id);
        assertThat(job.waitForCompletion(false))
                .withFailMessage(() -> cluster.logs().describe(id.toString()))
                .isTrue();

        // The second master took finished maps over, and copied what the slow node had.
        assertThat(app(id).getAppAttempts()).hasSize(2);
        String syslog = cluster.logs().text(id.toString(), "syslog");
        assertThat(syslog).contains("Recovering task").doesNotContain("The LATE speculator ");
        // Counters are the second master's own. What the first one had launched may have won before it was killed.
        boolean launchedAgain = cluster.logs().files(id.toString()).stream()
                .filter(file -> file.container().contains("_02_") && file.name().equals("late.jsonl"))
                .anyMatch(LateSpeculatorIT::tellsOfALaunch);
        assertThat(cluster.logs().text(id.toString(), "late.jsonl")).contains(LAUNCH);
        CounterGroup counters = job.getCounters().getGroup(COUNTERS);
        assertThat(counters.findCounter("WON").getValue() > 0)
                .as("a backup of the second master has won, if it launched one")
                .isEqualTo(launchedAgain);
    }

    private static boolean tellsOfALaunch(LogFile file) {
        try {
            return file.text().contains(LAUNCH);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RMApp app(ApplicationId id) {
        return Objects.requireNonNull(
                cluster.resourceManager().getRMContext().getRMApps().get(id));
    }

    private static void kill(ApplicationId id) throws Exception {
        RMApp app = app(id);
        ContainerId master = app.getCurrentAppAttempt().getMasterContainer().getId();
        try (YarnClient client = YarnClient.createYarnClient()) {
            client.init(cluster.configuration());
            client.start();
            client.signalToContainer(master, SignalContainerCommand.FORCEFUL_SHUTDOWN);
        }
        Await.until(
                "a second ApplicationMaster",
                Duration.ofSeconds(60),
                () -> app.getAppAttempts().size() == 2);
    }

    /** The finished job's history file, once the history server has it. */
    private static byte[] history(String job) throws Exception {
        FileSystem fs = cluster.fileSystem();
        byte[][] found = new byte[1][];
        Await.until("the history of " + job, Duration.ofSeconds(30), () -> {
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
