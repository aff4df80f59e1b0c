// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import java.util.Arrays;
import org.heddle.market.model.status.QueueState;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.policy.ShareOrder;

/**
 * Sets weights and orders in the engine from the entitlements of the epoch meter. Called when an epoch begins, under
 * the scheduler's lock.
 */
public final class WeightUpdater {
    private final ShareEngine engine;
    private final EpochMeter epoch;
    private final ShareOrder arrival = new ArrivalOrder();
    private final double[] weights;

    public WeightUpdater(ShareEngine engine, EpochMeter epoch) {
        this.engine = engine;
        this.epoch = epoch;
        this.weights = new double[engine.resources()];
    }

    /**
     * Updates one leaf queue.
     *
     * @param whenItPays order among the queue's own children while it pays; else their order is arrival
     * @return its weight
     */
    public double update(Schedulable schedulable, QueueMeter queue, ShareOrder whenItPays) {
        double weight = epoch.weight(queue);
        setWeight(schedulable, weight);
        ShareOrder wanted = queue.state() == QueueState.PAYING ? whenItPays : arrival;
        if (!schedulable.order().equals(wanted.name())) {
            engine.setOrder(schedulable, wanted);
        }
        return weight;
    }

    void setWeight(Schedulable schedulable, double weight) {
        Arrays.fill(weights, weight);
        engine.setWeight(schedulable, weights);
    }

    /** Tells the engine that lags have changed. */
    public void updatePlace(Schedulable schedulable) {
        engine.updatePlace(schedulable);
    }
}
