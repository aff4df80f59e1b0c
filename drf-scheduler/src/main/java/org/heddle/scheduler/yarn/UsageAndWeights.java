// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.heddle.scheduler.accounting.UsageQuery;
import org.heddle.scheduler.accounting.UsageReport;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.scheduler.yarn.accounting.UsageAccounting;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.app.SchedulerContext;
import org.heddle.scheduler.yarn.federation.FederationWeights;
import org.heddle.scheduler.yarn.federation.StoredWeights;
import org.heddle.scheduler.yarn.queue.PastUsage;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.jspecify.annotations.Nullable;

/**
 * The accounting of usage, and the weights that are not those of the file: they depend on past usage, or the federation
 * sets them. Under the scheduler's lock where nothing else is said.
 */
final class UsageAndWeights {
    private final QueueTree queues;
    private final @Nullable StoredWeights storedWeights;
    private final @Nullable FederationWeights federationWeights;
    /** From when this manager begins to lead. */
    private volatile @Nullable UsageAccounting usage;

    private @Nullable PastUsage pastUsage;

    UsageAndWeights(QueueTree queues, Configuration conf) {
        this.queues = queues;
        if (StoredWeights.areWanted(conf)) {
            storedWeights = StoredWeights.of(conf);
            federationWeights = new FederationWeights(queues, queues.engine(), queues.vectors(), storedWeights);
        } else {
            storedWeights = null;
            federationWeights = null;
        }
    }

    /**
     * Not during {@code serviceInit}: a standby is initialised when its process starts, and would go on from there when
     * it takes over, over the hours that the other manager has written meanwhile. Without the lock.
     */
    void startAccounting(Configuration conf, SchedulerContext scheduler, Supplier<List<HeddleAttempt>> attempts) {
        String directory = SchedulerKeys.USAGE_DIRECTORY.read(conf::get);
        UsageAccounting started = null;
        if (!directory.equals("none")) {
            started = UsageAccounting.in(directory, conf, scheduler.resourceManager(), attempts, scheduler.clocks());
        }
        PastUsage.Archive archive = started == null ? null : started::past;
        pastUsage = new PastUsage(queues, queues.engine(), queues.vectors(), archive, scheduler.clocks());
        usage = started;
    }

    /** Begins to read the weights of the federation. Without the lock. */
    void startReading() {
        if (storedWeights != null) {
            storedWeights.start();
        }
    }

    /** Takes the lock only for the last account. */
    void stop(Lock lock) {
        if (storedWeights != null) {
            storedWeights.stop();
        }
        UsageAccounting running = usage;
        if (running == null) {
            return;
        }
        lock.lock();
        try {
            running.finish();
        } finally {
            lock.unlock();
        }
        running.stop();
    }

    /** Puts weights in force that are not those of the file. */
    void tickWeights() {
        if (pastUsage != null) {
            pastUsage.tick();
        }
        if (federationWeights != null) {
            federationWeights.tick();
        }
    }

    void tickAccounting() {
        if (usage != null) {
            usage.tick();
        }
    }

    void ended(HeddleAttempt attempt, RMContainer container, ContainerStatus status) {
        if (usage != null) {
            usage.ended(attempt, container, status);
        }
    }

    void recovered(HeddleAttempt attempt, RMContainer container) {
        if (usage != null) {
            usage.recovered(attempt, container);
        }
    }

    /** Any thread, without the lock; null if there is no accounting. */
    @Nullable
    UsageReport report(UsageQuery query, Lock lock) throws IOException {
        UsageAccounting running = usage;
        if (running == null) {
            return null;
        }
        lock.lock();
        try {
            running.refresh();
        } finally {
            lock.unlock();
        }
        return running.report(query);
    }
}
