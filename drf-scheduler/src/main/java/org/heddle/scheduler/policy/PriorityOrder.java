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

    @Override
    public long tier(SchedulableView child) {
        return -(long) child.priority();
    }

    @Override
    public double key(SchedulableView child) {
        return child.normalizedShare();
    }
}
