// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a queue is like that is not configured and is made when an application is placed in it. It goes when it is empty.
 *
 * @param order share order among its applications or users
 * @param userOrder among the applications of one user
 * @param division what the order divides among
 * @param maxResources most that it may hold, unless its parent says otherwise ({@link QueueTraits#maxNewQueue})
 * @param maxRunningApps most applications that run at once in it
 * @param maxAmShare as in {@link QueueSpec}
 * @param never paths at which none is made, nor inside
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

    /** The specification of one such queue, made inside another. */
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
                        0,
                        asParent ? QueueTraits.Division.USERS : division,
                        Amounts.UNLIMITED,
                        Amounts.UNLIMITED,
                        null),
                parent.lifetime(),
                parent.partitions(),
                parent.protection().guaranteeing(Amounts.UNLIMITED),
                List.of());
    }
}
