// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

/** Dominant resource fairness: the child with the smallest share relative to its entitlement is next. */
public final class DrfOrder implements ShareOrder {
    public static final String NAME = "drf";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public double key(SchedulableView child) {
        return child.normalizedShare();
    }

    @Override
    public boolean rescales() {
        return true;
    }
}
