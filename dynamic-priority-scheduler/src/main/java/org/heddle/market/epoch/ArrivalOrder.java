// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import org.heddle.scheduler.policy.SchedulableView;
import org.heddle.scheduler.policy.ShareOrder;

/** First come, first served over all users and applications of a queue; for queues that do not pay. */
public final class ArrivalOrder implements ShareOrder {
    public static final String NAME = "arrival";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean entitles() {
        return false;
    }

    @Override
    public double key(SchedulableView child) {
        return child.front();
    }
}
