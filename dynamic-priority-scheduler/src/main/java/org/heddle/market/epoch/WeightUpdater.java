// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import java.util.Arrays;
import org.heddle.market.model.status.QueueState;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.policy.ShareOrder;

/** Turns the floor's entitlements into weights and orders of the engine. Called at boundaries, under the engine's lock. */
public final class WeightUpdater {
    private final ShareEngine engine;
    private final EpochMeter floor;
    private final ShareOrder arrival = new ArrivalOrder();
    private final double[] weights;

    public WeightUpdater(ShareEngine engine, EpochMeter floor) {
        this.engine = engine;
        this.floor = floor;
        this.weights = new double[engine.resources()];
    }

    /**
     * Has a queue served as it is entitled to.
     *
     * @param whenItPays order among the queue's own children while it pays; while it does not, they are served by arrival
     * @return its weight
     */
    public double steer(Schedulable claim, QueueMeter queue, ShareOrder whenItPays) {
        double weight = floor.weight(queue);
        weigh(claim, weight, queue.state() == QueueState.PAYING);
        ShareOrder wanted = queue.state() == QueueState.PAYING ? whenItPays : arrival;
        if (!claim.order().equals(wanted.name())) {
            engine.setOrder(claim, wanted);
        }
        return weight;
    }

    /** Sets a queue's weight, and for one that pays but has none its place before those that do not. */
    public void weigh(Schedulable claim, double weight, boolean pays) {
        Arrays.fill(weights, weight);
        engine.setWeight(claim, weights);
        int mark = pays && weight == 0 ? MarketOrder.OWES : 0;
        if (claim.priority() != mark) {
            engine.setPriority(claim, mark);
        }
    }
}
