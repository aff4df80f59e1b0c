// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

/**
 * Strict priority: while a child of higher priority asks for something that fits, no other is served. Among equals the
 * smallest share relative to its entitlement is next, as under {@code drf}.
 */
public final class PriorityOrder implements ShareOrder {
    public static final String NAME = "priority";

    @Override
    public String name() {
        return NAME;
    }

    /** The priority counts in whole numbers, the share moves a child within one of them. */
    @Override
    public double key(SchedulableView child) {
        double standing = child.standing();
        double amongEquals = standing == Double.POSITIVE_INFINITY ? 0.999_999 : standing / (1 + standing) * 0.999_998;
        return amongEquals - child.priority();
    }
}
