// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.preemption;

import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.yarn.app.HeddleAttempt;

/** A container to be preempted, and its attempt. Logs and reports name both after they have ended. */
record Victim(RMContainer container, HeddleAttempt attempt) {
    ContainerId id() {
        return container.getContainerId();
    }

    SchedulerSnapshot.Victim seen(SchedulerSnapshot.Fate fate) {
        return new SchedulerSnapshot.Victim(
                id().toString(),
                attempt.getApplicationId().toString(),
                attempt.getQueueName(),
                attempt.getUser(),
                container.isAMContainer(),
                fate);
    }

    @Override
    public String toString() {
        return seen(SchedulerSnapshot.Fate.TO_GO).inWords();
    }
}
