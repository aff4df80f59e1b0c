// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.drf;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.heddle.demos.drf.ClusterRest.App;
import org.heddle.demos.drf.ClusterRest.Capacity;
import org.heddle.demos.drf.Scenario.Tenant;
import org.heddle.demos.jobs.SourceText;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.NodeSpec;

/** One run of the scenario on a started cluster. */
final class Race {
    private static final long ROWS_PER_MAP = 5_000;
    private static final double SETTLE_SECONDS = 10;
    private static final long SAMPLE_NANOS = 1_000_000_000;
    private static final long ASK_NANOS = 180_000_000_000L;
    private static final double TOLERANCE = 0.05;

    private final HeddleCluster cluster;
    private final Contender contender;
    private final Scenario scenario;
    private final long seed;
    private final int seconds;
    private final Path jars;
    private final Path home;
    private final PrintStream console;
    private final Map<String, Double> fair;
    private final Screen screen;
    private final ClusterRest rest;
    private final JobBoard board;
    private final ShareHistory history;

    Race(
            HeddleCluster cluster,
            Contender contender,
            Scenario scenario,
            long seed,
            int seconds,
            Path jars,
            Path home,
            PrintStream console) {
        this.cluster = cluster;
        this.contender = contender;
        this.scenario = scenario;
        this.seed = seed;
        this.seconds = seconds;
        this.jars = jars;
        this.home = home;
        this.console = console;
        this.fair = scenario.fairShares();
        this.screen = new Screen(console, Boolean.getBoolean("heddle.demo.terminal"), scenario, fair);
        this.rest = new ClusterRest(cluster.webAddress());
        this.board = new JobBoard(scenario.tenants().size());
        this.history = new ShareHistory(List.of(scenario.users()), SETTLE_SECONDS);
    }

    /** Returns whether all checks held. */
    boolean run() throws Exception {
        // 1. Input
        FileSystem fs = cluster.fileSystem();
        org.apache.hadoop.fs.Path text = new org.apache.hadoop.fs.Path("/demo/text");
        long bytes = SourceText.load(jars, fs, text);
        screen.say("Put " + bytes / 1_000_000 + " MB of Hadoop's own sources into HDFS.");
        ExecutorService lanes = Executors.newCachedThreadPool();
        try {
            // 2. Everybody asks, then the workers join
            Workload.Truth truth = new Workload.Truth();
            screen.say("Submitting jobs; waiting until all users ask for tasks ..");
            startLanes(0, lanes, text, bytes, truth);
            // A user's applications are served in the order of submission: those that must end go first.
            waitFor("jobs are submitted", scenario.tenants().size(), app -> true);
            startLanes(1, lanes, text, bytes, truth);
            waitFor("jobs ask for tasks", 2 * scenario.tenants().size(), App::asksForTasks);
            for (NodeSpec worker : scenario.workerNodes()) {
                cluster.addNode(worker);
            }
            Capacity capacity = rest.capacity();
            screen.say("Every user's jobs ask for tasks; " + scenario.workers()
                    + " workers have joined. The cluster declares " + capacity.memoryMb() / 1024 + " GB and "
                    + capacity.vcores() + " vcores.");
            // 3. The race
            long begin = System.nanoTime();
            watchUntilMeasured(begin, capacity);
            board.close();
            lanes.execute(this::stopFillers);
            watchUntilDone(begin, capacity);
            lanes.shutdown();
            lanes.awaitTermination(30, TimeUnit.SECONDS);
        } finally {
            lanes.shutdownNow();
        }
        if (board.isAbandoned()) {
            return false;
        }
        // 4. The result
        List<Check> checks = new ArrayList<>(board.checks());
        checks.addAll(shareChecks());
        SharePlot.write(home, title(), scenario, fair, history.samples());
        new Report(scenario, fair, history, board, checks, home).print(console);
        return checks.stream().allMatch(Check::holds);
    }

    private String title() {
        return "Dominant shares under " + contender.schedulerClass().replaceAll(".*\\.", "");
    }

