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
    /** Some half a minute. */
    private static final int MOST_REMOVALS = 60;

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

    /** Runs a plan by limits of its jobs, or continues it; the planner as below. */
    public RunOutcome run(Problem problem, Plan plan, @Nullable Function<Problem, Plan> planner)
            throws IOException, InterruptedException {
        return run(problem, plan, planner, null);
    }

    /**
     * Runs a plan, or continues it.
     *
     * @param planner makes a plan for the remaining jobs after a failure; null: the run ends with the failure
     * @param queues for the jobs, gone at the end, whose weights stand for VM counts; null for limits of each job
     */
    public RunOutcome run(
            Problem problem, Plan plan, @Nullable Function<Problem, Plan> planner, @Nullable JobQueues queues)
            throws IOException, InterruptedException {
        try (RunJournal journal = journal()) {
            RunOutcome outcome = run(problem, plan, planner, queues, journal);
            if (queues != null) {
                removeWhenEmpty(problem, queues);
            }
            return outcome;
        } catch (InUseException e) {
            throw new IOException(directory + ": another process runs this plan; wait for it or end it", e);
        }
    }

    private RunJournal journal() throws IOException {
        return new RunJournal(directory, run.pause(), run.listener()::waits);
    }

    /** An application may be in its queue for a moment after its end is known. */
    private void removeWhenEmpty(Problem problem, JobQueues queues) throws InterruptedException {
        for (int tries = 1; ; tries++) {
            try {
                queues.remove(names(problem));
                return;
            } catch (IOException e) {
                if (tries == MOST_REMOVALS) {
                    run.listener().waits(e.getMessage() + "; the queues stay until heddle pack run --clean");
                    return;
                }
                run.pause().untilNextPoll();
            }
        }
    }

    private List<String> names(Problem problem) {
        return problem.jobs().stream()
                .map(job -> Borders.queue(run.id(), job.name()))
                .toList();
    }

    /**
     * Removes the queues of a run that nobody continues.
     *
     * @throws IOException one sentence, if another process runs the plan, or applications of it run
     */
    @SuppressWarnings("try") // the journal is opened so that no other process has it
    public void clean(Problem problem, JobQueues queues) throws IOException {
        try (RunJournal journal = journal()) {
            List<String> running = run.cluster().jobs(run.id()).values().stream()
                    .filter(status -> status.state() == JobStatus.State.RUNNING)
                    .map(JobStatus::application)
                    .distinct()
                    .sorted()
                    .toList();
            if (!running.isEmpty()) {
                throw new IOException("applications of this run are still running: " + String.join(", ", running)
                        + "; wait for them, or end each with yarn application -kill");
            }
            queues.remove(names(problem));
        } catch (InUseException e) {
            throw new IOException(directory + ": another process runs this plan; wait for it or end it", e);
        }
    }

    private RunOutcome run(
            Problem problem,
            Plan plan,
            @Nullable Function<Problem, Plan> planner,
            @Nullable JobQueues queues,
            RunJournal journal)
            throws IOException, InterruptedException {
        RunOutcome all = RunOutcome.NOTHING;
        Problem nowProblem = problem;
        Plan nowPlan = plan;
        for (int number = 0; ; number++) {
            int mostFailures = planner == null ? Integer.MAX_VALUE : MOST_FAILURES;
            PlanRunner runner = new PlanRunner(run, journal, nowProblem, nowPlan, number, mostFailures, queues);
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
