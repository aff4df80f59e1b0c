// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import org.heddle.scheduler.policy.UsageMeter;

/**
 * What a queue holds, and what it should hold now; {@link MarketOrder} compares queues by it. A parent has the sums of
 * its leaf queues.
 */
interface MarketMeter extends UsageMeter {
    /** Whether it pays: such queues come before all others. */
    boolean pays();

    /** Whether its lag counts; if not, its normalized share is compared. */
    boolean keepsLag();

    /** Nano-slots that it should hold now: its entitlement and, spread over a lifetime of its containers, its lag. */
    double target();

    /** Nano-slots that it holds. */
    double held();

    /** Nano-slots of so many resources. */
    double slots(long[] amount);

    /** Nano-slots of its usual container. */
    double container();

    /** Virtual milliseconds until its debt is gone; 0 if it has none. */
    double debtMillis();
}
