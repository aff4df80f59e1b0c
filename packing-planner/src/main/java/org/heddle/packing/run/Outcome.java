// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import java.util.List;

/**
 * What became of a plan.
 *
 * @param jobs in the order they ran
 * @param phases one per phase that ran
 * @param utilisation mean task containers held, as a part of N, over the time phases ran
 */
public record Outcome(List<JobOutcome> jobs, List<PhaseOutcome> phases, double utilisation) {
    /**
     * @param predicted seconds in the plan
     * @param launched epoch milliseconds at which the runner began to start it
     * @param status how it ended
     * @param mostContainers the most it was seen to hold at once, ApplicationMaster included
     */
    public record JobOutcome(
            String job, int phase, int vms, double predicted, long launched, JobStatus status, int mostContainers) {
        /** Seconds from the runner's start of it to its end. */
        public double actual() {
            return (status.finishMillis() - launched) / 1000.0;
        }
    }

    /**
     * @param predicted seconds in the plan
     * @param actual seconds from the start of the phase to the end of its last job
     * @param overhead seconds between the starting of jobs and their being known to YARN, the longest
     */
    public record PhaseOutcome(int number, double predicted, double actual, double overhead) {}

    public Outcome {
        jobs = List.copyOf(jobs);
        phases = List.copyOf(phases);
    }

    /** True if every job that ran succeeded. */
    public boolean succeeded() {
        return jobs.stream().allMatch(j -> j.status().state() == JobStatus.State.SUCCEEDED);
    }

    /** Seconds that the phases took, predicted. */
    public double predicted() {
        return phases.stream().mapToDouble(PhaseOutcome::predicted).sum();
    }

    /** Seconds that the phases took. */
    public double actual() {
        return phases.stream().mapToDouble(PhaseOutcome::actual).sum();
    }
}
