// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.heddle.journal.FullDisk;
import org.heddle.journal.InUseException;
import org.heddle.packing.io.PlanFile;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.settings.Clocks;
import org.heddle.settings.file.AtomicFile;
import org.jspecify.annotations.Nullable;

/**
 * A run of a plan from start to end, over restarts of this program and over failures of jobs. Its directory contains
 * the journal, the new plans ({@code plan-1.json} ..) and the output of the started programs. With replanning, there is
 * a new plan for the jobs that failed or have not run; a job that has failed twice is left out of it, so that the
 * others still run.
 */
public final class Execution {
    private static final int MOST_FAILURES = 2;

    /** Waits between two polls of the cluster, or two attempts to write on a full disk. */
    public interface Pause {
        void untilNextPoll() throws InterruptedException;
    }

    /** Receives the progress of the running phase. */
    public interface Listener {
        /** Called at every poll with the status of the running jobs. */
        void polled(int phase, int phases, Map<String, JobStatus> running);

        /** Called before each pause in which nothing is started, because the disk is full; a sentence. */
        void waits(String why);

        /** Called when a job has ended. */
        void ended(String job, JobStatus status);

        /** Called when there is a new plan for the failed and outstanding jobs. */
        void replanned(Plan plan, List<String> leftOut);
    }

    private final PlanRunner.Run run;
    private final Path directory;

    /**
     * @param directory of this run, must exist
     * @param runId names this execution; the same id continues it
     * @param diskResource YARN resource that counts disks; empty for none
     */
    public Execution(
            Cluster cluster,
            Path directory,
            String runId,
            String diskResource,
            Clocks clocks,
            Pause pause,
            Listener listener) {
        this.run = new PlanRunner.Run(cluster, runId, diskResource, clocks, pause, listener);
        this.directory = directory;
    }

    /**
     * Runs a plan, or continues it.
     *
     * @param planner makes a phased plan for the remaining jobs after a failure; null: the run ends with the failure
     */
    public RunOutcome run(Problem problem, Plan plan, @Nullable Function<Problem, Plan> planner)
            throws IOException, InterruptedException {
        try (RunJournal journal = new RunJournal(directory, run.pause(), run.listener()::waits)) {
            return run(problem, plan, planner, journal);
        } catch (InUseException e) {
            throw new IOException(directory + ": another process runs this plan; wait for it or end it", e);
        }
    }

    private RunOutcome run(Problem problem, Plan plan, @Nullable Function<Problem, Plan> planner, RunJournal journal)
            throws IOException, InterruptedException {
        RunOutcome all = RunOutcome.NOTHING;
        Problem nowProblem = problem;
        Plan nowPlan = plan;
        for (int number = 0; ; number++) {
            int mostFailures = planner == null ? Integer.MAX_VALUE : MOST_FAILURES;
            PlanRunner runner = new PlanRunner(run, journal, nowProblem, nowPlan, number, mostFailures);
            Path next = directory.resolve("plan-" + (number + 1) + ".json");
            boolean superseded = Files.exists(next);
            all = all.and(superseded ? runner.outcome() : runner.run());
            if (superseded) {
                PlanFile.Loaded loaded = PlanFile.read(next, System.in);
                nowProblem = loaded.problem();
                nowPlan = loaded.plan();
                continue;
            }
            List<Job> left = new ArrayList<>();
            List<String> leftOut = new ArrayList<>();
            for (Job job : problem.jobs()) {
                String tag = RunTag.job(run.id(), job.name());
                RunJournal.Ended end = journal.ended(tag);
                if (end == null || end.status().state() != JobStatus.State.SUCCEEDED) {
                    if (journal.failures(tag) < MOST_FAILURES) {
                        left.add(job);
                    } else {
                        leftOut.add(job.name());
                    }
                }
            }
            if (planner == null || left.isEmpty()) {
                return all;
            }
            nowProblem = problem.withJobs(left);
            nowPlan = planner.apply(nowProblem);
            String text = PlanFile.write(nowProblem, nowPlan, 0).toPrettyString();
            journal.withRoom(() -> FullDisk.noticed(directory, () -> AtomicFile.write(next, text)));
            run.listener().replanned(nowPlan, leftOut);
        }
    }
}
