// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.packing.model.Problem;

/**
 * The outcome of a plan.
 *
 * @param jobs in the order they ran
 * @param phases one per phase that ran
 * @param utilisation mean task containers held, as a part of N, over all polls of the cluster; NaN without polls
 */
public record RunOutcome(List<JobOutcome> jobs, List<PhaseOutcome> phases, double utilisation) {
    /**
     * @param plan 0 for the plan that was given, others came from replanning
     * @param phase in its plan, from 1
     * @param predicted seconds in the plan
     * @param launched epoch milliseconds at which the runner began to start it
     * @param status how it ended
     * @param mostContainers largest number of containers that it held at once in a poll, ApplicationMaster included.
     *     YARN counts a container from its grant on, also one which the ApplicationMaster gives back unused
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
        /** Seconds from the start of its program to the end of it; the next phase waits for this end. */
        public double actual() {
            return (overMillis - launched) / 1000.0;
        }
    }

    /**
     * @param plan 0 for the plan that was given, others came from replanning
     * @param number of the phase in its plan, from 1
     * @param predicted seconds in the plan
     * @param actual seconds from the start of the phase to the end of its last job
     * @param overhead longest time between the start of a job and its submission to YARN, seconds
     */
    public record PhaseOutcome(int plan, int number, double predicted, double actual, double overhead) {}

    static final RunOutcome NOTHING = new RunOutcome(List.of(), List.of(), Double.NaN);

    public RunOutcome {
        jobs = List.copyOf(jobs);
        phases = List.copyOf(phases);
    }

    /** The outcome of this plan and a later one together. */
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

    /** Predicted seconds of the phases that ran. */
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
