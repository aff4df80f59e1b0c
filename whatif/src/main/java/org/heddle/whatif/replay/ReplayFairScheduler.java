// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.replay;

import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.jspecify.annotations.Nullable;

/** FairScheduler whose preemption happens when the replay says so, not on a thread and a timer of its own. */
public final class ReplayFairScheduler extends FairScheduler {
    private @Nullable FairPreemption preemption;

    @Override
    protected void createPreemptionThread() {
        super.createPreemptionThread();
        preemption = FairPreemption.insteadOfThread(this);
    }

    /** What FairScheduler does from time to time. */
    void tick(long nowMillis) {
        update();
        if (preemption != null) {
            preemption.tick(nowMillis);
        }
    }
}
