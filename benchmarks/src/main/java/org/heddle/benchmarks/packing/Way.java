// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.packing;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.heddle.benchmarks.rm.Contestant;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.JobCommand;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;

/**
 * A way to run jobs: by a plan, or all at once. Jobs that run at once have the form of a plan with one phase, so that
 * they are started and timed as those of plans; the plan's checker would refuse it, because the scheduler decides which
 * tasks run.
 *
 * @param name in the table
 * @param scheduler of the cluster
 * @param problem the jobs
 * @param plan what is executed
 */
record Way(String name, Contestant scheduler, Problem problem, Plan plan) {
    /** A resource type that only {@link #disksAndCores} requests. A node has a core for each disk. */
    static final String HALF_CORES = "half-core";

    static final long HALF_CORES_OF_A_NODE = 2L * PacedJobs.DISKS;

    /** More tasks than a job has. */
    private static final int NO_LIMIT = 1_000;

    /** Every task of every job has a disk of its own, as the primary VMs of a plan have. */
    static Way taskPerDisk(Contestant scheduler, Problem problem) {
        return atOnce("at once, a task per disk, " + scheduler, scheduler, problem, false);
    }

    /**
     * A task of an I/O intensive job requests a disk and half a core, one of a CPU intensive job a core and no disk. So
     * a node runs what a machine of a plan may run: two tasks, or two I/O intensive ones and an extra.
     */
    static Way disksAndCores(Contestant scheduler, Problem problem) {
        Problem withCores =
                problem.withJobs(problem.jobs().stream().map(Way::withCores).toList());
        return atOnce("at once, disks and cores, " + scheduler, scheduler, withCores, true);
    }

    private static Way atOnce(String name, Contestant scheduler, Problem problem, boolean extras) {
        List<Assignment> assignments = problem.jobs().stream()
                .map(job -> {
                    Role role = extras && job.cpu() ? Role.EXTRA : Role.NORMAL;
                    return new Assignment(job.name(), role, NO_LIMIT, 0, 0, 1, List.of());
                })
                .toList();
        Plan plan = new Plan(
                problem.id(), "none", PlanKind.PHASED, 0, 0, "none", List.of(new Phase(0, 0, assignments)), List.of());
        return new Way(name, scheduler, problem, plan);
    }

    private static Job withCores(Job job) {
        JobCommand command = Objects.requireNonNull(job.command(), job.name());
        Map<String, String> conf = new LinkedHashMap<>(command.conf());
        conf.put(MRJobConfig.MAP_RESOURCE_TYPE_PREFIX + HALF_CORES, job.cpu() ? "2" : "1");
        return new Job(
                job.name(),
                job.model(),
                job.cpu(),
                job.io(),
                new JobCommand(command.jar(), command.main(), command.args(), conf));
    }

    /** A name for directories and YARN's tags. */
    String id() {
        return name.replaceAll("[^a-z0-9]+", "-");
    }
}
