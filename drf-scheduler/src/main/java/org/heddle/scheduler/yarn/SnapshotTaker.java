// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.heddle.scheduler.engine.Claim;
import org.heddle.scheduler.engine.FairShares;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.SchedulerSnapshot;
import org.heddle.scheduler.model.SchedulerSnapshot.Kind;
import org.heddle.scheduler.policy.DominantShare;
import org.heddle.scheduler.policy.JainIndex;
import org.heddle.scheduler.policy.ShareOrders;

/** Copies the engine's claims into a {@link SchedulerSnapshot}. Called under the scheduler's lock. */
final class SnapshotTaker {
    private final ShareEngine engine;
    private final ResourceVectors vectors;
    private final ShareOrders orders;

    SnapshotTaker(ShareEngine engine, ResourceVectors vectors, ShareOrders orders) {
        this.engine = engine;
        this.vectors = vectors;
        this.orders = orders;
    }

    SchedulerSnapshot take(
            long nowMillis,
            int nodes,
            int reservedNodes,
            SchedulerSnapshot.Configuration configuration,
            Map<String, Long> counters) {
        engine.renew();
        long[] capacity = new long[vectors.size()];
        Arrays.setAll(capacity, engine::capacity);
        return new SchedulerSnapshot(
                nowMillis,
                nodes,
                reservedNodes,
                vectors.toMap(capacity),
                vectors.toMap(engine.root().usage()),
                jain(),
                copy(engine.root(), "", capacity, FairShares.of(engine, orders)),
                configuration,
                counters);
    }

    /** Over users, with pending asks, of their shares relative to their entitlements. */
    private double jain() {
        List<Double> standings = new ArrayList<>();
        collectUsers(engine.root(), standings);
        double[] x = standings.stream().mapToDouble(Double::doubleValue).toArray();
        return JainIndex.of(x, x.length);
    }

    private static void collectUsers(Claim claim, List<Double> standings) {
        if (kind(claim) == Kind.USER) {
            if (claim.pending() > 0 && !Double.isInfinite(claim.standing())) {
                standings.add(claim.standing());
            }
            return;
        }
        claim.children().forEach(child -> collectUsers(child, standings));
    }

    private static Kind kind(Claim claim) {
        if (claim.isLeaf()) {
            return Kind.APPLICATION;
        }
        return claim.owner() instanceof HeddleQueue ? Kind.QUEUE : Kind.USER;
    }

    private SchedulerSnapshot.Claim copy(Claim claim, String parentPath, long[] capacity, FairShares fair) {
        String path = parentPath.isEmpty() ? claim.name() : parentPath + "." + claim.name();
        List<SchedulerSnapshot.Claim> children = claim.children().stream()
                .sorted(Comparator.comparingDouble(Claim::key).thenComparing(Claim::name))
                .map(child -> copy(child, path, capacity, fair))
                .toList();
        long[] usage = claim.usage();
        long[] demand = claim.demand();
        for (int j = 0; j < demand.length; j++) {
            demand[j] += usage[j];
        }
        int dominant = DominantShare.dominant(usage, capacity);
        long[] limit = claim.limit();
        Map<String, Long> limits = limit == null ? Map.of() : vectors.toMap(limit);
        limits = new java.util.TreeMap<>(limits);
        limits.values().removeIf(amount -> amount == Long.MAX_VALUE);
        return new SchedulerSnapshot.Claim(
                kind(claim),
                claim.name(),
                path,
                claim.order(),
                claim.weight(0),
                dominant < 0 ? "" : vectors.names().get(dominant),
                DominantShare.of(usage, capacity),
                fair.of(claim),
                DominantShare.of(demand, capacity),
                claim.standing(),
                claim.isBlocked(),
                vectors.toMap(usage),
                vectors.toMap(demand),
                (int) claim.running(),
                (int) claim.pending(),
                limits,
                children);
    }
}
