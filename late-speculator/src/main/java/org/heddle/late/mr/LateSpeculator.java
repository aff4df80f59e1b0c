// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.service.AbstractService;
import org.heddle.late.policy.Settings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * LATE as a drop-in for {@code yarn.app.mapreduce.am.job.speculator.class}.
 *
 * <p>One lock guards all state; it is held for the length of an event (O(1)) or of a pass. Events come from the
 * ApplicationMaster's dispatcher thread, passes from the thread of this class or from a caller of {@link #scan()}.
 *
 * <p>A failure does not end the job: the constructor does not throw, and a later failure ends speculation with one
 * warning.
 */
public class LateSpeculator extends AbstractService implements Speculator {
    private static final Logger LOG = LoggerFactory.getLogger(LateSpeculator.class);
    private static final int SIZES_AT_ONCE = 500;

    private final Configuration conf;
    private final AppContext context;
    private final SplitSizes splitSizes;
    private final Object lock = new Object();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile boolean disabled;
    private volatile boolean sizesRead;
    private @Nullable Thread thread;

    @GuardedBy("lock")
    private @Nullable JobSpeculation speculation;

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
        this.conf = conf;
        this.context = context;
        this.splitSizes = splitSizes;
        try {
            JobSpeculation built = new JobSpeculation(conf, context, changes);
            synchronized (lock) {
                speculation = built;
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
            if (speculation != null) {
                speculation.close();
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
                if (speculation != null) {
                    speculation.handle(event);
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
     * One pass: reads the state of the job, judges where new backups were placed, and launches backups. The service
     * need not be started.
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
                return speculation == null ? 0 : speculation.pass();
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
            return speculation == null ? Long.MAX_VALUE : speculation.pauseMillis(launched);
        }
    }

    private void disable(String what, Throwable why) {
        if (!disabled) {
            disabled = true;
            LOG.warn("The LATE speculator {}; the job continues without backups.", what, why);
        }
    }

    /** Reads the input sizes once, without the lock: this may take long, and the dispatcher must not wait. */
    private void readSplitSizes() {
        JobObserver observer = sizesRead ? null : observer();
        if (observer == null) {
            return;
        }
        sizesRead = true;
        try {
            long[] sizes = splitSizes.of(observer.classicId(), conf);
            if (Arrays.stream(sizes).allMatch(size -> size == 0)) {
                return; // splits that are not parts of files often have no length
            }
            for (int from = 0; from < sizes.length; from += SIZES_AT_ONCE) {
                // In parts, so that events need not wait for tens of thousands of names.
                synchronized (lock) {
                    observer.sizes(sizes, from, Math.min(sizes.length, from + SIZES_AT_ONCE));
                }
            }
        } catch (IOException | RuntimeException e) {
            LOG.info(
                    "The input sizes of the maps are not known, so the records that the maps read count: {}",
                    e.getMessage());
        }
    }

    private @Nullable JobObserver observer() {
        synchronized (lock) {
            return speculation == null ? null : speculation.observer();
        }
    }
}
