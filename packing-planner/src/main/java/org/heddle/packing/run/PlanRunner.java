// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;

/**
 * Executes one plan: it starts each job with its container limits as soon as the jobs {@linkplain Precedence before it}
 * have succeeded; or without limits in queues, whose weights change at the plan's {@linkplain Borders borders}. YARN's
 * application tags and the journal tell which jobs have run. Therefore a second runner continues: it does not run
 * finished jobs again, it waits for running jobs, and it tries failed jobs again.
 *
 * <pre>
 * launched -> submitting -> running -> succeeded
 *                 |            |
 *                 +------------+-> failed
 * </pre>
 */
final class PlanRunner {
    /** A killed runner may have started a program without writing its process id into the journal. */
    private static final long SUBMIT_GRACE_MILLIS = 60_000;
    /** A program may submit several MapReduce jobs one after the other with pauses up to this time. */
    private static final long LINGER_MILLIS = 30_000;

    /**
     * What all plans of one run share.
     *
     * @param id of the run
     * @param diskResource YARN resource that counts disks; empty for none
     */
    record Run(
            Cluster cluster,
            String id,
            String diskResource,
            Clocks clocks,
            Execution.Pause pause,
            Execution.Listener listener) {}

    private final Cluster cluster;
    private final Problem problem;
    private final Plan plan;
    private final int number;
    private final int mostFailures;
    private final String runId;
    private final String diskResource;
    private final RunJournal journal;
    private final Clocks clocks;
    /** For the journal and the outcome: they are compared with YARN's dates. */
    private final LongSupplier dates;

    private final Execution.Pause pause;
    private final Execution.Listener listener;
    private final Precedence precedence;
    /** Null if limits of the jobs stand for their VM counts. */
    private final @Nullable Borders borders;

    private final Map<String, Integer> most = new HashMap<>();
    private final Map<String, Cluster.Launch> launches = new HashMap<>();
    /** When a wait has begun, by what is waited for; on the monotonic clock. */
    private final Map<String, Long> since = new HashMap<>();

    private double containersSeen;
    private long polls;

    /**
     * @param number of the plan in its run, from 0
     * @param mostFailures a job that has failed so often is not tried again
     * @param queues for the jobs, if weights stand for their VM counts; else null
     */
    PlanRunner(
            Run run,
            RunJournal journal,
            Problem problem,
            Plan plan,
            int number,
            int mostFailures,
            @Nullable JobQueues queues) {
        this.cluster = run.cluster();
        this.problem = problem;
        this.number = number;
        this.mostFailures = mostFailures;
        this.runId = run.id();
        this.diskResource = run.diskResource();
        this.journal = journal;
        this.clocks = run.clocks();
        this.dates = clocks.datesWithoutSteps();
        this.pause = run.pause();
        this.listener = run.listener();
        if (queues != null) {
            borders = new Borders(plan, queues, runId, journal, number, dates, listener::waits);
            this.plan = new PhaseWeights(plan).submissions(problem.slots());
        } else {
            borders = null;
            this.plan = plan;
        }
        precedence = new Precedence(this.plan);
    }

    /** Runs what is left of the plan. After a failed job no further job is started. */
    RunOutcome run() throws IOException, InterruptedException {
        List<Assignment> waiting = new ArrayList<>();
        Map<String, Assignment> running = new LinkedHashMap<>();
        Map<String, JobStatus> known = cluster.jobs(runId);
        for (Phase phase : plan.phases()) {
            for (Assignment assignment : phase.assignments()) {
                if (succeeded(assignment) || journal.failures(tag(assignment)) >= mostFailures) {
                    continue;
                }
                if (isUnderWay(tag(assignment), known)) {
                    running.put(tag(assignment), assignment);
                } else {
                    waiting.add(assignment);
                }
            }
        }
        boolean failed = false;
        while (true) {
            if (borders != null) {
                borders.pass(this::hasSucceeded);
            }
            if (!failed) {
                startReady(waiting, running, known);
            }
            if (running.isEmpty()) {
                return outcome();
            }
            pause.untilNextPoll();
            failed |= poll(running);
        }
    }

    private void startReady(List<Assignment> waiting, Map<String, Assignment> running, Map<String, JobStatus> known)
            throws IOException {
        for (Assignment assignment : List.copyOf(waiting)) {
            boolean mayStart = borders == null || borders.admits(assignment.job());
            if (mayStart && precedence.before(assignment).stream().allMatch(this::succeeded)) {
                String tag = tag(assignment);
                start(tag, assignment, known.get(tag));
                waiting.remove(assignment);
                running.put(tag, assignment);
            }
        }
    }

    /** The outcome of the plan from the journal; runs no job. */
    RunOutcome outcome() {
        List<RunOutcome.JobOutcome> jobs = new ArrayList<>();
        List<RunOutcome.PhaseOutcome> phases = new ArrayList<>();
        for (int p = 0; p < plan.phases().size(); p++) {
            List<RunOutcome.JobOutcome> done = outcomes(p);
            jobs.addAll(done);
            if (!done.isEmpty()) {
                phases.add(phaseOutcome(p, done));
            }
        }
        return new RunOutcome(jobs, phases, polls == 0 ? Double.NaN : containersSeen / polls / problem.slots());
    }

    private String tag(Assignment assignment) {
        return RunTag.job(runId, assignment.job());
    }

    private boolean succeeded(Assignment assignment) {
        return hasSucceeded(assignment.job());
    }

    private boolean hasSucceeded(String job) {
        RunJournal.Ended end = journal.ended(RunTag.job(runId, job));
        return end != null && end.status().state() == JobStatus.State.SUCCEEDED;
    }

