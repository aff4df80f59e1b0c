// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve;

/** A problem that a planner cannot plan; the message names the reason and the way out. */
public final class PlanningException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public PlanningException(String message) {
        super(message);
    }
}
