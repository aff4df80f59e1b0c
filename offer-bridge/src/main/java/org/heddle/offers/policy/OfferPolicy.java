// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import java.util.List;
import org.heddle.offers.model.Resources;

/**
 * Decides whether resources of a container are offered to its framework, for which tasks, and for how long a refusal
 * holds.
 */
public final class OfferPolicy {
    /** The default of {@code Filters.refuse_seconds} in mesos.proto; as there, it also replaces negative values. */
    public static final double DEFAULT_REFUSE_SECONDS = 5;

    /** The maximum of {@code Filters.refuse_seconds} according to mesos.proto: 365 days. */
    static final long LONGEST_REFUSE_MILLIS = 365L * 24 * 3600 * 1000;

    private OfferPolicy() {}

    /** The decision. The first reason that holds is the answer. */
    public enum Verdict {
        OFFER,
        /** The framework is not connected, or has suppressed offers for the role. */
        INACTIVE,
        /** The container's lease is over. */
        DRAINING,
        /** The cluster has announced that it will take the container. */
        LEAVING,
        /** The cluster wants resources back from the framework. */
        RECLAIM_DEBT,
        /** The framework's constraints exclude the node. */
        NODE_EXCLUDED,
        /** The resources are below the minimum of the framework or of the bridge. */
        TOO_SMALL,
        /** A filter of the framework refuses the resources. */
        REFUSED
    }

    /**
     * The input of the decision.
     *
     * @param active whether the framework is connected and has not suppressed offers for the role
     * @param draining see {@link LeasePolicy}
     * @param leaving whether the cluster has announced that it will take the container
     * @param reclaimDebt whether the cluster wants resources back from the framework
     * @param nodeWanted whether the node meets the framework's constraints
     * @param sufficient whether the free resources reach the minimum
     * @param refused whether a filter of the framework covers the free resources
     * @param free the resources to offer
     */
    public record View(
            boolean active,
            boolean draining,
            boolean leaving,
            boolean reclaimDebt,
            boolean nodeWanted,
            boolean sufficient,
            boolean refused,
            Resources free) {}

    public static Verdict decide(View view) {
        if (!view.active()) {
            return Verdict.INACTIVE;
        }
        if (view.draining()) {
            return Verdict.DRAINING;
        }
        if (view.leaving()) {
            return Verdict.LEAVING;
        }
        if (view.reclaimDebt()) {
            return Verdict.RECLAIM_DEBT;
        }
        if (!view.nodeWanted()) {
            return Verdict.NODE_EXCLUDED;
        }
        if (!view.sufficient() || view.free().memMb() == 0 || view.free().milliCpus() == 0) {
            return Verdict.TOO_SMALL;
        }
        return view.refused() ? Verdict.REFUSED : Verdict.OFFER;
    }

    /**
     * Usage of a node of which a part is reserved for short tasks (section 4.4 of the Mesos paper).
     *
     * @param shortPart reserved part, 0 to 1; 0 reserves nothing
     * @param node resources of the node
     * @param offered resources to offer now
     * @param taken resources that long tasks of the node use, with the open offers to long tasks
     */
    public record NodeShare(double shortPart, Resources node, Resources offered, List<Resources> taken) {}

    /** Whether the offer is for short tasks only, because with it long tasks could exceed their part of the node. */
    public static boolean shortTasksOnly(NodeShare share) {
        if (share.shortPart() <= 0) {
            return false;
        }
        Resources byLong = share.taken().stream().reduce(share.offered(), Resources::plus);
        double longPart = 1 - share.shortPart();
        return byLong.milliCpus() > share.node().milliCpus() * longPart
                || byLong.memMb() > share.node().memMb() * longPart;
    }

    /** The time for which a refusal holds, in ms. */
    public static long refuseMillis(double refuseSeconds) {
        double seconds = refuseSeconds >= 0 ? refuseSeconds : DEFAULT_REFUSE_SECONDS;
        return (long) Math.min(LONGEST_REFUSE_MILLIS, seconds * 1000);
    }
}
