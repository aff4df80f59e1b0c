// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

/**
 * What a {@link ShareOrder} is shown of one schedulable: a queue, a user or an application among its siblings. Resources are
 * numbered from 0 to {@code resources() - 1}. Valid during the call only: the engine shows every schedulable through one
 * object.
 */
public interface SchedulableView {
    int resources();

    /** What the schedulable holds of a resource, in the resource's units. */
    long usage(int resource);

    /** What the cluster has of a resource. */
    long capacity(int resource);

    /** The schedulable's weight for a resource, 0 or more. */
    double weight(int resource);

    /** Part of a resource, 0 to 1, that the schedulable is entitled to among its active siblings and within its parent's. */
    double entitlement(int resource);

    /**
     * Share relative to entitlement, 0 or more; 1 = it has what it is entitled to; infinite for a schedulable of weight 0. For
     * a schedulable with children: as reckoned by hierarchical DRF (see {@code HierarchicalShare}).
     */
    double normalizedShare();

    /** Containers that the schedulable asks for and has not got. */
    long pendingContainers();

    /** Containers that it holds. */
    long runningContainers();

    /** Application priority, larger first; 0 for queues and users. */
    int priority();

    /** Order of arrival among all schedulables. */
    long sequence();

    /**
     * {@link #sequence} of the application that is next below this schedulable, by the orders that hold there; the schedulable's own
     * if it is an application, {@code Long.MAX_VALUE} if nobody below it asks for anything. Walks down the tree: for
     * orders that serve applications by arrival across queues.
     */
    long front();
}