    private void startLanes(
            int lane, ExecutorService lanes, org.apache.hadoop.fs.Path text, long bytes, Workload.Truth truth) {
        Workload[] workloads = Workload.values();
        for (int i = 0; i < scenario.tenants().size(); i++) {
            Tenant tenant = scenario.tenants().get(i);
            int maps = scenario.maps(tenant, fair.getOrDefault(tenant.user(), 0.0), lane);
            Workload.Size size = new Workload.Size(maps, bytes, maps * ROWS_PER_MAP);
            lanes.execute(new Lane(
                    cluster,
                    contender,
                    scenario,
                    tenant,
                    workloads[i],
                    text,
                    size,
                    seed + 1_000L * lane,
                    lane,
                    board,
                    truth,
                    home));
        }
    }

    private void waitFor(String what, int count, Predicate<App> condition) throws IOException, InterruptedException {
        long deadline =
                System.nanoTime() + Await.stretched(Duration.ofNanos(ASK_NANOS)).toNanos();
        long seen = 0;
        while (seen < count) {
            LockSupport.parkNanos(SAMPLE_NANOS);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            Map<String, App> apps = rest.apps();
            board.see(apps);
            seen = apps.values().stream().filter(condition).count();
            if (board.hasFailed() || System.nanoTime() > deadline) {
                throw new IOException("only %d of %d %s after %d s; see %s %s"
                        .formatted(
                                seen,
                                count,
                                what,
                                ASK_NANOS / 1_000_000_000L,
                                home.resolve("cluster.log"),
                                board.checks()));
            }
        }
    }

    private void watchUntilMeasured(long begin, Capacity capacity) throws Exception {
        double limit = 300 + 4.0 * seconds;
        double now = 0;
        while (history.measuredSeconds() < seconds && now < limit && !board.hasFailed()) {
            now = look(begin, capacity, "measuring: %.0f of %d s".formatted(history.measuredSeconds(), seconds));
        }
    }

    private void watchUntilDone(long begin, Capacity capacity) throws Exception {
        double limit = (System.nanoTime() - begin) / 1e9 + 600;
        double now = 0;
        while (board.requiredLeft() > 0 && now < limit) {
            now = look(begin, capacity, "measured; waiting for " + board.requiredLeft() + " users' first jobs to end");
        }
        if (board.requiredLeft() > 0) {
            board.add(new Check("every user's first job ends", false, board.requiredLeft() + " still run"));
        }
    }

    private double look(long begin, Capacity capacity, String phase) throws IOException, InterruptedException {
        LockSupport.parkNanos(SAMPLE_NANOS);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Map<String, App> apps = rest.apps();
        double now = (System.nanoTime() - begin) / 1e9;
        board.see(apps);
        history.add(now, apps.values(), capacity);
        screen.show(phase, history, board);
        return now;
    }

    /** Each kill waits for its application to end. */
    private void stopFillers() {
        try (YarnClient client = YarnClient.createYarnClient()) {
            client.init(cluster.configuration());
            client.start();
            for (String app : board.stoppable()) {
                client.killApplication(ApplicationId.fromString(app));
            }
        } catch (IOException | YarnException e) {
            board.add(new Check("jobs that only keep users backlogged can be stopped", false, e.toString()));
        }
    }

    /** The cluster is about to be closed from outside. */
    void abandon() {
        board.abandon();
    }

    private List<Check> shareChecks() {
        List<Check> checks = new ArrayList<>();
        if (!contender.isJudged()) {
            return checks;
        }
        checks.add(new Check(
                "all users backlogged while shares are measured",
                history.measuredSeconds() >= seconds,
                "%.0f of %d s".formatted(history.measuredSeconds(), seconds)));
        for (Tenant tenant : scenario.tenants()) {
            double mean = history.mean(tenant.user());
            double entitled = fair.getOrDefault(tenant.user(), 0.0);
            checks.add(new Check(
                    "share of " + tenant.user() + " within 5 points of fair",
                    Math.abs(mean - entitled) <= TOLERANCE,
                    "measured %.1f%%, fair %.1f%%".formatted(100 * mean, 100 * entitled)));
        }
        return checks;
    }
}
