// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.terms;

/** How the use of slots during an epoch becomes slot-time. */
public enum Metering {
    /** Every start, end and resize of a container counts from its time on: the exact integral. */
    INTEGRAL,
    /** The use at the end of the epoch counts for all of it (the code of 2009). */
    SAMPLE
}
