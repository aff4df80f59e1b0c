// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.terms;

/** Behaviour if the ledger cannot be opened when a ResourceManager starts or becomes active. */
public enum StartPolicy {
    /** The ResourceManager does not start. */
    STOP,
    /** The ResourceManager schedules first come, first served without a market, and tries again. */
    WAIT
}
