// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.jspecify.annotations.Nullable;

/**
 * Executes one phased plan: starts the jobs of a phase with their caps, waits for all of them, goes on
 * with the next phase. What is done is known from YARN's application tags and from the journal, so a
 * runner that is started again continues: finished jobs are not run again, running ones are waited for,
 * failed ones are tried again.
 *
 * <pre>
 * launched -> submitting -> running -> succeeded
 *                 |            |
 *                 +------------+-> failed
 * </pre>
 */
final class PlanRunner {
    /** A killed runner may have started a program without having noted its process. */
    private static final long SUBMIT_GRACE_MILLIS = 60_000;
    /** A program may submit one MapReduce job after the other, but not wait longer than this in between. */
    private static final long LINGER_MILLIS = 30_000;

    private final Cluster cluster;
    private final Problem problem;
    private final Plan plan;
    private final int number;
    private final int mostFailures;
    private final String runId;
    private final String diskResource;
    private final RunJournal journal;
    private final LongSupplier clockMillis;
    private final Execution.Pause pause;
    private final Execution.Listener listener;
    private final Map<String, Integer> most = new HashMap<>();
    private final Map<String, Cluster.Launch> launches = new HashMap<>();
    private double containerLooks;
    private long looks;

    /**
     * @param number of the plan in its run, from 0
     * @param mostFailures a job that has failed so often is not tried again
     */
    PlanRunner(
            Cluster cluster,
            Problem problem,
            Plan plan,
            int number,
            int mostFailures,
            String runId,
            String diskResource,
            RunJournal journal,
            LongSupplier clockMillis,
            Execution.Pause pause,
            Execution.Listener listener) {
        this.cluster = cluster;
        this.problem = problem;
        this.plan = plan;
        this.number = number;
        this.mostFailures = mostFailures;
        this.runId = runId;
        this.diskResource = diskResource;
        this.journal = journal;
        this.clockMillis = clockMillis;
        this.pause = pause;
        this.listener = listener;
    }

    /** Runs what is left of the plan. After a phase with a failed job no further phase is started. */
    RunOutcome run() throws IOException, InterruptedException {
        for (int p = 0; p < plan.phases().size(); p++) {
            runPhase(p);
            if (!plan.phases().get(p).shares().stream().allMatch(this::succeeded)) {
                break;
            }
        }
        return outcome();
    }

    /** What the journal knows of the plan, without running anything. */
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
        return new RunOutcome(jobs, phases, looks == 0 ? Double.NaN : containerLooks / looks / problem.slots());
    }

    private String tag(Assignment share) {
        return RunTag.job(runId, share.job());
    }

    private boolean succeeded(Assignment share) {
        RunJournal.Ended end = journal.ended(tag(share));
        return end != null && end.status().state() == JobStatus.State.SUCCEEDED;
    }

    private void runPhase(int p) throws IOException, InterruptedException {
        Map<String, Assignment> waiting = new LinkedHashMap<>();
        Set<String> begun = new HashSet<>();
        for (Assignment share : plan.phases().get(p).shares()) {
            if (!succeeded(share) && journal.failures(tag(share)) < mostFailures) {
                waiting.put(tag(share), share);
            }
        }
        if (waiting.isEmpty()) {
            return;
        }
        Map<String, JobStatus> known = cluster.jobs(runId);
        for (Map.Entry<String, Assignment> entry : waiting.entrySet()) {
            if (isUnderWay(entry.getKey(), known)) {
                begun.add(entry.getKey());
            }
        }
        for (Map.Entry<String, Assignment> entry : waiting.entrySet()) {
            if (!begun.contains(entry.getKey())) {
                start(entry.getKey(), entry.getValue(), known.get(entry.getKey()));
            }
        }
        while (!waiting.isEmpty()) {
            pause.untilNextLook();
            look(p, waiting);
        }
    }

    /** Started by an earlier runner, and its end not yet noted. */
    private boolean isUnderWay(String tag, Map<String, JobStatus> known) {
        RunJournal.Launched launched = journal.launched(tag);
        RunJournal.Ended ended = journal.ended(tag);
        if (launched == null || (ended != null && ended.launched() == launched.millis())) {
            return false;
        }
        JobStatus status = known.get(tag);
        return (status != null && !status.application().equals(launched.after())) || isSubmitting(tag);
    }

    private void start(String tag, Assignment share, @Nullable JobStatus before) throws IOException {
        Job job = problem.jobs().stream()
                .filter(j -> j.name().equals(share.job()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("job " + share.job() + " is not in the problem"));
        journal.noteLaunch(
                tag,
                new RunJournal.Launched(number, clockMillis.getAsLong(), before == null ? "" : before.application()));
        Cluster.Launch launch = cluster.start(job, runId, tag, ContainerLimits.of(share, diskResource));
        launches.put(tag, launch);
        journal.noteSubmitter(tag, number, launch.pid());
    }

    private void look(int p, Map<String, Assignment> waiting) throws IOException {
        Map<String, JobStatus> now = cluster.jobs(runId);
        Map<String, JobStatus> running = new LinkedHashMap<>();
        for (Map.Entry<String, Assignment> entry : List.copyOf(waiting.entrySet())) {
            String tag = entry.getKey();
            Assignment share = entry.getValue();
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
                running.put(share.job(), status);
                if (share.role() != Role.EXTRA) {
                    containerLooks += Math.max(0, status.containers() - 1);
                }
            } else {
                waiting.remove(tag);
                // Who finds a job of an earlier runner over does not know since when its program has been gone.
                long over = launches.containsKey(tag) ? clockMillis.getAsLong() : status.finishMillis();
                journal.noteEnd(
                        tag, new RunJournal.Ended(number, launched.millis(), status, most.getOrDefault(tag, 0), over));
                listener.ended(share.job(), status);
            }
        }
        looks++;
        listener.looked(p + 1, plan.phases().size(), running);
    }

    /** Whether the application may still appear. */
    private boolean isSubmitting(String tag) {
        Cluster.Launch launch = launches.get(tag);
        if (launch != null) {
            return launch.isAlive();
        }
        if (journal.submitter(tag) >= 0) {
            return cluster.isAlive(tag, journal.submitter(tag));
        }
        RunJournal.Launched launched = journal.launched(tag);
        return launched != null && clockMillis.getAsLong() - launched.millis() < SUBMIT_GRACE_MILLIS;
    }

    /** Whether the program that submitted this application, which has ended, may submit another one. */
    private boolean mayFollow(String tag, JobStatus status) {
        Cluster.Launch launch = launches.get(tag);
        boolean alive = launch != null ? launch.isAlive() : cluster.isAlive(tag, journal.submitter(tag));
        return alive && clockMillis.getAsLong() - status.finishMillis() < LINGER_MILLIS;
    }

    private JobStatus neverSeen(String tag, RunJournal.Launched launched) {
        Cluster.Launch launch = launches.get(tag);
        return new JobStatus(
                tag,
                "none",
                JobStatus.State.FAILED,
                launched.millis(),
                clockMillis.getAsLong(),
                0,
                0,
                "no application appeared: " + (launch != null ? launch.describe() : "its program is gone"));
    }

    private List<RunOutcome.JobOutcome> outcomes(int p) {
        Phase phase = plan.phases().get(p);
        List<RunOutcome.JobOutcome> outcomes = new ArrayList<>();
        for (Assignment share : phase.shares()) {
            RunJournal.Ended end = journal.ended(tag(share), number);
            if (end != null) {
                outcomes.add(new RunOutcome.JobOutcome(
                        share.job(),
                        number,
                        p + 1,
                        share.vms(),
                        share.seconds(),
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
