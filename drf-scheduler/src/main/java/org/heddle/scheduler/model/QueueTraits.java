// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import org.jspecify.annotations.Nullable;

/**
 * What kind of queue it is, beside what it may have.
 *
 * @param parent takes no applications, even while it has no queues inside
 * @param priority place under a parent whose order is {@code priority}; larger first
 * @param division what the order of a leaf divides among
 * @param maxContainer largest container that may be asked for in this queue, where it is smaller than the cluster's
 * @param maxNewQueue most that each queue may hold that is made inside this one without being configured
 * @param plan how its resources are reserved ahead of time; null if they cannot be
 */
public record QueueTraits(
        boolean parent,
        int priority,
        Division division,
        Amounts maxContainer,
        Amounts maxNewQueue,
        @Nullable Plan plan) {
    /** What the order of a leaf divides among. */
    public enum Division {
        /** Its users; each user's applications have an order of their own. */
        USERS,
        /** Its applications, whoever's they are: as FairScheduler does. */
        APPLICATIONS
    }

    public static final QueueTraits DEFAULT =
            new QueueTraits(false, 0, Division.USERS, Amounts.UNLIMITED, Amounts.UNLIMITED, null);

    public boolean isPlan() {
        return plan != null;
    }

    /** The same for a queue whose order divides so. */
    public QueueTraits dividing(Division changed) {
        return new QueueTraits(parent, priority, changed, maxContainer, maxNewQueue, plan);
    }
}
