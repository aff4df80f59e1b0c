// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.whatif;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Writes a day as a trace for {@code heddle whatif}, and a fair-scheduler.xml with its queues: {@code DayTrace
 * DIRECTORY JOBS SEED}. Jobs come evenly over 24 hours, to twenty queues with five users each. Numbers of tasks and
 * their durations are lognormal: 40 maps (99 in the mean) of 180 s (297 s in the mean), a tenth as many reduces, 4 GB
 * each. 10,000 jobs take nine tenths of 1,000 nodes with 16 GB.
 */
public final class DayTrace {
    private static final int QUEUES = 20;
    private static final int USERS = 5;
    private static final int DAY_MILLIS = 86_400_000;
    /** Tasks of a job come in so many groups of one duration. */
    private static final int GROUPS = 8;

    private static final double MEDIAN_TASKS = 40;
    private static final double SIGMA_TASKS = 1.35;
    private static final double MEDIAN_MILLIS = 180_000;
    private static final double SIGMA_MILLIS = 1;

    private DayTrace() {}

    public static void main(String[] arguments) throws IOException {
        Path directory = Files.createDirectories(Path.of(arguments[0]));
        int jobs = Integer.parseInt(arguments[1]);
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[2]));
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(directory.resolve("day.json")))) {
            for (int i = 1; i <= jobs; i++) {
                job(i, random, out);
            }
        }
        StringBuilder xml =
                new StringBuilder("<allocations><defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>\n");
        for (int queue = 0; queue < QUEUES; queue++) {
            xml.append(String.format(
                    Locale.ROOT, "<queue name=\"q%d\"><weight>%d</weight></queue>%n", queue, 1 + queue % 3));
        }
        Files.writeString(directory.resolve("fair-scheduler.xml"), xml.append("</allocations>\n"));
    }

    private static void job(int number, SplittableRandom random, PrintWriter out) {
        int queue = random.nextInt(QUEUES);
        out.printf(
                Locale.ROOT,
                "{\"job.id\": \"job_%d\", \"job.start.ms\": %d, \"job.queue.name\": \"root.q%d\", \"job.user\": \"u%d\","
                        + " \"job.tasks\": [",
                number,
                random.nextInt(DAY_MILLIS),
                queue,
                queue * USERS + random.nextInt(USERS));
        long maps = Math.round(lognormal(MEDIAN_TASKS, SIGMA_TASKS, random));
        for (int group = 0; group < GROUPS; group++) {
            long count = maps / GROUPS + (group < maps % GROUPS ? 1 : 0);
            if (count > 0) {
                task("map", count, random, out);
                out.print(", ");
            }
        }
        task("reduce", 1 + maps / 10, random, out);
        out.println("]}");
    }

    private static void task(String type, long count, SplittableRandom random, PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "{\"container.type\": \"%s\", \"count\": %d, \"container.duration.ms\": %d, \"container.memory\": 4096}",
                type,
                count,
                Math.round(lognormal(MEDIAN_MILLIS, SIGMA_MILLIS, random)));
    }

    private static double lognormal(double median, double sigma, SplittableRandom random) {
        return median * Math.exp(sigma * random.nextGaussian());
    }
}
