// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
import org.apache.hadoop.service.AbstractService;
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
 * LATE as a drop-in for {@code yarn.app.mapreduce.am.job.speculator.class}.
 *
 * <p>One lock guards all state; it is held for the length of an event (O(1)) or of a pass. Events come from the
 * ApplicationMaster's dispatcher thread, passes from the thread of this class or from a caller of {@link #scan()}.
 *
 * <p>A failure does not end the job: the constructor does not throw, and a later failure ends speculation with one warning.
 */
public class LateSpeculator extends AbstractService implements Speculator {
    private static final Logger LOG = LoggerFactory.getLogger(LateSpeculator.class);
    // The clock jumps if more time passes between two readings; a scan reads it each second unless keys say otherwise.
    private static final long MOST_MILLIS_BETWEEN_READINGS = 10_000;
    private static final int SIZES_AT_ONCE = 500;
    private static final String LOG_DIR = "yarn.app.container.log.dir";

    private final AppContext context;
    private final SplitSizes splitSizes;
    private final Object lock = new Object();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile boolean disabled;
    private volatile boolean sizesRead;
    private @Nullable Thread thread;

    @GuardedBy("lock")
    private @Nullable Core core;

    /** The state, which exists once the configuration has been read. */
    private static final class Core {
        final Configuration conf;
        final LateConfig config;
        final AttemptRegistry registry;
        final LatePolicy policy;
        final AmCommands commands;
        final List<AttemptRecord> newBackups = new ArrayList<>();
        final SteadyTime time;
        boolean logOpened;
        DecisionLog log = DecisionLog.silent();

        @Nullable
        JobObserver observer;

        @Nullable
        JobId jobId;

        Core(Configuration conf, AppContext context, Consumer<Settings.Draft> changes) {
            this.conf = conf;
            this.config = LateConfig.of(conf);
            boolean fits = mapsFitReduceSlots(new JobConf(conf));
            Settings settings =
                    config.settings().with(draft -> draft.makeRoom &= fits).with(changes);
            this.registry = new AttemptRegistry();
            this.policy = new LatePolicy(registry, settings);
            this.commands = new AmCommands(context.getEventHandler());
            this.time = new SteadyTime(MOST_MILLIS_BETWEEN_READINGS + config.pauseMillis(true));
        }

        /** Whether the slot of a reduce is large enough for a map. */
        private static boolean mapsFitReduceSlots(JobConf job) {
            return job.getMemoryRequired(TaskType.MAP) <= job.getMemoryRequired(TaskType.REDUCE)
                    && job.getInt(MRJobConfig.MAP_CPU_VCORES, MRJobConfig.DEFAULT_MAP_CPU_VCORES)
                            <= job.getInt(MRJobConfig.REDUCE_CPU_VCORES, MRJobConfig.DEFAULT_REDUCE_CPU_VCORES);
        }

        boolean enabled(TaskKind kind) {
            return kind == TaskKind.MAP ? config.enabledForMaps() : config.enabledForReduces();
        }
    }

    /** The constructor which the ApplicationMaster calls. */
    public LateSpeculator(Configuration conf, AppContext context) {
        this(conf, context, SplitSizes.staged(), draft -> {});
    }

    /**
     * For experiments.
     *
     * @param splitSizes called once, at the first pass
     * @param changes to settings that have no key
     */
    public LateSpeculator(
            Configuration conf, AppContext context, SplitSizes splitSizes, Consumer<Settings.Draft> changes) {
        super(LateSpeculator.class.getName());
        this.context = context;
        this.splitSizes = splitSizes;
        try {
            Core built = new Core(conf, context, changes);
            built.config.problems().forEach(problem -> LOG.warn("Wrong configuration of LATE: {}.", problem));
            synchronized (lock) {
                core = built;
            }
        } catch (RuntimeException | LinkageError e) {
            disable("could not be set up", e);
        }
    }

    @Override
    protected void serviceStart() throws Exception {
        if (!disabled) {
            Thread passes = new Thread(this::passes, "heddle-late");
            passes.setDaemon(true);
            // With mapreduce.job.classloader this class comes from the job's own class loader.
            passes.setContextClassLoader(getClass().getClassLoader());
            thread = passes;
            passes.start();
        }
        super.serviceStart();
    }

    @Override
    protected void serviceStop() throws Exception {
        stopped.countDown();
        Thread passes = thread;
        if (passes != null) {
            passes.interrupt();
        }
        synchronized (lock) {
            if (core != null) {
                try {
                    core.log.close();
                } catch (RuntimeException e) {
                    LOG.warn("The last lines of the decision log could not be written: {}", e.getMessage());
                }
            }
        }
        super.serviceStop();
    }

