// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.model.Share;

/**
 * Executes a phased plan: starts the jobs of a phase with their caps, waits for all of them, goes on with
 * the next phase. What is done is known from YARN's application tags and from the journal, so a runner
 * that is started again continues: finished jobs are not run again, running ones are waited for.
 */
public final class PlanRunner {
    private static final long SUBMIT_GRACE_MILLIS = 120_000;

    /** Waits between two looks at the cluster; tests and the command decide how. */
    public interface Pause {
        void untilNextLook() throws InterruptedException;
    }

    /** Hears of the progress of the phase that runs. */
    public interface Listener {
        /** Called at every look: what runs, by job. */
        void looked(int phase, int phases, Map<String, JobStatus> running);

        /** Called once per job. */
        void ended(String job, JobStatus status);
    }

    private final Cluster cluster;
    private final Problem problem;
    private final Plan plan;
    private final String runId;
    private final String diskResource;
    private final Journal journal;
    private final LongSupplier clockMillis;
    private final Pause pause;
    private final Listener listener;
    private final Map<String, Integer> mostContainers = new HashMap<>();
    private double containerLooks;
    private long looks;

    /**
     * @param runId names this execution; the same id continues it
     * @param diskResource YARN resource that counts disks; empty for none
     * @param journal file that remembers what is done
     */
    public PlanRunner(
            Cluster cluster,
            Problem problem,
            Plan plan,
            String runId,
            String diskResource,
            Path journal,
            LongSupplier clockMillis,
            Pause pause,
            Listener listener)
            throws IOException {
        this.cluster = cluster;
        this.problem = problem;
        this.plan = plan;
        this.runId = runId;
        this.diskResource = diskResource;
        this.journal = new Journal(journal);
        this.clockMillis = clockMillis;
        this.pause = pause;
        this.listener = listener;
    }

    /** Runs what is left of the plan. After a phase with a failed job no further phase is started. */
    public Outcome run() throws IOException, InterruptedException {
        List<Outcome.JobOutcome> jobs = new ArrayList<>();
        List<Outcome.PhaseOutcome> phases = new ArrayList<>();
        boolean good = true;
        for (int p = 0; p < plan.phases().size() && good; p++) {
            List<Outcome.JobOutcome> done = runPhase(p);
            jobs.addAll(done);
            phases.add(phaseOutcome(p, done));
            good = done.stream().allMatch(j -> j.status().state() == JobStatus.State.SUCCEEDED);
        }
        return new Outcome(jobs, phases, looks == 0 ? 0 : containerLooks / looks / problem.slots());
    }

    private String tag(Share share) {
        for (int j = 0; j < problem.jobs().size(); j++) {
            if (problem.jobs().get(j).name().equals(share.job())) {
                return runId + "-job" + j;
            }
        }
        throw new IllegalArgumentException("job " + share.job() + " is not in the problem");
    }

    private Job job(Share share) {
        return problem.jobs().stream()
                .filter(j -> j.name().equals(share.job()))
                .findFirst()
                .orElseThrow();
    }

    private List<Outcome.JobOutcome> runPhase(int p) throws IOException, InterruptedException {
        Phase phase = plan.phases().get(p);
        Map<String, Share> waiting = new LinkedHashMap<>();
        Map<String, Cluster.Launch> launches = new HashMap<>();
        Map<String, JobStatus> ended = new HashMap<>();
        Map<String, JobStatus> known = cluster.jobs(runId + "-");
        for (Share share : phase.shares()) {
            String tag = tag(share);
            JobStatus before = journal.finished().getOrDefault(tag, known.get(tag));
            if (before != null && before.state() == JobStatus.State.SUCCEEDED) {
                ended.put(tag, before);
                journal.noteEnd(before);
                continue;
            }
            waiting.put(tag, share);
            if (before == null || before.state() == JobStatus.State.FAILED) {
                journal.finished().remove(tag);
                journal.noteLaunch(tag, clockMillis.getAsLong());
                launches.put(tag, cluster.start(job(share), tag, Caps.of(share, diskResource)));
            }
        }
        while (!waiting.isEmpty()) {
            pause.untilNextLook();
            look(p, waiting, launches, ended);
        }
        List<Outcome.JobOutcome> outcomes = new ArrayList<>();
        for (Share share : phase.shares()) {
            JobStatus status = ended.get(tag(share));
            if (status != null) {
                outcomes.add(new Outcome.JobOutcome(
                        share.job(),
                        p + 1,
                        share.vms(),
                        share.seconds(),
                        journal.launched(tag(share), status.startMillis()),
                        status,
                        mostContainers.getOrDefault(share.job(), 0)));
            }
        }
        return outcomes;
    }

    private void look(
            int p, Map<String, Share> waiting, Map<String, Cluster.Launch> launches, Map<String, JobStatus> ended)
            throws IOException {
        Map<String, JobStatus> now = cluster.jobs(runId + "-");
        Map<String, JobStatus> running = new LinkedHashMap<>();
        for (String tag : List.copyOf(waiting.keySet())) {
            Share share = waiting.get(tag);
            JobStatus status = now.get(tag);
            boolean mine = status != null && status.startMillis() >= journal.launched(tag, 0) - 1_000;
            if (share == null || (!mine && stillComing(tag, launches))) {
                continue;
            }
            if (status == null || !mine) {
                String how = launches.containsKey(tag) ? launches.get(tag).describe() : "it was lost";
                status = new JobStatus(
                        tag,
                        "none",
                        JobStatus.State.FAILED,
                        journal.launched(tag, 0),
                        clockMillis.getAsLong(),
                        0,
                        0,
                        "no application appeared: " + how);
            }
            mostContainers.merge(share.job(), status.containers(), Math::max);
            if (status.state() == JobStatus.State.RUNNING) {
                running.put(share.job(), status);
                if (share.role() != Role.EXTRA) {
                    containerLooks += Math.max(0, status.containers() - 1);
                }
            } else {
                waiting.remove(tag);
                ended.put(tag, status);
                journal.noteEnd(status);
                listener.ended(share.job(), status);
            }
        }
        looks++;
        listener.looked(p + 1, plan.phases().size(), running);
    }

    private boolean stillComing(String tag, Map<String, Cluster.Launch> launches) {
        Cluster.Launch launch = launches.get(tag);
        long since = clockMillis.getAsLong() - journal.launched(tag, 0);
        return launch != null ? launch.isAlive() : since < SUBMIT_GRACE_MILLIS;
    }

    private Outcome.PhaseOutcome phaseOutcome(int p, List<Outcome.JobOutcome> done) {
        long start = done.stream().mapToLong(Outcome.JobOutcome::launched).min().orElse(0);
        long end = done.stream().mapToLong(j -> j.status().finishMillis()).max().orElse(start);
        double overhead = done.stream()
                .mapToDouble(j -> (j.status().startMillis() - j.launched()) / 1000.0)
                .max()
                .orElse(0);
        return new Outcome.PhaseOutcome(p + 1, plan.phases().get(p).seconds(), (end - start) / 1000.0, overhead);
    }
}
