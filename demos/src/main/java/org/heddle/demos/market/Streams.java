// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.market;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.jobs.DutyCycle;

/** The users' streams of MapReduce jobs: one ends, the next is submitted. What each job wrote is checked. */
final class Streams {
    private static final long POLL_NANOS = 250_000_000;
    private static final long PATIENCE_SECONDS = 60;

    private final HeddleCluster cluster;
    private final java.nio.file.Path home;
    private final DoubleSupplier seconds;
    private final Set<String> truth;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @GuardedBy("this")
    private final List<JobTime> finished = new ArrayList<>();

    @GuardedBy("this")
    private final Set<Job> running = new HashSet<>();

    @GuardedBy("this")
    private final List<String> problems = new ArrayList<>();

    private volatile boolean ending;

    /** @param seconds since the streams began */
    Streams(HeddleCluster cluster, java.nio.file.Path home, DoubleSupplier seconds) {
        this.cluster = cluster;
        this.home = home;
        this.seconds = seconds;
        Set<String> lines = new TreeSet<>();
        IntStream.range(0, MarketScenario.MAPS)
                .forEach(map ->
                        lines.add(DutyCycle.expected(map, MarketScenario.MAP_SECONDS, MarketScenario.MAP_KILOBYTES)));
        this.truth = Set.copyOf(lines);
    }

    void begin() {
        for (String user : MarketScenario.USERS) {
            for (int lane = 0; lane < MarketScenario.LANES; lane++) {
                int number = lane;
                threads.execute(() -> lane(user, number));
            }
        }
    }

    synchronized List<JobTime> finished() {
        return List.copyOf(finished);
    }

    synchronized List<String> problems() {
        return List.copyOf(problems);
    }

    private void lane(String user, int lane) {
        for (int run = 0; !ending; run++) {
            try {
                runOne(user, new Path("/user/" + user + "/lane" + lane + "-run" + run));
            } catch (Exception e) {
                if (!ending) {
                    problem(user + ": " + e.getMessage());
                }
                return;
            }
        }
    }

    private synchronized void problem(String sentence) {
        problems.add(sentence);
    }

    private void runOne(String user, Path output) throws Exception {
        double begin = seconds.getAsDouble();
        Job job = cluster.as(user, () -> {
            Configuration conf = cluster.configuration();
            conf.set("mapreduce.job.queuename", user);
            conf.set("mapreduce.job.name", "hashes of " + user);
            Job made = DutyCycle.job(
                    conf, MarketScenario.MAPS, MarketScenario.MAP_SECONDS, MarketScenario.MAP_KILOBYTES, output);
            made.submit();
            return made;
        });
        note(job, true);
        try {
            while (!cluster.as(user, job::isComplete)) {
                LockSupport.parkNanos(POLL_NANOS);
                if (Thread.interrupted()) {
                    throw new InterruptedException("stopped while a job of " + user + " runs");
                }
            }
        } finally {
            note(job, false);
        }
        if (ending) {
            return;
        }
        if (!cluster.as(user, job::isSuccessful)) {
            String id = job.getJobID().toString().replace("job_", "application_");
            java.nio.file.Path logs = home.resolve(id + ".log");
            Files.writeString(logs, cluster.logs().describe(id));
            throw new IOException("job " + id + " failed; what its containers wrote is in " + logs);
        }
        check(user, output);
        synchronized (this) {
            finished.add(new JobTime(user, begin, seconds.getAsDouble()));
        }
    }

    private synchronized void note(Job job, boolean runs) {
        if (runs) {
            running.add(job);
        } else {
            running.remove(job);
        }
    }

    private void check(String user, Path output) throws IOException {
        FileSystem fs = cluster.fileSystem();
        Set<String> written = new HashSet<>();
        for (FileStatus file : fs.listStatus(output)) {
            if (file.getPath().getName().startsWith("part-")) {
                try (BufferedReader lines =
                        new BufferedReader(new InputStreamReader(fs.open(file.getPath()), StandardCharsets.UTF_8))) {
                    lines.lines().forEach(written::add);
                }
            }
        }
        if (!written.equals(truth)) {
            problem(user + ": " + output + " is not what its maps should have written");
        }
    }

    /** No new jobs; those that run are killed. */
    void end() throws InterruptedException {
        ending = true;
        List<Job> left;
        synchronized (this) {
            left = List.copyOf(running);
        }
        for (Job job : left) {
            threads.execute(() -> {
                try {
                    cluster.as(job.getUser(), () -> {
                        job.killJob();
                        return null;
                    });
                } catch (Exception e) {
                    problem("job " + job.getJobID() + " could not be stopped: " + e.getMessage());
                }
            });
        }
        threads.shutdown();
        if (!threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            threads.shutdownNow();
        }
    }

    /** The cluster is stopping: failures from now on are expected. */
    void abandon() {
        ending = true;
        threads.shutdownNow();
    }
}
