// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Rules that hold for the whole cluster.
 *
 * @param compatibility the scheduler to behave like where schedulers differ in details
 * @param newQueues settings of queues that are created for applications; null: no queue is created
 * @param maxRunningAppsOfUser maximum number of running applications of a named user, in all queues together
 * @param maxRunningAppsPerUser the same for every other user; {@code Integer.MAX_VALUE} for no limit
 * @param memoryOnly containers take up memory alone: other resources of nodes bound nothing, as under YARN's {@code
 *     DefaultResourceCalculator}
 * @param dynamicMaxAssign one heartbeat allocates at most half of a node's free resources, plus one container
 * @param increments resource name to the increment; container sizes are rounded up to multiples of it; {@code
 *     yarn.scheduler.minimum-allocation-*} where absent
 * @param weighBySize the weight of an application is log2(1 + memory that it has and requests) instead of 1
 * @param minimumOffer when a node is offered
 * @param allocation when containers are allocated, and on which node
 * @param usageHalfLifeMillis past usage changes weights, and that of this long ago counts half; 0: it does not count
 */
public record ClusterRules(
        Compatibility compatibility,
        @Nullable NewQueues newQueues,
        Map<String, Integer> maxRunningAppsOfUser,
        int maxRunningAppsPerUser,
        boolean memoryOnly,
        boolean dynamicMaxAssign,
        Map<String, Long> increments,
        boolean weighBySize,
        MinimumOffer minimumOffer,
        AllocationMode allocation,
        long usageHalfLifeMillis) {
    /** The scheduler to behave like. */
    public enum Compatibility {
        /**
         * Access lists count where {@code yarn.acl.enable} is on, and YARN's administrators may do everything. A
         * queue's first ApplicationMaster always runs.
         */
        HEDDLE,
        /**
         * Access lists always count, for administrators too. The limit on ApplicationMasters is a part of the fair
         * share as FairScheduler computes it, also for the first one. A queue that is no longer configured exists until
         * it is empty. An ask for a resource is refused if the limit of the queue on that resource is 0.
         */
        FAIR_SCHEDULER,
        /**
         * As {@link #HEDDLE}, but {@code /ws/v1/cluster/scheduler} answers in CapacityScheduler's form, a user may pass
         * the limit of the queue's users with one container, a queue must be stopped before it may leave the file, and
         * the limit on ApplicationMasters is a part of what the queue may still get.
         */
        CAPACITY_SCHEDULER
    }

    public static final ClusterRules DEFAULT = new ClusterRules(
            Compatibility.HEDDLE,
            null,
            Map.of(),
            Integer.MAX_VALUE,
            false,
            false,
            Map.of(),
            false,
            MinimumOffer.OFF,
            AllocationMode.DEFAULT,
            0);

    public ClusterRules {
        maxRunningAppsOfUser = Collections.unmodifiableMap(new TreeMap<>(maxRunningAppsOfUser));
        increments = Collections.unmodifiableMap(new TreeMap<>(increments));
    }

    public boolean likeFairScheduler() {
        return compatibility == Compatibility.FAIR_SCHEDULER;
    }

    public boolean likeCapacityScheduler() {
        return compatibility == Compatibility.CAPACITY_SCHEDULER;
    }

    /** Most applications of a user that run at once. */
    public int maxRunningApps(String user) {
        return maxRunningAppsOfUser.getOrDefault(user, maxRunningAppsPerUser);
    }
}
