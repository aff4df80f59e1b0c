// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One queue as configured. The access lists are those of this queue only; users that a queue
 * above admits are admitted too.
 *
 * @param path full name from the root, dots between: {@code root.science.sort}
 * @param weights against its siblings
 * @param order name of the share order among its children (queues, or users in a leaf): {@code drf}, {@code fifo}
 * @param userOrder name of the order among the applications of one user of this leaf: {@code sojourn}, {@code drf}
 * @param maxResources maximum resources of the whole queue
 * @param maxResourcesPerUser maximum resources of one user in this leaf
 * @param maxRunningApps maximum number of running applications below this queue; {@code Integer.MAX_VALUE} for no limit
 * @param maxRunningAppsPerUser the same for each user in this leaf
 * @param maxAmShare part of the queue's resources that ApplicationMasters may hold, 0 to 1; {@link #UNLIMITED_AM_SHARE}
 *     for no limit
 * @param submit users who may submit applications to this queue
 * @param administer users who may administer this queue, and submit to it
 * @param userWeights weights of named users in this leaf; all others have {@link Weights#ONE}
 * @param traits what kind of queue it is
 * @param lifetime how long its applications may live
 * @param partitions which parts of the cluster they may use
 * @param protection its guaranteed share, and preemption
 * @param children in the order of the file; a queue without children is a leaf and takes applications,
 *     unless its traits say otherwise
 */
public record QueueSpec(
        String path,
        Weights weights,
        String order,
        String userOrder,
        Amounts maxResources,
        Amounts maxResourcesPerUser,
        int maxRunningApps,
        int maxRunningAppsPerUser,
        double maxAmShare,
        AccessList submit,
        AccessList administer,
        Map<String, Weights> userWeights,
        QueueTraits traits,
        Lifetime lifetime,
        Partitions partitions,
        QueuePreemptionSettings protection,
        List<QueueSpec> children) {
    /** ApplicationMasters may take the whole queue. */
    public static final double UNLIMITED_AM_SHARE = Double.POSITIVE_INFINITY;

    public QueueSpec {
        userWeights = Map.copyOf(userWeights);
        children = List.copyOf(children);
    }

    /** The last part of the path. */
    public String name() {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    public boolean isLeaf() {
        return children.isEmpty() && !traits.parent();
    }

    /** This queue and all below it, parents first. */
    public Stream<QueueSpec> all() {
        return Stream.concat(Stream.of(this), children.stream().flatMap(QueueSpec::all));
    }
}
