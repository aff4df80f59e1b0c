// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

/**
 * Asset fairness (Nexus 4, the first attempt): every child gets the same sum of the shares of all resources, each
 * relative to its entitlement. Simple, but without a share guarantee: in the report's example one user gets less than
 * half of both resources. A child of weight 0 comes last.
 */
public final class AssetOrder implements ShareOrder {
    public static final String NAME = "asset";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public double key(SchedulableView child) {
        double sum = child.normalizedShare() == Double.POSITIVE_INFINITY ? Double.POSITIVE_INFINITY : 0;
        for (int j = 0; j < child.resources(); j++) {
            long held = child.usage(j);
            if (held > 0 && child.capacity(j) > 0) {
                sum += held * DominantShare.price(child.capacity(j), child.entitlement(j));
            }
        }
        return sum;
    }
}
