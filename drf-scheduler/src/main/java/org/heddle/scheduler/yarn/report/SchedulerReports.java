// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.report;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ClusterNodeTracker;
import org.heddle.scheduler.model.ConfigurationChange;
import org.heddle.scheduler.snapshot.History;
import org.heddle.scheduler.snapshot.NodeReport;
import org.heddle.scheduler.snapshot.QueueDetails;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.snapshot.Waiting;
import org.heddle.scheduler.yarn.app.ApplicationLifecycle;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.config.ActiveConfiguration;
import org.heddle.scheduler.yarn.node.AllocationDelays;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.scheduler.yarn.node.NodeReservations;
import org.heddle.scheduler.yarn.preemption.Preemptor;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;

/**
 * Reports for the outside: snapshots, the history of shares, why an application waits. Called by any thread; takes the
 * scheduler's lock itself, only to copy or to explain.
 */
public final class SchedulerReports {
    /** A younger snapshot is shown again: pages must not slow down the scheduler. */
    private static final long RECENT_MILLIS = 500;

    /** Interval between two updates of the queues' metrics and of diagnostics: it bounds their cost with thousands of queues. */
    private static final long PUBLISH_MILLIS = 2_000;

    private final QueueTree queues;
    private final SnapshotTaker taker;
    private final QueueDetailsTaker detailsTaker;
    private final Explainer explainer;
    private final MasterDiagnostics masterDiagnostics;
    private final StateDump stateDump;
    private final ShareHistory history;
    private final ApplicationLifecycle applicationLifecycle;
    private final ActiveConfiguration configuration;
    private final NodeReservations reservations;
    private final Preemptor preemptor;
    private final ClusterNodeTracker<HeddleNode> tracker;
    private final Consumer<Map<String, Long>> counting;
    private final AllocationDelays delays;
    private final Lock lock;
    private final Runnable catchUp;
    private final Clocks clocks;
    private final Object monitor = new Object();
    private volatile @Nullable Recent last;
    private long publishedMillis;

    /** A snapshot, and when it was taken by the monotonic clock. */
    private record Recent(SchedulerSnapshot snapshot, long atMillis) {}

    /**
     * @param counting adds the scheduler's counters
     * @param catchUp takes over new asks of ApplicationMasters
     */
    public SchedulerReports(
            QueueTree queues,
            SnapshotTaker taker,
            QueueDetailsTaker detailsTaker,
            Explainer explainer,
            ShareHistory history,
            ApplicationLifecycle applicationLifecycle,
            ActiveConfiguration configuration,
            NodeReservations reservations,
            Preemptor preemptor,
            ClusterNodeTracker<HeddleNode> tracker,
            Consumer<Map<String, Long>> counting,
            AllocationDelays delays,
            Lock lock,
            Runnable catchUp,
            Clocks clocks) {
        this.queues = queues;
        this.taker = taker;
        this.detailsTaker = detailsTaker;
        this.explainer = explainer;
        this.masterDiagnostics = new MasterDiagnostics(queues, explainer);
        this.stateDump = new StateDump(queues, detailsTaker, detailsTaker.vectors());
        this.history = history;
        this.applicationLifecycle = applicationLifecycle;
        this.configuration = configuration;
        this.reservations = reservations;
        this.preemptor = preemptor;
        this.tracker = tracker;
        this.counting = counting;
        this.delays = delays;
        this.lock = lock;
        this.catchUp = catchUp;
        this.clocks = clocks;
    }

    /** A snapshot that is at most {@link #RECENT_MILLIS} old. */
    public SchedulerSnapshot recent() {
        Recent shown = last;
        if (shown != null && isRecent(shown)) {
            return shown.snapshot;
        }
        synchronized (monitor) {
            shown = last;
            if (shown == null || !isRecent(shown)) {
                shown = new Recent(now(), clocks.millis());
                last = shown;
            }
            return shown.snapshot;
        }
    }

    private boolean isRecent(Recent taken) {
        return clocks.millis() - taken.atMillis < RECENT_MILLIS;
    }

    /** A snapshot of this instant. */
    public SchedulerSnapshot now() {
        return copy().get();
    }

    private Supplier<SchedulerSnapshot> copy() {
        lock.lock();
        try {
            catchUp.run();
            queues.limits().refresh();
            Map<String, Long> counters = new TreeMap<>();
            counting.accept(counters);
            counters.putAll(preemptor.counters());
            return taker.copy(
                    clocks,
                    tracker.getAllNodes(),
                    reservations.size(),
                    configuration.origin(),
                    preemptor.shown(),
                    counters,
                    delays.report(clocks.millis()));
        } finally {
            lock.unlock();
        }
    }

    /**
     * The details of all queues, by path.
     *
     * @param largest the largest container of the cluster
     */
    public Map<String, QueueDetails> queueDetails(Resource largest) {
        lock.lock();
        try {
            catchUp.run();
            queues.limits().refresh();
            return detailsTaker.take(largest);
        } finally {
            lock.unlock();
        }
    }

    public History history() {
        return history.all(clocks);
    }

    public List<ConfigurationChange> configurationChanges() {
        return configuration.history();
    }

    /** The nodes, in no order. */
    public List<NodeReport> nodes() {
        lock.lock();
        try {
            return tracker.getAllNodes().stream().map(this::node).toList();
        } finally {
            lock.unlock();
        }
    }

    private NodeReport node(HeddleNode node) {
        HeddleAttempt attempt = node.reservedFor();
        return new NodeReport(
                node.getNodeID().toString(),
                node.getPartition(),
                detailsTaker.vectors().toMap(detailsTaker.vectors().of(node.getTotalResource())),
                detailsTaker.vectors().toMap(detailsTaker.vectors().of(node.getAllocatedResource())),
                node.getNumContainers(),
                attempt == null ? "" : attempt.getApplicationId().toString(),
                node.promises().stream()
                        .map(promise -> promise.attempt().getApplicationId().toString())
                        .distinct()
                        .collect(Collectors.joining(", ")));
    }

    /** Records the present shares, publishes metrics of queues and what masters wait for, and logs; under the scheduler's lock. */
    public void sample() {
        long now = clocks.millis();
        history.sample(queues, now);
        if (now - publishedMillis >= PUBLISH_MILLIS) {
            publishedMillis = now;
            detailsTaker.publish();
            masterDiagnostics.publish();
        }
        stateDump.tick(now, tracker.getClusterCapacity());
    }

    Explainer explainer() {
        return explainer;
    }

    /** Why an application waits; null if there is no such application. */
    @Nullable
    public Waiting why(String applicationId) {
        ApplicationId id = Explainer.id(applicationId);
        HeddleApplication application = id == null ? null : applicationLifecycle.application(id);
        if (application == null) {
            return null;
        }
        // Before the lock: this waits for Hadoop's lock of the attempt, whose holder may wait for ours.
        String unregistered = explainer.unregisteredMaster(application);
        lock.lock();
        try {
            catchUp.run();
            queues.limits().refresh();
            return explainer.explain(
                    application,
                    applicationLifecycle.whyNotAdmitted(application),
                    unregistered,
                    tracker.getAllNodes(),
                    clocks);
        } finally {
            lock.unlock();
        }
    }
}
