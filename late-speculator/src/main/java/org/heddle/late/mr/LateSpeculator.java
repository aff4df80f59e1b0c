// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
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
 * <p>One lock guards everything; it is held for the length of an event (O(1)) or of a pass. Events come from the
 * ApplicationMaster's dispatcher thread, passes from the own thread or from whoever drives {@link #scan()}.
 *
 * <p>Never harms the job: the constructor does not throw, and whatever fails later ends speculation with one warning.
 *
 * <p>Long because it is the one class that MapReduce knows: events in, backups and kills out, all under one lock.
 */
public class LateSpeculator extends AbstractService implements Speculator {
    private static final Logger LOG = LoggerFactory.getLogger(LateSpeculator.class);
    private static final String LOG_DIR = "yarn.app.container.log.dir";

    private final AppContext context;
    private final SplitSizes splitSizes;
    private final Object lock = new Object();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile boolean dead;
    private volatile boolean sized;
    private @Nullable Thread thread;

    @GuardedBy("lock")
    private @Nullable Core core;

    /** What exists once the configuration was read. */
    private static final class Core {
        final Configuration conf;
        final LateConfig config;
        final AttemptRegistry book;
        final LatePolicy policy;
        final AmCommands levers;
        final List<AttemptRecord> justLanded = new ArrayList<>();
        final @Nullable PriceFeed prices;
        boolean logOpened;
        DecisionLog log = DecisionLog.silent();

        @Nullable
        JobObserver watch;

        @Nullable
        JobId jobId;

        Core(Configuration conf, AppContext context) {
            this.conf = conf;
            this.config = LateConfig.of(conf);
            Settings settings = config.settings();
            this.book = new AttemptRegistry(config.value(LateKeys.WINDOW));
            this.policy = new LatePolicy(book, settings);
            this.levers = new AmCommands(
                    context.getEventHandler(), Math.max(1, conf.getInt(MRJobConfig.MAX_TASK_FAILURES_PER_TRACKER, 3)));
            String url = config.value(LateKeys.PRICE_URL);
            this.prices = url.isEmpty() ? null : new PriceFeed(url, config.value(LateKeys.PRICE_SECONDS));
        }

        boolean enabled(TaskKind kind) {
            return kind == TaskKind.MAP ? config.enabledForMaps() : config.enabledForReduces();
        }
    }

    /** What the ApplicationMaster calls. */
    public LateSpeculator(Configuration conf, AppContext context) {
        this(conf, context, SplitSizes.staged());
    }

    /**
     * For drivers that know the input sizes themselves.
     *
     * @param splitSizes asked once, at the first pass
     */
    public LateSpeculator(Configuration conf, AppContext context, SplitSizes splitSizes) {
        super(LateSpeculator.class.getName());
        this.context = context;
        this.splitSizes = splitSizes;
        try {
            Core built = new Core(conf, context);
            built.config.problems().forEach(problem -> LOG.warn("{}. The default is used.", problem));
            synchronized (lock) {
                core = built;
            }
        } catch (RuntimeException | LinkageError e) {
            giveUp("could not be set up", e);
        }
    }

