// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.heddle.scheduler.engine.FairShares;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.Vectors;
import org.heddle.scheduler.policy.DominantShare;
import org.heddle.scheduler.policy.JainIndex;
import org.heddle.scheduler.policy.ShareOrders;
import org.heddle.scheduler.snapshot.AllocationDelayReport;
import org.heddle.scheduler.snapshot.LabelUsage;
import org.heddle.scheduler.snapshot.PendingAsks;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.Kind;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.SchedulableReport;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.node.AllocationDelays;
import org.heddle.scheduler.yarn.node.Feasibility;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.scheduler.yarn.node.NodeReservations;
import org.heddle.scheduler.yarn.preemption.Preemptor;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.heddle.scheduler.yarn.queue.LabelCapacities;
import org.heddle.scheduler.yarn.queue.PendingByLabel;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link SchedulerSnapshot} of queues, users and applications: copies under the scheduler's lock, then computes
 * the rest, mainly fair shares, without it.
 */
public final class SnapshotTaker {
    private static final Comparator<Schedulable> SERVED_FIRST = Comparator.comparingLong(Schedulable::tier)
            .thenComparingDouble(Schedulable::key)
            .thenComparing(Schedulable::name);

    private final ShareEngine engine;
    private final ResourceVectors vectors;
    private final ShareOrders orders;
    private final StaticVetoes staticVetoes;
    private final LabelCapacities capacities;
    private final PendingByLabel pending;
    private final AllocationDelays delays;
    private final NodeReservations reservations;
    private final Preemptor preemptor;

    public SnapshotTaker(
            QueueTree queues,
            ShareOrders orders,
            Feasibility feasibility,
            AllocationDelays delays,
            NodeReservations reservations,
            Preemptor preemptor) {
        this.capacities = queues.limits().labels();
        this.pending = queues.limits().pending();
        this.engine = queues.engine();
        this.vectors = queues.vectors();
        this.delays = delays;
        this.reservations = reservations;
        this.preemptor = preemptor;
        this.orders = orders;
        this.staticVetoes = new StaticVetoes(engine, feasibility, StaticVetoes.MOST_APPLICATIONS);
    }

    /** Copies the state under the lock; the supplier makes the snapshot without the lock. */
    Supplier<SchedulerSnapshot> copy(
            Clocks clocks,
            List<HeddleNode> nodes,
            SchedulerSnapshot.Configuration configuration,
            Map<String, Long> counters) {
        engine.renew();
        long[] capacity = engine.capacity();
        Map<String, Long> total = vectors.toMap(capacity);
        Map<String, Long> used = vectors.toMap(engine.root().usage());
        double jain = jain();
        FairShares fair = FairShares.copy(engine, orders);
        Map<Schedulable, String> obstacles = staticVetoes.look(nodes, clocks.millis());
        long date = clocks.date();
        Copied root = copy(engine.root(), 1, vectors.counted(capacity), obstacles);
        int nodeCount = nodes.size();
        int reservedNodes = reservations.size();
        List<SchedulerSnapshot.PreemptionReport> preemptions = preemptor.shown();
        AllocationDelayReport delayReport = delays.report(clocks.millis());
        Map<String, PendingAsks> asked = pending.report();
        return () -> new SchedulerSnapshot(
                date,
                nodeCount,
                reservedNodes,
                total,
                used,
                jain,
                root.report(fair.divide(), ""),
                configuration,
                preemptions,
                counters,
                delayReport,
                asked);
    }

    /**
     * Jain's index over users with pending asks (over applications if a leaf divides among these), of x_i = max_j s_ij
     * / (w_ij / sum_k w_kj), independent of the share order.
     */
    private double jain() {
        List<Double> normalizedShares = new ArrayList<>();
        collectUsers(engine.root(), normalizedShares);
        double[] x = normalizedShares.stream().mapToDouble(Double::doubleValue).toArray();
        return JainIndex.of(x, x.length);
    }

    private void collectUsers(Schedulable schedulable, List<Double> normalizedShares) {
        if (kind(schedulable) != Kind.QUEUE) {
            double share = engine.weightedShare(schedulable);
            if (schedulable.pending() > 0 && !Double.isInfinite(share)) {
                normalizedShares.add(share);
            }
            return;
        }
        schedulable.children().forEach(child -> collectUsers(child, normalizedShares));
    }

    private static Kind kind(Schedulable schedulable) {
        if (schedulable.isLeaf()) {
            return Kind.APPLICATION;
        }
        return schedulable.owner() instanceof HeddleQueue ? Kind.QUEUE : Kind.USER;
    }

    private static String user(Schedulable schedulable) {
        if (schedulable.owner() instanceof HeddleApplication application) {
            return application.getUser();
        }
        return kind(schedulable) == Kind.USER ? schedulable.name() : "";
    }

    /** A queue, user or application copied under the lock, which becomes a report without it. */
    @FunctionalInterface
    private interface Copied {
        SchedulableReport report(FairShares fair, String parentPath);
    }

