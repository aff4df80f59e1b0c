// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

import org.jspecify.annotations.Nullable;

/**
 * A queue, a user or an application among its siblings, as a {@link ShareOrder} sees it. Resources are numbered from 0
 * to {@code resources() - 1}. Valid during the call only: the engine uses one object for all.
 */
public interface SchedulableView {
    int resources();

    /** Usage of a resource, in the resource's units. */
    long usage(int resource);

    /** The cluster's total of a resource. */
    long capacity(int resource);

    /** Weight for a resource, 0 or more. */
    double weight(int resource);

    /** The part of a resource, 0 to 1, that it is entitled to among its active siblings and within its parent's. */
    double entitlement(int resource);

    /**
     * Share relative to entitlement, 0 or more; 1 = it has what it is entitled to; infinite for weight 0. With children
     * it is computed by hierarchical DRF (see {@code HierarchicalShare}).
     */
    double normalizedShare();

    /** The meter of its usage, by which an order can find values of its own for this queue; null if there is none. */
    default @Nullable UsageMeter meter() {
        return null;
    }

    /** Number of containers that it asks for. */
    long pendingContainers();

    /** Number of containers that it has. */
    long runningContainers();

    /** Application priority, larger first; 0 for queues and users. */
    int priority();

    /** Order of arrival among all queues, users and applications. */
    long sequence();

    /**
     * {@link #sequence} of the next application below it, by the orders that hold there; its own if it is an
     * application; {@code Long.MAX_VALUE} if no application below it has asks. Walks down the tree: for orders that
     * serve applications by arrival across queues.
     */
    long front();
}
