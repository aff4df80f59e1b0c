// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.terms;

/** What happens where the books cannot be opened when a ResourceManager starts or takes over. */
public enum StartPolicy {
    /** It does not start. */
    STOP,
    /** It schedules without a market, first come, first served, and tries again and again. */
    WAIT
}
