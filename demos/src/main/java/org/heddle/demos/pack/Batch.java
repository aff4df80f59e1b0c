// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.pack;

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
 * The jobs of the demo on two machines with two disks each. They are paced, so that they behave on two cores
 * as they would on machines of their own: copies by the rate of a slow disk, hashing by rests.
 */
final class Batch {
    static final int MACHINES = 2;
    static final int DISKS = 2;
    private static final int RATIO = 2;
    /** Slow-down of the hosts of an extra here: paced tasks hardly compete, but starting JVMs do. */
    private static final double ALPHA = 1.1;
    /** Replaced by profile. */
    private static final PowerModel UNKNOWN = new PowerModel(60, -0.5);

    private Batch() {}

    /**
     * All jobs, models unknown.
     *
     * @param size how much there is to copy and to hash; 1 is a few seconds for each map
     */
    static Problem all(String jar, double size) {
        List<Job> jobs = List.of(
                copy("copy-large", jar, 8, 8 * size),
                copy("copy-small", jar, 4, 12 * size),
                hash("hash-large", jar, 4, 6 * size),
                hash("hash-small", jar, 2, 8 * size));
        return new Problem("demo", MACHINES, DISKS, RATIO, new Alpha(ALPHA), jobs);
    }

    private static Job copy(String name, String jar, int maps, double megabytes) {
        return job(
                name,
                jar,
                ThrottledCopy.class,
                false,
                ThrottledCopy.arguments(maps, (int) Math.max(1, Math.round(megabytes)), 4, "/demo/copies/" + name));
    }

    private static Job hash(String name, String jar, int maps, double seconds) {
        return job(name, jar, DutyCycle.class, true, DutyCycle.arguments(maps, seconds, 1000, "/demo/hashes/" + name));
    }

    private static Job job(String name, String jar, Class<?> main, boolean cpu, List<String> args) {
        JobCommand command = new JobCommand(jar, main.getName(), args, Map.of("mapreduce.job.name", name));
        return new Job(name, UNKNOWN, cpu, !cpu, command);
    }
}