    private Copied copy(
            Schedulable schedulable, double steadyShare, long[] capacity, Map<Schedulable, String> obstacles) {
        HeddleQueue queue = schedulable.owner() instanceof HeddleQueue owner ? owner : null;
        List<Copied> children = children(schedulable, queue, steadyShare, capacity, obstacles);
        long[] usage = schedulable.usage();
        long[] demand = schedulable.demand();
        Vectors.add(demand, usage, 1);
        Kind kind = kind(schedulable);
        double normalizedShare = schedulable.normalizedShare();
        boolean blocked = schedulable.isBlocked();
        String obstacle = obstacles.getOrDefault(schedulable, "");
        int running = (int) schedulable.running();
        int pending = (int) schedulable.pending();
        Map<String, Long> limits = limits(schedulable.limit());
        Map<String, LabelUsage> labels = queue == null ? Map.of() : labels(queue);
        long[] guarantee;
        if (queue == null) {
            guarantee = null;
        } else {
            guarantee = vectors.guarantee(queue.spec().protection().guaranteed(), capacity);
        }
        Map<String, Long> guaranteed = guarantee == null ? Map.of() : vectors.toMap(guarantee);
        double weight = schedulable.weight(0);
        double configured = queue == null ? weight : queue.spec().weights().base();
        String order = schedulable.order();
        String user = user(schedulable);
        HeddleApplication application = schedulable.owner() instanceof HeddleApplication owner ? owner : null;
        String title = application == null ? "" : application.title();
        Set<String> tags = application == null ? Set.of() : application.tags();
        return (fair, parentPath) -> {
            String name = schedulable.name();
            String path = parentPath.isEmpty() ? name : parentPath + "." + name;
            int dominant = DominantShare.dominant(usage, capacity);
            return new SchedulableReport(
                    kind,
                    name,
                    path,
                    user,
                    title,
                    tags,
                    order,
                    weight,
                    configured,
                    dominant < 0 ? "" : vectors.names().get(dominant),
                    DominantShare.of(usage, capacity),
                    fair.of(schedulable),
                    DominantShare.of(demand, capacity),
                    normalizedShare,
                    blocked,
                    obstacle,
                    vectors.toMap(usage),
                    vectors.toMap(demand),
                    running,
                    pending,
                    limits,
                    guaranteed,
                    steadyShare,
                    labels,
                    reports(children, fair, path));
        };
    }

    /** In the order in which they would be served next. */
    private List<Copied> children(
            Schedulable schedulable,
            @Nullable HeddleQueue queue,
            double steadyShare,
            long[] capacity,
            Map<Schedulable, String> obstacles) {
        if (schedulable.children().isEmpty()) {
            return List.of();
        }
        double[] weights = queue == null ? new double[0] : queue.weightsBelow();
        List<Schedulable> inOrder = new ArrayList<>(schedulable.children());
        inOrder.sort(SERVED_FIRST);
        List<Copied> children = new ArrayList<>(inOrder.size());
        for (Schedulable child : inOrder) {
            double steady =
                    child.owner() instanceof HeddleQueue below ? steadyShare * below.partOf(weights) : Double.NaN;
            children.add(copy(child, steady, capacity, obstacles));
        }
        return children;
    }

    private static List<SchedulableReport> reports(List<Copied> children, FairShares fair, String path) {
        List<SchedulableReport> reports = new ArrayList<>(children.size());
        for (Copied child : children) {
            reports.add(child.report(fair, path));
        }
        return Collections.unmodifiableList(reports);
    }

    /** By label, and what it has on nodes without one. Empty if it has had no containers on nodes with a label. */
    private Map<String, LabelUsage> labels(HeddleQueue queue) {
        Set<String> names = queue.labels();
        if (names.isEmpty()) {
            return Map.of();
        }
        Map<String, LabelUsage> labels = new HashMap<>();
        long[] rest = queue.schedulable().usage();
        for (String label : names) {
            long[] used = new long[vectors.size()];
            Arrays.setAll(used, j -> queue.usageOn(label, j));
            Vectors.add(rest, used, -1);
            long[] guarantee = capacities.guarantee(queue, label);
            labels.put(
                    label,
                    new LabelUsage(
                            vectors.toMap(capacities.total(label)),
                            vectors.toMap(used),
                            guarantee == null ? Map.of() : vectors.toMap(guarantee),
                            limits(capacities.limit(queue, label))));
        }
        String none = RMNodeLabelsManager.NO_LABEL;
        labels.put(
                none, new LabelUsage(vectors.toMap(capacities.total(none)), vectors.toMap(rest), Map.of(), Map.of()));
        return labels;
    }

    private Map<String, Long> limits(long @Nullable [] limit) {
        if (limit == null) {
            return Map.of();
        }
        Map<String, Long> limits = new TreeMap<>(vectors.toMap(limit));
        limits.values().removeIf(amount -> amount == Long.MAX_VALUE);
        return limits;
    }
}
