// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.packing;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.JobCommand;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;
import org.heddle.testkit.jobs.DutyCycle;
import org.heddle.testkit.jobs.ThrottledCopy;

/**
 * Jobs for two machines with two disks each, whose plans are executed. They are paced, so that they behave on two cores
 * as they would on machines of their own: copies by the rate of a slow disk, hashing by rests. The start of a JVM
 * cannot be paced, so tasks are several times as long.
 */
final class PacedJobs {
    static final int MACHINES = 2;
    static final int DISKS = 2;

    /** As in the paper: one extra beside the hosts on both disks. */
    private static final int RATIO = 2;

    private static final int MEGABYTES_PER_SECOND = 4;
    private static final int KILOBYTES_OF_A_BEAT = 1_000;

    /** The paper's; profiling measures it for each pair of jobs. */
    private static final Alpha ALPHA = new Alpha(1.3);

    /** Profiling replaces it. */
    private static final PowerModel UNKNOWN = new PowerModel(60, -0.5);

    private PacedJobs() {}

    /**
     * Two I/O intensive jobs and two CPU intensive ones, models unknown.
     *
     * @param jar of {@code hadoop jar}; the classes of the jobs are on the class path
     */
    static Problem all(Path jar) {
        return problem(
                copy("copy-large", jar, 8, 50),
                copy("copy-small", jar, 4, 75),
                hash("hash-large", jar, 4, 40),
                hash("hash-small", jar, 2, 50));
    }

    /** A short job, for a cluster that has not run any. */
    static Problem warmUp(Path jar) {
        return problem(hash("warm-up", jar, 4, 1));
    }

    private static Problem problem(Job... jobs) {
        return new Problem("paced", MACHINES, DISKS, RATIO, ALPHA, List.of(jobs));
    }

    /** @param megabytes that each map writes, and then reads */
    private static Job copy(String name, Path jar, int maps, int megabytes) {
        List<String> arguments = ThrottledCopy.arguments(maps, megabytes, MEGABYTES_PER_SECOND, "/copies/" + name);
        return job(name, jar, ThrottledCopy.class, false, arguments);
    }

    /** @param seconds of each map */
    private static Job hash(String name, Path jar, int maps, int seconds) {
        List<String> arguments = DutyCycle.arguments(maps, seconds, KILOBYTES_OF_A_BEAT, "/hashes/" + name);
        return job(name, jar, DutyCycle.class, true, arguments);
    }

    private static Job job(String name, Path jar, Class<?> main, boolean cpu, List<String> arguments) {
        JobCommand command =
                new JobCommand(jar.toString(), main.getName(), arguments, Map.of("mapreduce.job.name", name));
        return new Job(name, UNKNOWN, cpu, !cpu, command);
    }
}
