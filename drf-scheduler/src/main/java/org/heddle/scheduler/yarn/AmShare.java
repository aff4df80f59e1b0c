// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.util.function.IntToLongFunction;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt.AMState;
import org.heddle.scheduler.engine.Shape;

/**
 * Keeps the ApplicationMasters of a leaf queue within a part of what the queue is entitled to, so that they cannot fill
 * it and wait for room for their tasks. The first master of a leaf is always admitted.
 */
final class AmShare {
    private final IntToLongFunction capacity;

    /** @param capacity the cluster's total of a resource */
    AmShare(IntToLongFunction capacity) {
        this.capacity = capacity;
    }

    boolean admits(HeddleAttempt attempt, Shape shape) {
        HeddleQueue leaf = attempt.application().leaf();
        double part = leaf.spec().maxAmShare();
        if (part >= 1 || leaf.ams == 0) {
            return true;
        }
        for (int j = 0; j < leaf.amUsage.length; j++) {
            // A queue of no weight lives on what others leave, which may be everything.
            double entitled = leaf.claim().entitlement(j) > 0 ? leaf.claim().entitlement(j) : 1;
            double most = part * entitled * capacity.applyAsLong(j);
            if (shape.need(j) > 0 && leaf.amUsage[j] + shape.need(j) > most) {
                attempt.updateAMContainerDiagnostics(
                        AMState.ACTIVATED,
                        "waiting for an ApplicationMaster of queue " + leaf.getQueueName()
                                + " to end: together they may hold at most " + part
                                + " of what the queue is entitled to");
                return false;
            }
        }
        return true;
    }
}
