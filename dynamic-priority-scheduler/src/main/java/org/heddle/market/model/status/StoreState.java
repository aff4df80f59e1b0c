// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.status;

import org.heddle.market.model.terms.OutagePolicy;

/** Whether the market's ledger can be written. */
public enum StoreState {
    /** All acknowledged changes are stored. */
    WORKING,
    /** The store does not answer; see {@link OutagePolicy}. Changes are refused. */
    OUTAGE,
    /** Another process has become leader: this market will not write again. */
    FENCED,
    /** Closed, or not opened yet. */
    CLOSED
}
