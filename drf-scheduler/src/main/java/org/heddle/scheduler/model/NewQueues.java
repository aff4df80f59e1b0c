// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Settings of queues that are created when an application is placed in them. Such a queue is removed when it is empty.
 *
 * @param order share order among its applications or users
 * @param userOrder among the applications of one user
 * @param division whether the order is applied to users or to applications
 * @param maxResources its maximum resources, unless its parent has a setting ({@link QueueTraits#maxNewQueue})
 * @param maxRunningApps maximum number of running applications
 * @param maxAmShare as in {@link QueueSpec}
 * @param never paths of queues that are not created, and in which none is created
 */
public record NewQueues(
        String order,
        String userOrder,
        QueueTraits.Division division,
        Amounts maxResources,
        int maxRunningApps,
        double maxAmShare,
        Set<String> never) {
    public NewQueues {
        never = Set.copyOf(never);
    }

    /** The specification of one such queue inside another. */
    public QueueSpec inside(QueueSpec parent, String name, boolean asParent) {
        Amounts max = parent.traits().maxNewQueue().isUnlimited()
                ? maxResources
                : parent.traits().maxNewQueue();
        return new QueueSpec(
                parent.path() + "." + name,
                Weights.ONE,
                order,
                userOrder,
                max,
                Amounts.UNLIMITED,
                maxRunningApps,
                Integer.MAX_VALUE,
                maxAmShare,
                AccessList.NOBODY,
                AccessList.NOBODY,
                Map.of(),
                new QueueTraits(
                        asParent,
                        false,
                        Integer.MAX_VALUE,
                        0,
                        List.of(),
                        asParent ? QueueTraits.Division.USERS : division,
                        Amounts.UNLIMITED,
                        Amounts.UNLIMITED,
                        Amounts.UNLIMITED,
                        null),
                parent.lifetime(),
                parent.partitions().inside(),
                parent.protection().guaranteeing(Amounts.UNLIMITED),
                List.of());
    }
}
