// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.MinimumOffer;
import org.heddle.scheduler.yarn.compat.ResourceVectors;

/**
 * Does not offer a node in use before a large ask fits its free resources (Nexus 3.2): otherwise small containers
 * always replace small containers. A node without containers is always offered. Under the scheduler's lock.
 */
public final class MinimumOffers {
    private final ShareEngine engine;
    private final ResourceVectors vectors;

    public MinimumOffers(ShareEngine engine, ResourceVectors vectors) {
        this.engine = engine;
        this.vectors = vectors;
    }

    /** Whether a node is in use and has less free resources than the minimum. */
    public boolean holdsBack(HeddleNode node, long[] free, MinimumOffer minimum) {
        if (minimum.mode() == MinimumOffer.Mode.OFF || node.getNumContainers() == 0) {
            return false;
        }
        long[] least = least(node, minimum);
        for (int j = 0; j < free.length; j++) {
            if (free[j] < least[j]) {
                return true;
            }
        }
        return false;
    }

    /** The minimum free resources of a node. */
    long[] least(HeddleNode node, MinimumOffer minimum) {
        long[] total = vectors.room(node.getTotalResource());
        if (minimum.mode() == MinimumOffer.Mode.SET) {
            long[] least = new long[total.length];
            for (int j = 0; j < least.length; j++) {
                least[j] = Math.min(
                        total[j], minimum.size().guarantee(vectors.names().get(j), total[j]));
            }
            return least;
        }
        for (int j = 0; j < total.length; j++) {
            total[j] = (long) (total[j] * minimum.largestPart());
        }
        return engine.largestAskWithin(total);
    }
}