    @Override
    protected void serviceStart() throws Exception {
        if (!dead) {
            Thread passes = new Thread(this::passes, "heddle-late");
            passes.setDaemon(true);
            // The job's own class loader, when there is one, is where this class came from.
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
                    LOG.warn("The decision log could not be completed: {}", e.getMessage());
                }
            }
        }
        super.serviceStop();
    }

    @Override
    public void handle(SpeculatorEvent event) {
        if (dead) {
            return;
        }
        try {
            synchronized (lock) {
                if (core != null) {
                    take(core, event);
                }
            }
        } catch (RuntimeException | LinkageError e) {
            giveUp("failed on " + event.getType(), e);
        }
    }

    @Override
    public void handleAttempt(TaskAttemptStatus status) {
        handle(new SpeculatorEvent(status, context.getClock().getTime()));
    }

    /**
     * One pass: takes over what happened, judges landings, launches what deserves it. Needs no started service.
     *
     * @return the number of backups launched; 0 in a dry run
     */
    public int scan() {
        if (dead) {
            return 0;
        }
        try {
            askSizes();
            synchronized (lock) {
                return core == null ? 0 : pass(core, context.getClock().getTime());
            }
        } catch (RuntimeException | LinkageError e) {
            giveUp("failed in a pass", e);
            return 0;
        }
    }

    private void passes() {
        try {
            boolean launched = false;
            while (!stopped.await(pauseMillis(launched), TimeUnit.MILLISECONDS) && !dead) {
                launched = scan() > 0;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | LinkageError e) {
            giveUp("lost its thread", e);
        }
    }

    private long pauseMillis(boolean launched) {
        synchronized (lock) {
            return core == null ? Long.MAX_VALUE : core.config.pauseMillis(launched);
        }
    }

    private void giveUp(String what, Throwable why) {
        if (!dead) {
            dead = true;
            LOG.warn("The LATE speculator {}; the job goes on without backups.", what, why);
        }
    }

    private void take(Core core, SpeculatorEvent event) {
        if (event.getType() == Speculator.EventType.JOB_CREATE) {
            core.jobId = event.getJobID();
        }
        JobObserver watch = watch(core);
        switch (event.getType()) {
            case JOB_CREATE:
                break;
            case TASK_CONTAINER_NEED_UPDATE:
                core.book.waiting(JobObserver.kind(event.getTaskID()), event.containersNeededChange());
                if (watch != null && event.containersNeededChange() > 0) {
                    watch.asked(event.getTaskID(), context.getClock().getTime());
                    freeOfLocality(core, watch, event.getTaskID());
                }
                break;
            case ATTEMPT_START:
                if (watch != null) {
                    AttemptRecord started = watch.started(event.getReportedStatus().id, event.getTimestamp());
                    if (started != null && started.backup()) {
                        core.justLanded.add(started);
                    }
                }
                break;
            case ATTEMPT_STATUS_UPDATE:
                if (watch != null) {
                    report(core, watch, event.getReportedStatus(), event.getTimestamp());
                }
                break;
        }
    }

    private static void report(Core core, JobObserver watch, TaskAttemptStatus status, long at) {
        watch.reported(status, at);
        AttemptRecord attempt = core.book.attempt(watch.name(status.id));
        if (attempt != null && attempt.live() && watch.succeeded(status.id)) {
            watch.succeed(attempt, at, (winner, when) -> won(core, winner, when));
            // The last success ends the job before there is another pass.
            publish(core);
        }
    }

    /** Counted when a task succeeds: later the losers are killed without an event. */
    private static void won(Core core, AttemptRecord winner, long at) {
        if (winner.task().live().size() > 1) {
            core.levers.count(LateCounter.WON, winner.backup() ? 1 : 0);
            for (AttemptRecord loser : winner.task().live()) {
                if (loser != winner) {
                    core.levers.count(LateCounter.WASTED_MS, Math.max(0, at - loser.startedAt()));
                }
            }
        }
    }

    private static void freeOfLocality(Core core, JobObserver watch, TaskId task) {
        var record = core.book.taskRecord(watch.name(task));
        boolean ours = record != null && record.requested() > 0 && !core.config.value(LateKeys.DRY_RUN);
        if (ours && core.config.value(LateKeys.ANY_NODE)) {
            TaskAttemptId newest = watch.newest(task);
            if (newest != null) {
                core.levers.requestAnywhere(newest);
            }
        }
    }

    private int pass(Core core, long now) {
        // 1. Find the job; before JOB_CREATE there is nothing to speculate on.
        JobObserver watch = watch(core);
        if (watch == null) {
            return 0;
        }
        if (!core.logOpened && core.jobId != null) {
            core.logOpened = true;
            core.log = openLog(core, core.jobId);
        }
        // 2. Take over what no event told.
        watch.look(now, (winner, when) -> won(core, winner, when));
        // 3. Send badly landed backups elsewhere.
        judgeLandings(core, watch, now);
        // 4. What does a backup cost?
        if (core.prices != null) {
            core.policy.price(core.prices.perSlotSecond(now));
        }
        // 5. Judge every running task, and act.
        int launched = 0;
        for (TaskKind kind : TaskKind.values()) {
            if (core.enabled(kind)) {
                for (Decision verdict : core.policy.scan(kind, now)) {
                    launched += act(core, watch, verdict, now);
                }
            }
        }
        core.log.flush();
        publish(core);
        return launched;
    }

    private static int act(Core core, JobObserver watch, Decision verdict, long now) {
        boolean news = core.log.note(verdict, now);
        if (verdict.action() != Decision.Action.LAUNCH) {
            LateCounter veto = news ? LateCounter.veto(verdict.reason()) : null;
            if (veto != null) {
                core.levers.count(veto, 1);
            }
            return 0;
        }
        boolean dry = core.config.value(LateKeys.DRY_RUN);
        core.levers.count(LateCounter.LAUNCHED, 1);
        if (dry) {
            core.book.imagined(JobObserver.kind(watch.task(verdict.task())), verdict.task(), verdict.cost());
            return 0;
        }
        LOG.info("Backup: {}", verdict);
        barNode(core, watch, verdict, now);
        watch.requested(verdict.task(), now, verdict.cost());
        core.levers.launch(watch.task(verdict.task()));
        return 1;
    }

    /** Before a backup is asked for, so that it does not land where its original is. */
    private static void barNode(Core core, JobObserver watch, Decision verdict, long now) {
        double share = core.config.value(LateKeys.BLACKLIST_SHARE);
        String attempt = verdict.attempt();
        String node = verdict.node();
        if (share > 0 && attempt != null && node != null) {
            TaskKind kind = JobObserver.kind(watch.task(verdict.task()));
            if (core.policy.slowNode(kind, node, now)) {
                core.levers.bar(watch.attempt(attempt), node, watch.nodesUsed(), share);
            }
        }
    }

    private static void judgeLandings(Core core, JobObserver watch, long now) {
        for (AttemptRecord landed : core.justLanded) {
            if (!landed.live()) {
                continue;
            }
            Decision verdict = core.policy.landed(landed, now);
            core.log.note(verdict, now);
            if (verdict.action() == Decision.Action.KILL) {
                TaskAttemptId attempt = watch.attempt(landed.id());
                core.book.moved(landed.id(), now);
                core.levers.count(LateCounter.MOVED, 1);
                core.levers.move(
                        attempt,
                        "Heddle LATE: backup landed on "
                                + (verdict.reason() == Reason.SAME_NODE ? "its original's node" : "a slow node"));
            }
        }
        core.justLanded.clear();
    }

    private @Nullable JobObserver watch(Core core) {
        if (core.watch == null && core.jobId != null) {
            Job job = context.getJob(core.jobId);
            if (job != null) {
                core.watch = new JobObserver(job, core.book);
            }
        }
        return core.watch;
    }

    private static DecisionLog openLog(Core core, JobId job) {
        String named = core.config.value(LateKeys.EXPLAIN_FILE);
        String logDir = System.getProperty(LOG_DIR);
        if (!core.config.value(LateKeys.EXPLAIN) || (named.isEmpty() && logDir == null)) {
            return DecisionLog.silent();
        }
        Path file = named.isEmpty() ? Paths.get(String.valueOf(logDir), "late.jsonl") : Paths.get(named);
        try {
            return DecisionLog.to(
                    file,
                    core.config.value(LateKeys.EXPLAIN_LINES),
                    job.toString(),
                    core.config.settings().profile().name().toLowerCase(Locale.ROOT),
                    core.config.value(LateKeys.DRY_RUN));
        } catch (RuntimeException e) {
            LOG.warn("Decisions are not written: {} cannot be opened ({})", file, e.getMessage());
            return DecisionLog.silent();
        }
    }

    /** Reads the input sizes once, outside the lock: it may take a moment, and the dispatcher must not wait. */
    private void askSizes() {
        JobObserver watch;
        Configuration conf;
        synchronized (lock) {
            watch = core == null || sized ? null : watch(core);
            if (core == null || watch == null) {
                return;
            }
            conf = core.conf;
        }
        sized = true;
        try {
            long[] sizes = splitSizes.of(watch.classicId(), conf);
            synchronized (lock) {
                watch.sizes(sizes);
            }
        } catch (IOException | RuntimeException e) {
            LOG.info("Input sizes of the maps are not known, they count as equal: {}", e.getMessage());
        }
    }

    private static void publish(Core core) {
        if (core.jobId != null) {
            core.levers.publish(core.jobId);
        }
    }
}
