// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

import java.util.Locale;

/**
 * Fair sharing of one resource, the first (YARN's memory); the others do not count: FairScheduler's default
 * policy. A child of weight 0 comes last.
 */
public final class FairOrder implements ShareOrder {
    public static final String NAME = "fair";

    private static final int RESOURCE = 0;

    /**
     * The name of an order in reports.
     *
     * @param likeFairScheduler whether it is FairScheduler's own name, which is in capital letters for all other
     *     policies
     */
    public static String shown(String order, boolean likeFairScheduler) {
        return likeFairScheduler && !order.equals(NAME) ? order.toUpperCase(Locale.ROOT) : order;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public double key(SchedulableView child) {
        if (child.weight(RESOURCE) <= 0) {
            return Double.POSITIVE_INFINITY;
        }
        long held = child.usage(RESOURCE);
        return held <= 0 ? 0 : held * DominantShare.price(child.capacity(RESOURCE), child.entitlement(RESOURCE));
    }
}
