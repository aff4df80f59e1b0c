// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Rules that hold for the whole cluster.
 *
 * @param compatibility the scheduler whose behaviour counts where schedulers differ in details
 * @param newQueues what queues are like that are made without being configured; null: none ever is
 * @param maxRunningAppsOfUser most applications of a named user that run at once, in all queues together
 * @param maxRunningAppsPerUser the same for everybody who is not named; {@code Integer.MAX_VALUE} for no limit
 * @param dynamicMaxAssign one heartbeat fills at most half of a node's free room (and one container more)
 * @param increments resource name to the step to which container sizes are rounded up; {@code
 *     yarn.scheduler.minimum-allocation-*} where absent
 * @param weighBySize applications weigh log2(1 + memory that they hold and ask for) in place of 1
 * @param nodeSkips part of the cluster's nodes, 0 to 1, that an ask with preferred nodes passes over; -1: it waits for
 *     {@link SchedulingDelays#nodeLocality} instead
 * @param rackSkips the same for racks
 * @param minimumOffer when a node is offered
 */
public record ClusterRules(
        Compatibility compatibility,
        @Nullable NewQueues newQueues,
        Map<String, Integer> maxRunningAppsOfUser,
        int maxRunningAppsPerUser,
        boolean dynamicMaxAssign,
        Map<String, Long> increments,
        boolean weighBySize,
        double nodeSkips,
        double rackSkips,
        MinimumOffer minimumOffer) {
    /** The scheduler whose behaviour counts. */
    public enum Compatibility {
        /**
         * Access lists count where {@code yarn.acl.enable} is on, and YARN's administrators may do everything. A queue's
         * first ApplicationMaster always runs.
         */
        HEDDLE,
        /**
         * Access lists always count, for administrators too. ApplicationMasters share what FairScheduler reckons as the
         * queue's fair share, without exception for the first. A queue that is no longer configured lives on until it is
         * empty. Asks for a resource of which the queue may have none are refused.
         */
        FAIR_SCHEDULER
    }

    public static final ClusterRules DEFAULT = new ClusterRules(
            Compatibility.HEDDLE, null, Map.of(), Integer.MAX_VALUE, false, Map.of(), false, -1, -1, MinimumOffer.OFF);

    public ClusterRules {
        maxRunningAppsOfUser = Collections.unmodifiableMap(new TreeMap<>(maxRunningAppsOfUser));
        increments = Collections.unmodifiableMap(new TreeMap<>(increments));
    }

    public boolean likeFairScheduler() {
        return compatibility == Compatibility.FAIR_SCHEDULER;
    }

    /** Whether waits for locality are counted in nodes passed over, not in time. */
    public boolean countsSkips() {
        return nodeSkips >= 0 && rackSkips >= 0;
    }

    /** Most applications of a user that run at once. */
    public int maxRunningApps(String user) {
        return maxRunningAppsOfUser.getOrDefault(user, maxRunningAppsPerUser);
    }
}
