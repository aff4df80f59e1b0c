// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.requests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.benchmarks.program.PrintedTable;
import org.heddle.benchmarks.requests.RequestingMaster.Answer;
import org.heddle.benchmarks.rm.Contestant;
import org.heddle.benchmarks.rm.RequestLatencyExperiment;
import org.heddle.testkit.HadoopDefaults;
import org.heddle.testkit.ProcessCluster;

/**
 * Starts a cluster of processes under a scheduler, requests one container after the other at random times, whether or
 * not earlier ones are still waited for, and prints how long they took, a line of a table: {@code RequestTimes
 * SCHEDULER SECONDS SEED}.
 */
public final class RequestTimes {
    static final int NODES = 8;
    static final int CORES = 8;
    static final int REQUESTS_A_SECOND = 4;

    /** Between two calls of the master while it waits, which is also the resolution. */
    static final Duration CALL = Duration.ofMillis(2);

    /**
     * Longer than the ten seconds in which a ResourceManager that has just started allocates nothing, and a hundred
     * requests, so that Java has compiled the code.
     */
    static final Duration WARM_UP = Duration.ofSeconds(30);

    private RequestTimes() {}

    public static void main(String[] args) throws Exception {
        Contestant contestant = Contestant.named(args[0]);
        Duration measured = Duration.ofSeconds(Long.parseLong(args[1]));
        SplittableRandom random = new SplittableRandom(Long.parseLong(args[2]));
        Path files = Files.createTempDirectory("scheduler");
        try (ProcessCluster cluster = ProcessCluster.builder()
                        .oneManager()
                        .nodes(NODES, CORES * 1024, CORES)
                        .properties(HadoopDefaults.all())
                        .properties(contestant.properties(files))
                        .start();
                RequestingMaster master =
                        RequestingMaster.start(cluster.configuration(), Contestant.USERS_QUEUE, random)) {
            run(master, WARM_UP, random);
            master.countFromNow();
            run(master, measured, random);
            System.out.println(PrintedTable.of("scheduler", contestant.toString(), figures(master.answers())));
        }
        System.exit(0); // clients of Hadoop leave threads
    }

    private static void run(RequestingMaster master, Duration time, SplittableRandom random)
            throws IOException, YarnException {
        long end = System.nanoTime() + time.toNanos();
        long next = System.nanoTime() + pause(random);
        for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
            boolean requests = now >= next;
            if (requests) {
                next += pause(random);
            }
            master.call(requests);
            LockSupport.parkNanos(Math.max(0, now + CALL.toNanos() - System.nanoTime()));
        }
    }

    /** Nanoseconds until the next request. */
    private static long pause(SplittableRandom random) {
        double mean = (double) TimeUnit.SECONDS.toNanos(1) / REQUESTS_A_SECOND;
        return (long) (-Math.log(1 - random.nextDouble()) * mean);
    }

    static Map<String, Double> figures(List<Answer> answers) {
        double[] millis = answers.stream()
                .mapToDouble(answer -> answer.waited().toNanos() / 1e6)
                .toArray();
        List<Answer> given = answers.stream().filter(Answer::isGiven).toList();
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(RequestLatencyExperiment.MEDIAN, Spread.percentile(millis, 0.5));
        figures.put(RequestLatencyExperiment.TAIL, Spread.percentile(millis, 0.99));
        figures.put(RequestLatencyExperiment.LONGEST, Spread.percentile(millis, 1));
        figures.put(RequestLatencyExperiment.SAME_ANSWER, percent(answers, Answer::isInSameAnswer));
        figures.put(RequestLatencyExperiment.LOCAL, percent(given, Answer::isLocal));
        return figures;
    }

    private static double percent(List<Answer> answers, Predicate<Answer> which) {
        return 100.0 * answers.stream().filter(which).count() / answers.size();
    }
}
