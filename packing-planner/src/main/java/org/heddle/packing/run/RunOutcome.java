// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.packing.model.Problem;

/**
 * What became of a plan.
 *
 * @param jobs in the order they ran
 * @param phases one per phase that ran
 * @param utilisation mean task containers held, as a part of N, over the looks at the cluster; NaN without looks
 */
public record RunOutcome(List<JobOutcome> jobs, List<PhaseOutcome> phases, double utilisation) {
    /**
     * @param plan 0 for the plan that was given, others came from replanning
     * @param phase in its plan, from 1
     * @param predicted seconds in the plan
     * @param launched epoch milliseconds at which the runner began to start it
     * @param status how it ended
     * @param mostContainers the most it was seen to hold at once, ApplicationMaster included; YARN counts containers
     *     from their grant on, also those that a master was granted too many and gives back unused
     * @param overMillis epoch milliseconds at which the next phase could have begun
     */
    public record JobOutcome(
            String job,
            int plan,
            int phase,
            int vms,
            double predicted,
            long launched,
            JobStatus status,
            int mostContainers,
            long overMillis) {
        /** Seconds from the runner's start of it to when the runner could go on, as the next phase waits for that. */
        public double actual() {
            return (overMillis - launched) / 1000.0;
        }
    }

    /**
     * @param plan 0 for the plan that was given, others came from replanning
     * @param number of the phase in its plan, from 1
     * @param predicted seconds in the plan
     * @param actual seconds from the start of the phase to the end of its last job
     * @param overhead seconds between the starting of jobs and their being known to YARN, the longest
     */
    public record PhaseOutcome(int plan, int number, double predicted, double actual, double overhead) {}

    static final RunOutcome NOTHING = new RunOutcome(List.of(), List.of(), Double.NaN);

    public RunOutcome {
        jobs = List.copyOf(jobs);
        phases = List.copyOf(phases);
    }

    /** This and then another one. */
    RunOutcome and(RunOutcome later) {
        List<JobOutcome> allJobs = new ArrayList<>(jobs);
        allJobs.addAll(later.jobs);
        List<PhaseOutcome> allPhases = new ArrayList<>(phases);
        allPhases.addAll(later.phases);
        double all = Double.isNaN(later.utilisation) ? utilisation : later.utilisation;
        return new RunOutcome(allJobs, allPhases, all);
    }

    /** The last outcome of each job, in the order in which they first ran. */
    public List<JobOutcome> last() {
        Map<String, JobOutcome> last = new LinkedHashMap<>();
        jobs.forEach(j -> last.put(j.job(), j));
        return List.copyOf(last.values());
    }

    /** True if all these jobs have succeeded. */
    public boolean succeeded(Problem problem) {
        List<String> good = jobs.stream()
                .filter(j -> j.status().state() == JobStatus.State.SUCCEEDED)
                .map(JobOutcome::job)
                .toList();
        return problem.jobs().stream().allMatch(j -> good.contains(j.name()));
    }

    /** Seconds that the phases which ran were to take. */
    public double predicted() {
        return phases.stream().mapToDouble(PhaseOutcome::predicted).sum();
    }

    /** Seconds from the start of the first phase to the end of the last job. */
    public double actual() {
        long start = jobs.stream().mapToLong(JobOutcome::launched).min().orElse(0);
        long end = jobs.stream().mapToLong(JobOutcome::overMillis).max().orElse(start);
        return (end - start) / 1000.0;
    }
}
