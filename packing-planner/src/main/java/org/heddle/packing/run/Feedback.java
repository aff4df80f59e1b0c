// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import java.util.ArrayList;
import java.util.List;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;

/**
 * Corrects models by the times of a run. A job that took longer than predicted gets the difference as a constant part of
 * its model, because starting and ending take time that no VM count shortens; the model of a job that was faster is
 * scaled. Models other than the power curve stay as they are.
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
        if (!(job.model() instanceof PowerModel power)) {
            return job;
        }
        double more = outcome.actual() - outcome.predicted();
        double less = outcome.actual() / outcome.predicted();
        PowerModel model = more >= 0
                ? new PowerModel(power.a(), power.b(), power.offset() + more)
                : new PowerModel(power.a() * less, power.b(), power.offset() * less);
        return new Job(job.name(), model, job.cpu(), job.io(), job.command());
    }
}
