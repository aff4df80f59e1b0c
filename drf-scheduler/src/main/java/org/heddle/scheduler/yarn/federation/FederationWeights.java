// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.federation;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.policy.AssetOrder;
import org.heddle.scheduler.policy.DrfOrder;
import org.heddle.scheduler.policy.FairOrder;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the federation's weights of the queues in force in place of the configured ones: of all queues below a queue,
 * or, if one of them has none yet, of none of them. Only under the orders {@code drf}, {@code fair} and {@code asset},
 * so never in a market, and not where past usage makes the weights. Under the scheduler's lock.
 */
public final class FederationWeights {
    private static final Logger LOG = LoggerFactory.getLogger(FederationWeights.class);
    private static final Set<String> ORDERS = Set.of(DrfOrder.NAME, FairOrder.NAME, AssetOrder.NAME);

    private final QueueTree queues;
    private final ShareEngine engine;
    private final ResourceVectors vectors;
    private final StoredWeights stored;
    private boolean warned;

    public FederationWeights(QueueTree queues, ShareEngine engine, ResourceVectors vectors, StoredWeights stored) {
        this.queues = queues;
        this.engine = engine;
        this.vectors = vectors;
        this.stored = stored;
    }

    /** Brings the weights in force up to date. */
    public void tick() {
        Map<String, Double> weights = stored.latest();
        if (queues.rules().usageHalfLifeMillis() > 0) {
            if (!warned && !weights.isEmpty()) {
                LOG.warn("The weights of the federation have no effect, because <usage-half-life> is set");
            }
            warned = true;
            return;
        }
        for (HeddleQueue parent : queues.all()) {
            if (ORDERS.contains(parent.spec().order())) {
                weigh(parent, weights);
            }
        }
    }

    private void weigh(HeddleQueue parent, Map<String, Double> weights) {
        boolean complete = true;
        for (HeddleQueue child : parent.children()) {
            complete &= weights.containsKey(child.getQueueName());
        }
        for (HeddleQueue child : parent.children()) {
            double[] wanted = vectors.weights(child.spec().weights());
            Double weight = weights.get(child.getQueueName());
            if (complete && weight != null) {
                Arrays.fill(wanted, weight);
            }
            engine.setWeight(child.schedulable(), wanted);
        }
    }
}
