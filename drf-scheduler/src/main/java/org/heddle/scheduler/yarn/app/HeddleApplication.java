// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.yarn.queue.HeddleQueue;

/**
 * An application in a leaf queue. Its claim lives as long as the application does, so that containers kept across
 * attempts stay on its account.
 */
public final class HeddleApplication extends SchedulerApplication<HeddleAttempt> {
    private Schedulable claim;
    private boolean runnable;

    HeddleApplication(HeddleQueue leaf, String user, Priority priority, boolean unmanagedAm, Schedulable claim) {
        super(leaf, user, priority, unmanagedAm);
        this.claim = claim;
        claim.attach(this);
    }

    public HeddleQueue leaf() {
        return (HeddleQueue) getQueue();
    }

    public Schedulable claim() {
        return claim;
    }

    public void claim(Schedulable moved) {
        claim = moved;
    }

    /** Whether the limits of running applications let it run. */
    public boolean isRunnable() {
        return runnable;
    }

    void runnable(boolean now) {
        runnable = now;
    }
}
