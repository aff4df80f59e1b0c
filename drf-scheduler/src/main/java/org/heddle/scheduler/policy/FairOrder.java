// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

/**
 * Fair sharing of one resource, the first (YARN's memory); the others do not count: FairScheduler's default
 * policy. A child of weight 0 comes last.
 */
public final class FairOrder implements ShareOrder {
    public static final String NAME = "fair";

    private static final int RESOURCE = 0;

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
