// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import java.util.ArrayList;
import java.util.List;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.RuntimeModel;

/**
 * Corrects models by the times of a run. A job that took longer than predicted gets the difference as a constant part
 * of its model, because starting and ending take time that no VM count shortens; the model of a job that was faster is
 * scaled.
 */
public final class Feedback {
    private Feedback() {}

    /** The problem with models corrected by the outcome. */
    public static Problem apply(Problem problem, RunOutcome outcome) {
        List<Job> jobs = new ArrayList<>();
        for (Job job : problem.jobs()) {
            jobs.add(outcome.last().stream()
                    .filter(o -> o.job().equals(job.name()) && o.status().state() == JobStatus.State.SUCCEEDED)
                    .findFirst()
                    .map(o -> corrected(job, o))
                    .orElse(job));
        }
        return problem.withJobs(jobs);
    }

    private static Job corrected(Job job, RunOutcome.JobOutcome outcome) {
        RuntimeModel model = job.model();
        double more = outcome.actual() - outcome.predicted();
        RuntimeModel corrected = more >= 0 ? model.plus(more) : model.times(outcome.actual() / outcome.predicted());
        return new Job(job.name(), corrected, job.cpu(), job.io(), job.command());
    }
}
