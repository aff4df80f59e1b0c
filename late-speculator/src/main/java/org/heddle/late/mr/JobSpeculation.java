// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.heddle.late.policy.AttemptRecord;
import org.heddle.late.policy.AttemptRegistry;
import org.heddle.late.policy.Decision;
import org.heddle.late.policy.LatePolicy;
import org.heddle.late.policy.Reason;
import org.heddle.late.policy.Settings;
import org.heddle.late.policy.TaskKind;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The speculation of one job: writes the ApplicationMaster's events into the registry, asks the policy, and carries out
 * its decisions. Not thread safe: guarded by the speculator's lock.
 */
final class JobSpeculation {
    private static final Logger LOG = LoggerFactory.getLogger(JobSpeculation.class);
    // The clock jumps if more time passes between two readings; a pass reads it each second unless keys say otherwise.
    private static final long MOST_MILLIS_BETWEEN_READINGS = 10_000;
    private static final String LOG_DIR = "yarn.app.container.log.dir";

    private final AppContext context;
    private final LateConfig config;
    private final boolean dryRun;
    private final AttemptRegistry registry = new AttemptRegistry();
    private final LatePolicy policy;
    private final AmCommands commands;
    private final SteadyTime time;
    private final List<AttemptRecord> newBackups = new ArrayList<>();
    private @Nullable DecisionLog log;
    private @Nullable JobObserver observer;
    private @Nullable JobId jobId;

    /** @param changes to settings that have no key */
    JobSpeculation(Configuration conf, AppContext context, Consumer<Settings.Draft> changes) {
        this.context = context;
        this.config = LateConfig.of(conf);
        this.dryRun = config.value(LateKeys.DRY_RUN);
        boolean fits = mapsFitReduceSlots(new JobConf(conf));
        Settings settings =
                config.settings().with(draft -> draft.makeRoom &= fits).with(changes);
        this.policy = new LatePolicy(registry, settings);
        this.commands = new AmCommands(context.getEventHandler());
        this.time = new SteadyTime(MOST_MILLIS_BETWEEN_READINGS + config.pauseMillis(true));
        config.problems().forEach(problem -> LOG.warn("A setting of LATE is ignored: {}.", problem));
        sayWhatTheJobForbids();
    }

    /** If a job forbids both, Hadoop does not make a speculator. */
    private void sayWhatTheJobForbids() {
        if (!config.enabledForMaps()) {
            LOG.info("LATE makes no backups of maps in this job, because {} is false.", MRJobConfig.MAP_SPECULATIVE);
        }
        if (!config.enabledForReduces()) {
            LOG.info(
                    "LATE makes no backups of reduces in this job, because {} is false.",
                    MRJobConfig.REDUCE_SPECULATIVE);
        }
    }

    /** Whether the slot of a reduce is large enough for a map. */
    private static boolean mapsFitReduceSlots(JobConf job) {
        return job.getMemoryRequired(TaskType.MAP) <= job.getMemoryRequired(TaskType.REDUCE)
                && job.getInt(MRJobConfig.MAP_CPU_VCORES, MRJobConfig.DEFAULT_MAP_CPU_VCORES)
                        <= job.getInt(MRJobConfig.REDUCE_CPU_VCORES, MRJobConfig.DEFAULT_REDUCE_CPU_VCORES);
    }

    /** Milliseconds to the next pass. */
    long pauseMillis(boolean launched) {
        return config.pauseMillis(launched);
    }

    /** Writes an event into the registry. */
    void handle(SpeculatorEvent event) {
        if (jobId == null) {
            jobId = job(event);
        }
        JobObserver open = observer();
        long clock = context.getClock().getTime();
        long now = time.at(clock);
        switch (event.getType()) {
            case JOB_CREATE:
                break;
            case TASK_CONTAINER_NEED_UPDATE:
                registry.waiting(JobObserver.kind(event.getTaskID()), event.containersNeededChange());
                if (open != null && event.containersNeededChange() > 0) {
                    open.containerRequested(event.getTaskID(), now);
                }
                break;
            case ATTEMPT_START:
                if (open != null) {
                    started(open.started(event.getReportedStatus().id, time.earlier(event.getTimestamp(), clock)));
                }
                break;
            case ATTEMPT_STATUS_UPDATE:
                if (open != null) {
                    report(open, event.getReportedStatus(), time.earlier(event.getTimestamp(), clock), clock);
                }
                break;
        }
    }

    /** JOB_CREATE may come late. An attempt that starts or reports shows as well which job it is of. */
    private static @Nullable JobId job(SpeculatorEvent event) {
        if (event.getType() == Speculator.EventType.JOB_CREATE) {
            return event.getJobID();
        }
        if (event.getTaskID() != null) {
            return event.getTaskID().getJobId();
        }
        TaskAttemptStatus status = event.getReportedStatus();
        if (status == null || status.id == null) {
            return null;
        }
        return status.id.getTaskId().getJobId();
    }

    /** Reads the job; null while the ApplicationMaster has none. */
    @Nullable
    JobObserver observer() {
        if (observer == null && jobId != null) {
            Job job = context.getJob(jobId);
            if (job != null) {
                observer = new JobObserver(job, registry);
            }
        }
        return observer;
    }

    private void started(@Nullable AttemptRecord attempt) {
        if (attempt != null && attempt.backup()) {
            newBackups.add(attempt);
        }
    }

