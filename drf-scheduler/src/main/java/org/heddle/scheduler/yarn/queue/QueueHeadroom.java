// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import java.util.Arrays;
import java.util.List;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.yarn.compat.ResourceVectors;

/**
 * The free resources that each queue may still get, for its metrics. As in CapacityScheduler: the entitlement of the
 * queue when all queues are busy, minus its usage, not below 0. Unlike there, the values of child queues never add up
 * to more than their parent's, nor those below the root to more than is free: {@code yarn top} adds them up. Under the
 * scheduler's lock. The same round adds up the queues' weights.
 */
public final class QueueHeadroom {
    private static final Object REGISTRATION = new Object();

    private final QueueTree queues;
    private final ShareEngine engine;
    private final ResourceVectors vectors;
    private final FairShareOfQueue fairShares;

    public QueueHeadroom(QueueTree queues, ShareEngine engine, ResourceVectors vectors) {
        this.queues = queues;
        this.engine = engine;
        this.vectors = vectors;
        this.fairShares = new FairShareOfQueue(engine, queues);
    }

    /**
     * Writes it into the queues' metrics. These register themselves on first use, and this fails if another thread does
     * the same at that time, for example a thread of another ResourceManager in this process.
     */
    public void publish() {
        synchronized (REGISTRATION) {
            HeddleQueue root = queues.root();
            long[] capacity = engine.capacity();
            long[] free = new long[capacity.length];
            Arrays.setAll(
                    free, j -> Math.max(0, capacity[j] - root.schedulable().usage(j)));
            root.getMetrics().setAvailableResourcesToQueue(vectors.toResource(free));
            double[] share = new double[capacity.length];
            Arrays.setAll(share, j -> capacity[j]);
            publishBelow(root, share, free);
        }
    }

    private void publishBelow(HeddleQueue parent, double[] share, long[] available) {
        List<HeddleQueue> children = parent.children();
        parent.sampleWeights();
        double[][] shares = new double[children.size()][share.length];
        long[][] rooms = new long[children.size()][share.length];
        for (int j = 0; j < share.length; j++) {
            divide(children, j, share[j], available[j], shares, rooms);
        }
        for (int i = 0; i < rooms.length; i++) {
            HeddleQueue child = children.get(i);
            child.getMetrics().setAvailableResourcesToQueue(vectors.toResource(rooms[i]));
            publishBelow(child, shares[i], rooms[i]);
        }
    }

    /** Divides the parent's share, and its available resources, of one resource. */
    private void divide(
            List<HeddleQueue> children, int resource, double share, long available, double[][] shares, long[][] rooms) {
        int count = children.size();
        double[] entitled = fairShares.divide(share, children, resource);
        double[] expected = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            expected[i] =
                    Math.max(0, entitled[i] - children.get(i).schedulable().usage(resource));
            sum += expected[i];
        }
        double part = sum > available ? available / sum : 1;
        double passed = 0;
        long given = 0;
        for (int i = 0; i < count; i++) {
            // The rounded values add up to the sum: else small clusters would lose whole cores.
            passed += expected[i] * part;
            long upTo = Math.min(available, (long) Math.floor(passed + 1e-6));
            rooms[i][resource] = upTo - given;
            given = upTo;
            shares[i][resource] = entitled[i];
            if (rooms[i][resource] > 0) {
                shares[i][resource] = children.get(i).schedulable().usage(resource) + rooms[i][resource];
            }
        }
    }
}
