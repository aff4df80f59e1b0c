// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

/**
 * Minimum offer size (Nexus 3.2): a node that is in use is offered only when so much is free on it, lest small containers
 * take every place that opens and large ones never fit.
 *
 * @param mode whether there is one
 * @param size the minimum, for {@link Mode#SET}; a fraction is of the node
 * @param largestPart for {@link Mode#AUTOMATIC}: asks for more than this part of a node, 0 to 1, do not count; so no
 *     more than this is ever left idle
 */
public record MinimumOffer(Mode mode, Amounts size, double largestPart) {
    /** Whether there is a minimum. */
    public enum Mode {
        OFF,
        /** The largest that is asked for at the moment, per resource. */
        AUTOMATIC,
        SET
    }

    public static final MinimumOffer OFF = new MinimumOffer(Mode.OFF, Amounts.UNLIMITED, 0.25);
}