    private void report(JobObserver open, TaskAttemptStatus status, long at, long clock) {
        open.startedUnannounced(status.id, at, clock);
        open.reported(status, at);
        AttemptRecord attempt = registry.attempt(open.name(status.id));
        if (attempt != null && attempt.live() && open.succeeded(status.id)) {
            open.succeed(attempt, at, this::won);
            // The last success ends the job before the next pass.
            publish();
        }
    }

    /** Counts when a task succeeds: the ApplicationMaster kills its other attempts later, without an event. */
    private void won(AttemptRecord winner, long at) {
        List<AttemptRecord> attempts = winner.task().live();
        if (attempts.size() == 1) {
            return;
        }
        if (winner.backup()) {
            commands.count(LateCounter.WON, 1);
        }
        for (AttemptRecord loser : attempts) {
            if (loser != winner) {
                commands.count(LateCounter.WASTED_MS, Math.max(0, at - loser.startedAt()));
            }
        }
    }

    /**
     * One pass over the job.
     *
     * @return the number of backups launched; 0 in a dry run
     */
    int pass() {
        long clock = context.getClock().getTime();
        long now = time.at(clock);
        // 1. Find the job; before JOB_CREATE there is none.
        JobObserver open = observer();
        if (open == null) {
            return 0;
        }
        DecisionLog decisions = log();
        // 2. Read what has changed without an event.
        open.refresh(now, at -> time.earlier(at, clock), this::won);
        // 3. Move badly placed backups.
        for (AttemptRecord backup : newBackups) {
            if (backup.live()) {
                Decision decision = policy.placed(backup, now);
                decisions.add(decision, clock);
                move(open, backup, decision, now);
            }
        }
        newBackups.clear();
        // 4. Judge every running task, and act.
        int launched = 0;
        for (TaskKind kind : TaskKind.values()) {
            if (enabled(kind)) {
                for (Decision decision : policy.scan(kind, now)) {
                    boolean changed = decisions.add(decision, clock);
                    launched += act(open, decision, changed, now);
                }
            }
        }
        // 5. End a reduce that only waits for maps, if a backup of a map finds no slot.
        if (enabled(TaskKind.MAP)) {
            policy.makeRoom(now).ifPresent(decision -> {
                decisions.add(decision, clock);
                makeRoom(open, decision, now);
            });
        }
        decisions.flush();
        publish();
        return launched;
    }

    private boolean enabled(TaskKind kind) {
        return kind == TaskKind.MAP ? config.enabledForMaps() : config.enabledForReduces();
    }

    private void move(JobObserver open, AttemptRecord backup, Decision decision, long now) {
        if (decision.action() == Decision.Action.KILL) {
            TaskAttemptId attempt = open.attempt(backup.id());
            open.moved(backup, now);
            commands.count(LateCounter.MOVED, 1);
            String where = decision.reason() == Reason.SAME_NODE ? "the node of its original" : "a slow node";
            commands.kill(attempt, "Heddle LATE: the backup was placed on " + where);
        }
    }

    private int act(JobObserver open, Decision decision, boolean changed, long now) {
        if (decision.action() != Decision.Action.LAUNCH) {
            if (changed) {
                countVeto(decision.reason());
            }
            return 0;
        }
        commands.count(LateCounter.LAUNCHED, 1);
        if (dryRun) {
            registry.requestedInDryRun(JobObserver.kind(open.task(decision.task())), decision.task());
            return 0;
        }
        LOG.info("Backup: {}", decision);
        open.requested(decision.task(), now);
        commands.launch(open.task(decision.task()));
        return 1;
    }

    private void countVeto(Reason reason) {
        LateCounter veto = LateCounter.veto(reason);
        if (veto != null) {
            commands.count(veto, 1);
        }
    }

    private void makeRoom(JobObserver open, Decision decision, long now) {
        String reduce = Objects.requireNonNull(decision.attempt());
        LOG.info("Room for the backup of a map: {}", decision);
        registry.madeRoom(reduce, now);
        commands.count(LateCounter.ROOM_MADE, 1);
        commands.kill(
                open.attempt(reduce),
                "Heddle LATE: this reduce only waited for maps, and its slot is for the backup of a map");
    }

    /** The log of decisions, which the first pass opens. */
    private DecisionLog log() {
        if (log == null) {
            log = openLog(String.valueOf(jobId));
        }
        return log;
    }

    private DecisionLog openLog(String job) {
        String logDir = System.getProperty(LOG_DIR);
        if (logDir == null || !config.value(LateKeys.EXPLAIN)) {
            return DecisionLog.silent();
        }
        String file = logDir + "/late.jsonl";
        try {
            String profile = config.settings().profile().name().toLowerCase(Locale.ROOT);
            return DecisionLog.to(Paths.get(file), job, profile, dryRun);
        } catch (RuntimeException e) {
            LOG.warn("No decisions are written, because {} cannot be opened: {}", file, e.getMessage());
            return DecisionLog.silent();
        }
    }

    /** Adds the counts since the last call to the counters of the job. */
    private void publish() {
        if (jobId != null) {
            commands.publish(jobId);
        }
    }

    /** Writes the last lines of the decision log. */
    void close() {
        if (log != null) {
            try {
                log.close();
            } catch (RuntimeException e) {
                LOG.warn("The last lines of the decision log could not be written: {}", e.getMessage());
            }
        }
    }
}
