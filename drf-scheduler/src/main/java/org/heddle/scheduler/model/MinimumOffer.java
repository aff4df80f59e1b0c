// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

/**
 * Minimum offer size (Nexus 3.2): on a node that is in use, containers are allocated only when so much is free. So
 * small containers do not take all the free resources before a large container fits.
 *
 * @param mode whether there is one
 * @param size the minimum, for {@link Mode#SET}; a fraction is of the node
 * @param largestPart for {@link Mode#AUTOMATIC}: asks for more than this part of a node, 0 to 1, do not count; so
 *     at most this part stays free
 */
public record MinimumOffer(Mode mode, Amounts size, double largestPart) {
    /** Whether there is a minimum. */
    public enum Mode {
        OFF,
        /** The largest size that is asked for now, per resource. */
        AUTOMATIC,
        SET
    }

    public static final MinimumOffer OFF = new MinimumOffer(Mode.OFF, Amounts.UNLIMITED, 0.25);
}
