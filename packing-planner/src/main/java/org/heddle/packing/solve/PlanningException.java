// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve;

/** A problem that a planner cannot take; the message says why and what to do instead. */
public final class PlanningException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public PlanningException(String message) {
        super(message);
    }
}
