// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.policy.FairOrder;
import org.heddle.scheduler.policy.WeightedShares;

/**
 * A queue's fair share as FairScheduler computes it ({@code ComputeFairShares}): by weight among the queues that have a
 * running application, between the guarantee and the limit of each, independent of demand. Below a queue of policy
 * {@code fair} only memory is divided. Under the scheduler's lock.
 */
public final class FairShareOfQueue {
    private final ShareEngine engine;
    private final QueueTree queues;

    public FairShareOfQueue(ShareEngine engine, QueueTree queues) {
        this.engine = engine;
        this.queues = queues;
    }

    /** Per resource, in its units. */
    public double[] of(HeddleQueue queue) {
        double[] share = new double[engine.resources()];
        HeddleQueue parent = queue.parent();
        if (parent == null) {
            for (int j = 0; j < share.length; j++) {
                share[j] = engine.capacity(j);
            }
            return share;
        }
        double[] above = of(parent);
        List<HeddleQueue> active = parent.children().stream()
                .filter(child -> child.running() > 0 || child == queue)
                .toList();
        int resources = parent.spec().order().equals(FairOrder.NAME) ? 1 : share.length;
        for (int j = 0; j < resources; j++) {
            share[j] = divide(above[j], active, j)[active.indexOf(queue)];
        }
        return share;
    }

    /**
     * The shares of all queues, per resource in its units; a queue without a running application has none.
     *
     * @param steady as if every queue had a running application
     */
    public Map<HeddleQueue, long[]> all(boolean steady) {
        Map<HeddleQueue, long[]> shares = new HashMap<>();
        double[] total = new double[engine.resources()];
        Arrays.setAll(total, engine::capacity);
        collect(queues.root(), total, steady, shares);
        return shares;
    }

    private void collect(HeddleQueue queue, double[] share, boolean steady, Map<HeddleQueue, long[]> shares) {
        long[] whole = new long[share.length];
        Arrays.setAll(whole, j -> Math.round(share[j]));
        shares.put(queue, whole);
        List<HeddleQueue> active = queue.children().stream()
                .filter(child -> steady || child.running() > 0)
                .toList();
        int resources = queue.spec().order().equals(FairOrder.NAME) ? 1 : share.length;
        double[][] parts = new double[resources][];
        Arrays.setAll(parts, j -> divide(share[j], active, j));
        int place = 0;
        for (HeddleQueue child : queue.children()) {
            double[] part = new double[share.length];
            if (place < active.size() && active.get(place) == child) {
                for (int j = 0; j < resources; j++) {
                    part[j] = parts[j][place];
                }
                place++;
            }
            collect(child, part, steady, shares);
        }
    }

    /** Divides a resource among sibling queues by weight, between the guarantee and the limit of each. */
    double[] divide(double total, List<HeddleQueue> siblings, int resource) {
        double[] weight = new double[siblings.size()];
        double[] least = new double[siblings.size()];
        double[] most = new double[siblings.size()];
        for (int i = 0; i < weight.length; i++) {
            QueueSpec spec = siblings.get(i).spec();
            long capacity = engine.capacity(resource);
            long[] limit = queues.limits().of(spec);
            weight[i] = siblings.get(i).schedulable().weight(resource);
            least[i] = (double) spec.protection().guaranteed().guarantee(queues.resource(resource), capacity);
            most[i] = Math.max(least[i], (double) (limit == null ? capacity : Math.min(limit[resource], capacity)));
        }
        return WeightedShares.of(total, weight, least, most);
    }
}
