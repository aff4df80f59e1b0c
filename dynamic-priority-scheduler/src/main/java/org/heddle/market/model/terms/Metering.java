// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.terms;

/** How the slots that a queue uses during an epoch become slot-time. */
public enum Metering {
    /** Every start, end and resize of a container counts from its moment on: the exact integral. */
    INTEGRAL,
    /** What is used when the epoch ends counts for all of it (the code of 2009). */
    SAMPLE
}
