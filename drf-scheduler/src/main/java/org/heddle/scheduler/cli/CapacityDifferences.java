// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.util.ArrayList;
import java.util.List;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;

/** Settings of CapacityScheduler's file that have another effect under our scheduler; see {@code docs/moving-in.md}. */
final class CapacityDifferences {
    private CapacityDifferences() {}

    static List<String> of(SchedulerSpec spec) {
        List<String> all = new ArrayList<>();
        all.add("the users of a queue share it evenly from the first on, each up to the limit of a user; under"
                + " CapacityScheduler later users wait for the first ones where minimum-user-limit-percent is 100");
        if (spec.root().all().anyMatch(CapacityDifferences::hasAmounts)) {
            all.add("a queue with an amount as its capacity may have any number of applications, up to"
                    + " maximum-applications of the cluster");
        }
        if (spec.rules().newQueues() != null) {
            all.add("queues are created only where queue-mappings lead to them, with defaults in place of their"
                    + " template");
        }
        if (spec.preemption().mode() != PreemptionSettings.Mode.OFF) {
            all.add("preemption helps the same queues up to their capacity, but chooses the containers itself");
        }
        return all;
    }

    private static boolean hasAmounts(QueueSpec queue) {
        return queue.isLeaf() && queue.get(QueueSettings.MAX_APPLICATIONS) == Integer.MAX_VALUE;
    }
}
