// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a queue beyond its weight, its own limits and its access.
 *
 * @param parent takes no applications, even while it has no queues inside
 * @param stopped takes no new applications, here and in all queues inside; those that it has continue
 * @param maxApplications maximum number of applications in this queue and in all queues inside it, running and waiting;
 *     {@code Integer.MAX_VALUE} for no limit
 * @param priority counts if the order of the parent is {@code priority}; larger first
 * @param priorities who may give applications which priority; empty: everyone may give any
 * @param division whether the order of a leaf is applied to users or to applications
 * @param maxApplication maximum resources of one application in this leaf, its ApplicationMaster included
 * @param maxContainer largest container that may be requested in this queue, if smaller than the cluster's
 * @param maxNewQueue maximum resources of each queue that is created inside this one and is not configured
 * @param plan how its resources are reserved ahead of time; null if they cannot be
 */
public record QueueTraits(
        boolean parent,
        boolean stopped,
        int maxApplications,
        int priority,
        List<PriorityLimit> priorities,
        Division division,
        Amounts maxApplication,
        Amounts maxContainer,
        Amounts maxNewQueue,
        @Nullable Plan plan) {
    /** The elements that the order of a leaf sorts. */
    public enum Division {
        /** Its users; each user's applications have an order of their own. */
        USERS,
        /** Its applications, of all users together: as FairScheduler does. */
        APPLICATIONS
    }

    public static final QueueTraits DEFAULT = new QueueTraits(
            false,
            false,
            Integer.MAX_VALUE,
            0,
            List.of(),
            Division.USERS,
            Amounts.UNLIMITED,
            Amounts.UNLIMITED,
            Amounts.UNLIMITED,
            null);

    public QueueTraits {
        priorities = priorities.stream()
                .sorted(Comparator.comparingInt(PriorityLimit::most))
                .toList();
    }

    public boolean isPlan() {
        return plan != null;
    }

    /** The same without limits of applications and of the queues that are created inside. */
    QueueTraits withoutLimits() {
        return new QueueTraits(
                parent,
                stopped,
                Integer.MAX_VALUE,
                priority,
                priorities,
                division,
                Amounts.UNLIMITED,
                maxContainer,
                Amounts.UNLIMITED,
                plan);
    }

    /** The same with another division. */
    public QueueTraits dividing(Division changed) {
        return new QueueTraits(
                parent,
                stopped,
                maxApplications,
                priority,
                priorities,
                changed,
                maxApplication,
                maxContainer,
                maxNewQueue,
                plan);
    }
}
