// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.report;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ClusterNodeTracker;
import org.heddle.scheduler.snapshot.ConfigurationChange;
import org.heddle.scheduler.snapshot.History;
import org.heddle.scheduler.snapshot.NodeReport;
import org.heddle.scheduler.snapshot.QueueDetails;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.snapshot.Waiting;
import org.heddle.scheduler.yarn.app.ApplicationLifecycle;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.config.ActiveConfiguration;
import org.heddle.scheduler.yarn.node.HeddleNode;
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

    /**
     * Interval between two updates of the queues' metrics and of diagnostics: it bounds their cost with thousands of
     * queues.
     */
    private static final long PUBLISH_MILLIS = 2_000;

    private final Access scheduler;
    private final SnapshotTaker taker;
    private final QueueDetailsTaker detailsTaker;
    private final Explainer explainer;
    private final MasterDiagnostics masterDiagnostics;
    private final StateDump stateDump;
    private final ShareHistory history;
    private final QueueTree queues;
    private final ApplicationLifecycle applicationLifecycle;
    private final ActiveConfiguration configuration;
    private final Object monitor = new Object();
    private volatile @Nullable Recent last;
    private long publishedMillis;

    /** What reports need of the scheduler. */
    public interface Access {
        /**
         * Looks at the state under the scheduler's lock, after the engine has taken over new asks, with limits of this
         * moment.
         */
        <T> T locked(Supplier<T> look);

        /** Adds the scheduler's counters. */
        void count(Map<String, Long> counters);

        ClusterNodeTracker<HeddleNode> nodeTracker();

        Clocks clocks();
    }

    /** A snapshot, and when it was taken by the monotonic clock. */
    private record Recent(SchedulerSnapshot snapshot, long atMillis) {}

    public SchedulerReports(
            Access scheduler,
            QueueTree queues,
            SnapshotTaker taker,
            Explainer explainer,
            ApplicationLifecycle applicationLifecycle,
            ActiveConfiguration configuration) {
        this.scheduler = scheduler;
        this.taker = taker;
        this.queues = queues;
        this.detailsTaker = new QueueDetailsTaker(queues.engine(), queues, queues.vectors());
        this.explainer = explainer;
        this.masterDiagnostics = new MasterDiagnostics(queues, explainer);
        this.stateDump = new StateDump(queues, detailsTaker, queues.vectors());
        this.history = new ShareHistory(queues.engine());
        this.applicationLifecycle = applicationLifecycle;
        this.configuration = configuration;
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
                shown = new Recent(now(), scheduler.clocks().millis());
                last = shown;
            }
            return shown.snapshot;
        }
    }

    private boolean isRecent(Recent taken) {
        return scheduler.clocks().millis() - taken.atMillis < RECENT_MILLIS;
    }

    /** A snapshot of this instant. */
    public SchedulerSnapshot now() {
        return scheduler.locked(this::copy).get();
    }

    private Supplier<SchedulerSnapshot> copy() {
        Map<String, Long> counters = new TreeMap<>();
        scheduler.count(counters);
        return taker.copy(scheduler.clocks(), scheduler.nodeTracker().getAllNodes(), configuration.origin(), counters);
    }

    /**
     * The details of all queues, by path.
     *
     * @param largest the largest container of the cluster
     */
    public Map<String, QueueDetails> queueDetails(Resource largest) {
        return scheduler.locked(() -> detailsTaker.take(largest));
    }

    public History history() {
        return history.all(scheduler.clocks());
    }

    public List<ConfigurationChange> configurationChanges() {
        return configuration.history();
    }

    /** The nodes, in no order. */
    public List<NodeReport> nodes() {
        return scheduler.locked(() ->
                scheduler.nodeTracker().getAllNodes().stream().map(this::node).toList());
    }

    private NodeReport node(HeddleNode node) {
        ResourceVectors vectors = queues.vectors();
        HeddleAttempt attempt = node.reservedFor();
        return new NodeReport(
                node.getNodeID().toString(),
                node.getPartition(),
                vectors.toMap(vectors.of(node.getTotalResource())),
                vectors.toMap(vectors.of(node.getAllocatedResource())),
                node.getNumContainers(),
                attempt == null ? "" : attempt.getApplicationId().toString(),
                node.promises().stream()
                        .map(promise -> promise.attempt().getApplicationId().toString())
                        .distinct()
                        .collect(Collectors.joining(", ")));
    }

    /**
     * Records the present shares, publishes metrics of queues and what masters wait for, and logs; under the
     * scheduler's lock.
     */
    public void sample() {
        long now = scheduler.clocks().millis();
        history.sample(queues, now);
        if (now - publishedMillis >= PUBLISH_MILLIS) {
            publishedMillis = now;
            detailsTaker.publish();
            masterDiagnostics.publish();
        }
        stateDump.tick(now, scheduler.nodeTracker().getClusterCapacity());
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
        return scheduler.locked(() -> explainer.explain(
                application,
                applicationLifecycle.whyNotAdmitted(application),
                unregistered,
                scheduler.nodeTracker().getAllNodes(),
                scheduler.clocks()));
    }
}