    /** Whether an earlier runner has started the job and the journal has no end of it. */
    private boolean isUnderWay(String tag, Map<String, JobStatus> known) {
        RunJournal.Launched launched = journal.launched(tag);
        RunJournal.Ended ended = journal.ended(tag);
        if (launched == null || (ended != null && ended.launched() == launched.millis())) {
            return false;
        }
        JobStatus status = known.get(tag);
        return (status != null && !status.application().equals(launched.after())) || isSubmitting(tag);
    }

    private void start(String tag, Assignment assignment, @Nullable JobStatus before) throws IOException {
        Job job = problem.jobs().stream()
                .filter(j -> j.name().equals(assignment.job()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("job " + assignment.job() + " is not in the problem"));
        journal.noteLaunch(
                tag, new RunJournal.Launched(number, dates.getAsLong(), before == null ? "" : before.application()));
        Map<String, String> properties = ContainerLimits.of(assignment, diskResource);
        if (borders != null) {
            properties.putAll(borders.properties(job.name()));
        }
        Cluster.Launch launch = journal.withRoom(() -> cluster.start(job, runId, tag, properties));
        launches.put(tag, launch);
        journal.noteSubmitter(tag, number, launch.pid());
    }

    /** Removes the jobs that have ended; true if one of them has failed. */
    private boolean poll(Map<String, Assignment> running) throws IOException {
        int phase = running.values().stream().mapToInt(precedence::phase).max().orElse(0);
        Map<String, JobStatus> now = cluster.jobs(runId);
        Map<String, JobStatus> seen = new LinkedHashMap<>();
        boolean failed = false;
        for (Map.Entry<String, Assignment> entry : List.copyOf(running.entrySet())) {
            String tag = entry.getKey();
            Assignment assignment = entry.getValue();
            RunJournal.Launched launched = Objects.requireNonNull(journal.launched(tag), tag);
            JobStatus status = now.get(tag);
            if (status == null || status.application().equals(launched.after())) {
                if (isSubmitting(tag)) {
                    continue;
                }
                status = neverSeen(tag, launched);
            }
            most.merge(tag, status.containers(), Math::max);
            if (status.state() == JobStatus.State.RUNNING || mayFollow(tag, status)) {
                seen.put(assignment.job(), status);
                if (assignment.role() != Role.EXTRA) {
                    containersSeen += Math.max(0, status.containers() - 1);
                }
            } else {
                running.remove(tag);
                failed |= status.state() == JobStatus.State.FAILED;
                // The end of a program which an earlier runner started is not known; the end of the job stands for it.
                long over = launches.containsKey(tag) ? dates.getAsLong() : status.finishMillis();
                journal.noteEnd(
                        tag, new RunJournal.Ended(number, launched.millis(), status, most.getOrDefault(tag, 0), over));
                listener.ended(assignment.job(), status);
            }
        }
        polls++;
        listener.polled(phase + 1, plan.phases().size(), seen);
        return failed;
    }

    /** Whether the application of the job may still appear. */
    private boolean isSubmitting(String tag) {
        Cluster.Launch launch = launches.get(tag);
        if (launch != null) {
            return launch.isAlive();
        }
        if (journal.submitter(tag) >= 0) {
            return cluster.isAlive(tag, journal.submitter(tag));
        }
        return journal.launched(tag) != null && waited(tag) < SUBMIT_GRACE_MILLIS;
    }

    /** How long has been waited for something, from the first question on, in milliseconds. A restart begins anew. */
    private long waited(String what) {
        long now = clocks.millis();
        return now - since.computeIfAbsent(what, any -> now);
    }

    /** Whether the program may submit a further application after this one, which has ended. */
    private boolean mayFollow(String tag, JobStatus status) {
        Cluster.Launch launch = launches.get(tag);
        boolean alive = launch != null ? launch.isAlive() : cluster.isAlive(tag, journal.submitter(tag));
        return alive && waited(tag + " after " + status.application()) < LINGER_MILLIS;
    }

    private JobStatus neverSeen(String tag, RunJournal.Launched launched) {
        Cluster.Launch launch = launches.get(tag);
        return new JobStatus(
                tag,
                "none",
                JobStatus.State.FAILED,
                launched.millis(),
                dates.getAsLong(),
                0,
                0,
                "no application appeared: " + (launch != null ? launch.describe() : "its program has ended"));
    }

    private List<RunOutcome.JobOutcome> outcomes(int p) {
        Phase phase = plan.phases().get(p);
        List<RunOutcome.JobOutcome> outcomes = new ArrayList<>();
        for (Assignment assignment : phase.assignments()) {
            RunJournal.Ended end = journal.ended(tag(assignment), number);
            if (end != null) {
                outcomes.add(new RunOutcome.JobOutcome(
                        assignment.job(),
                        number,
                        p + 1,
                        assignment.vms(),
                        assignment.seconds(),
                        end.launched(),
                        end.status(),
                        end.most(),
                        end.overMillis()));
            }
        }
        return outcomes;
    }

    private RunOutcome.PhaseOutcome phaseOutcome(int p, List<RunOutcome.JobOutcome> done) {
        long start =
                done.stream().mapToLong(RunOutcome.JobOutcome::launched).min().orElse(0);
        long end =
                done.stream().mapToLong(RunOutcome.JobOutcome::overMillis).max().orElse(start);
        double overhead = done.stream()
                .mapToDouble(j -> (j.status().startMillis() - j.launched()) / 1000.0)
                .max()
                .orElse(0);
        return new RunOutcome.PhaseOutcome(
                number, p + 1, plan.phases().get(p).seconds(), (end - start) / 1000.0, overhead);
    }
}
