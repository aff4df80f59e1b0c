// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.heddle.scheduler.yarn.app.ApplicationLifecycle;
import org.heddle.scheduler.yarn.app.HeddleAttempt;

/**
 * The attempts whose asks have changed since the engine took them over. ApplicationMasters' heartbeats add to it
 * without the scheduler's lock; it is emptied under that lock.
 */
final class ChangedAsks {
    private final Queue<HeddleAttempt> attempts = new ConcurrentLinkedQueue<>();

    /** Any thread may add. */
    void add(HeddleAttempt attempt) {
        attempts.add(attempt);
    }

    /**
     * Takes the asks over into the engine.
     *
     * @return whether there were any
     */
    boolean takeOver(
            Map<ApplicationId, SchedulerApplication<HeddleAttempt>> applications, ApplicationLifecycle lifecycle) {
        boolean any = false;
        for (HeddleAttempt attempt = attempts.poll(); attempt != null; attempt = attempts.poll()) {
            if (attempt.equals(attempt.application().getCurrentAppAttempt())
                    && applications.containsKey(attempt.getApplicationId())) {
                attempt.syncAsks();
                lifecycle.weigh(attempt);
                any = true;
            }
        }
        return any;
    }
}