    @Override
    public void handle(SpeculatorEvent event) {
        if (disabled) {
            return;
        }
        try {
            synchronized (lock) {
                if (core != null) {
                    dispatch(core, event);
                }
            }
        } catch (RuntimeException | LinkageError e) {
            disable("failed on " + event.getType(), e);
        }
    }

    @Override
    public void handleAttempt(TaskAttemptStatus status) {
        handle(new SpeculatorEvent(status, context.getClock().getTime()));
    }

    /**
     * One pass: reads the state of the job, judges where new backups were placed, and launches backups. The service need
     * not be started.
     *
     * @return the number of backups launched; 0 in a dry run
     */
    public int scan() {
        if (disabled) {
            return 0;
        }
        try {
            readSplitSizes();
            synchronized (lock) {
                return core == null ? 0 : pass(core, context.getClock().getTime());
            }
        } catch (RuntimeException | LinkageError e) {
            disable("failed in a pass", e);
            return 0;
        }
    }

    private void passes() {
        try {
            boolean launched = false;
            while (!stopped.await(pauseMillis(launched), TimeUnit.MILLISECONDS) && !disabled) {
                launched = scan() > 0;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | LinkageError e) {
            disable("lost its thread", e);
        }
    }

    private long pauseMillis(boolean launched) {
        synchronized (lock) {
            return core == null ? Long.MAX_VALUE : core.config.pauseMillis(launched);
        }
    }

    private void disable(String what, Throwable why) {
        if (!disabled) {
            disabled = true;
            LOG.warn("The LATE speculator {}; the job continues without backups.", what, why);
        }
    }

    private void dispatch(Core core, SpeculatorEvent event) {
        core.jobId = core.jobId == null ? job(event) : core.jobId;
        JobObserver observer = observer(core);
        long clock = context.getClock().getTime();
        long now = core.time.at(clock);
        switch (event.getType()) {
            case JOB_CREATE:
                break;
            case TASK_CONTAINER_NEED_UPDATE:
                core.registry.waiting(JobObserver.kind(event.getTaskID()), event.containersNeededChange());
                if (observer != null && event.containersNeededChange() > 0) {
                    observer.containerRequested(event.getTaskID(), now);
                }
                break;
            case ATTEMPT_START:
                if (observer != null) {
                    AttemptRecord started = observer.started(
                            event.getReportedStatus().id, core.time.earlier(event.getTimestamp(), clock));
                    if (started != null && started.backup()) {
                        core.newBackups.add(started);
                    }
                }
                break;
            case ATTEMPT_STATUS_UPDATE:
                if (observer != null) {
                    long at = core.time.earlier(event.getTimestamp(), clock);
                    report(core, observer, event.getReportedStatus(), at, clock);
                }
                break;
        }
    }

    /** JOB_CREATE may come late. An attempt that starts or reports shows as well which job it is of. */
    private static @Nullable JobId job(SpeculatorEvent event) {
        switch (event.getType()) {
            case JOB_CREATE:
                return event.getJobID();
            case TASK_CONTAINER_NEED_UPDATE:
                return event.getTaskID() == null ? null : event.getTaskID().getJobId();
            default:
                TaskAttemptStatus status = event.getReportedStatus();
                return status == null || status.id == null
                        ? null
                        : status.id.getTaskId().getJobId();
        }
    }

    private static void report(Core core, JobObserver observer, TaskAttemptStatus status, long at, long clock) {
        observer.startedUnannounced(status.id, at, clock);
        observer.reported(status, at);
        AttemptRecord attempt = core.registry.attempt(observer.name(status.id));
        if (attempt != null && attempt.live() && observer.succeeded(status.id)) {
            observer.succeed(attempt, at, (winner, when) -> won(core, winner, when));
            // The last success ends the job before the next pass.
            publish(core);
        }
    }

    /** Counts when a task succeeds: the ApplicationMaster kills its other attempts later, without an event. */
    private static void won(Core core, AttemptRecord winner, long at) {
        if (winner.task().live().size() > 1) {
            core.commands.count(LateCounter.WON, winner.backup() ? 1 : 0);
            for (AttemptRecord loser : winner.task().live()) {
                if (loser != winner) {
                    core.commands.count(LateCounter.WASTED_MS, Math.max(0, at - loser.startedAt()));
                }
            }
        }
    }

    private int pass(Core core, long clock) {
        long now = core.time.at(clock);
        // 1. Find the job; before JOB_CREATE there is none.
        JobObserver observer = observer(core);
        if (observer == null) {
            return 0;
        }
        if (!core.logOpened && core.jobId != null) {
            core.logOpened = true;
            core.log = openLog(core, core.jobId);
        }
        // 2. Read what has changed without an event.
        observer.refresh(now, at -> core.time.earlier(at, clock), (winner, when) -> won(core, winner, when));
        // 3. Move badly placed backups.
        judgePlacements(core, observer, now, clock);
        // 4. Judge every running task, and act.
        int launched = 0;
        for (TaskKind kind : TaskKind.values()) {
            if (core.enabled(kind)) {
                for (Decision decision : core.policy.scan(kind, now)) {
                    launched += act(core, observer, decision, now, clock);
                }
            }
        }
        makeRoom(core, observer, now, clock);
        core.log.flush();
        publish(core);
        return launched;
    }

    private static int act(Core core, JobObserver observer, Decision decision, long now, long clock) {
        boolean changed = core.log.add(decision, clock);
        if (decision.action() != Decision.Action.LAUNCH) {
            LateCounter veto = changed ? LateCounter.veto(decision.reason()) : null;
            if (veto != null) {
                core.commands.count(veto, 1);
            }
            return 0;
        }
        boolean dryRun = core.config.value(LateKeys.DRY_RUN);
        core.commands.count(LateCounter.LAUNCHED, 1);
        if (dryRun) {
            core.registry.requestedInDryRun(JobObserver.kind(observer.task(decision.task())), decision.task());
            return 0;
        }
        LOG.info("Backup: {}", decision);
        observer.requested(decision.task(), now);
        core.commands.launch(observer.task(decision.task()));
        return 1;
    }

    /** Ends a reduce that only waits for maps, if a backup of a map finds no slot. */
    private static void makeRoom(Core core, JobObserver observer, long now, long clock) {
        if (core.enabled(TaskKind.MAP)) {
            core.policy.makeRoom(now).ifPresent(decision -> {
                String reduce = Objects.requireNonNull(decision.attempt());
                core.log.add(decision, clock);
                LOG.info("Room for the backup of a map: {}", decision);
                core.registry.madeRoom(reduce, now);
                core.commands.count(LateCounter.ROOM_MADE, 1);
                core.commands.kill(
                        observer.attempt(reduce),
                        "Heddle LATE: this reduce only waited for maps, and its slot is for the backup of a map");
            });
        }
    }

    private static void judgePlacements(Core core, JobObserver observer, long now, long clock) {
        for (AttemptRecord backup : core.newBackups) {
            if (!backup.live()) {
                continue;
            }
            Decision decision = core.policy.placed(backup, now);
            core.log.add(decision, clock);
            if (decision.action() == Decision.Action.KILL) {
                TaskAttemptId attempt = observer.attempt(backup.id());
                observer.moved(backup, now);
                core.commands.count(LateCounter.MOVED, 1);
                core.commands.kill(
                        attempt,
                        "Heddle LATE: the backup was placed on "
                                + (decision.reason() == Reason.SAME_NODE ? "the node of its original" : "a slow node"));
            }
        }
        core.newBackups.clear();
    }

    private @Nullable JobObserver observer(Core core) {
        if (core.observer == null && core.jobId != null) {
            Job job = context.getJob(core.jobId);
            if (job != null) {
                core.observer = new JobObserver(job, core.registry);
            }
        }
        return core.observer;
    }

    private static DecisionLog openLog(Core core, JobId job) {
        String logDir = System.getProperty(LOG_DIR);
        if (logDir == null || !core.config.value(LateKeys.EXPLAIN)) {
            return DecisionLog.silent();
        }
        String file = logDir + "/late.jsonl";
        try {
            return DecisionLog.to(
                    Paths.get(file),
                    job.toString(),
                    core.config.settings().profile().name().toLowerCase(Locale.ROOT),
                    core.config.value(LateKeys.DRY_RUN));
        } catch (RuntimeException e) {
            LOG.warn("No decisions are written, because {} cannot be opened: {}", file, e.getMessage());
            return DecisionLog.silent();
        }
    }

    /** Reads the input sizes once, without the lock: this may take long, and the dispatcher must not wait. */
    private void readSplitSizes() {
        JobObserver observer;
        Configuration conf;
        synchronized (lock) {
            observer = core == null || sizesRead ? null : observer(core);
            if (core == null || observer == null) {
                return;
            }
            conf = core.conf;
        }
        sizesRead = true;
        try {
            long[] sizes = splitSizes.of(observer.classicId(), conf);
            for (int from = 0; from < sizes.length; from += SIZES_AT_ONCE) {
                // In parts, so that events need not wait for tens of thousands of names.
                synchronized (lock) {
                    observer.sizes(sizes, from, Math.min(sizes.length, from + SIZES_AT_ONCE));
                }
            }
        } catch (IOException | RuntimeException e) {
            LOG.info("The input sizes of the maps are not known, so all maps count as equal: {}", e.getMessage());
        }
    }

    private static void publish(Core core) {
        if (core.jobId != null) {
            core.commands.publish(core.jobId);
        }
    }
}
