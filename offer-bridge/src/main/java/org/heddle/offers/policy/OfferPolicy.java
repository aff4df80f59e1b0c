// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import java.util.List;
import org.heddle.offers.model.Resources;

/** Whether resources of a container are offered to its framework, to which tasks, and for how long a refusal holds. */
public final class OfferPolicy {
    /** The default of {@code RefusedOfferFilters.refuse_seconds} in mesos.proto; it also holds for negative values, as there. */
    public static final double DEFAULT_REFUSE_SECONDS = 5;

    /** The largest value of {@code RefusedOfferFilters.refuse_seconds}, as mesos.proto says: 365 days. */
    static final long LONGEST_REFUSE_MILLIS = 365L * 24 * 3600 * 1000;

    private OfferPolicy() {}

    /** Why resources are not offered, or that they are. The first one that holds is the answer. */
    public enum Verdict {
        OFFER,
        /** The framework is not connected, or has suppressed offers for the role. */
        INACTIVE,
        /** The container's lease is over. */
        DRAINING,
        /** The cluster takes this container soon. */
        LEAVING,
        /** The cluster wants resources back from the framework. */
        RECLAIM_DEBT,
        /** The framework's constraints exclude the node. */
        NODE_EXCLUDED,
        /** Less than the framework's minimum, or the bridge's. */
        TOO_SMALL,
        /** The framework refuses this for now. */
        REFUSED
    }

    /**
     * What the decision depends on.
     *
     * @param active the framework is connected and has not suppressed offers for the role
     * @param draining see {@link LeasePolicy}
     * @param leaving the cluster takes the container soon
     * @param reclaimDebt the cluster wants resources back from the framework
     * @param nodeWanted the node meets the framework's constraints
     * @param sufficient the free part is at least the minimum
     * @param refused a filter of the framework covers the free part
     * @param free what would be offered
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
     * The part of a node that is kept for short tasks (section 4.4 of the Mesos paper).
     *
     * @param shortPart 0 to 1; 0 keeps nothing
     * @param node all of the node
     * @param offered what is to be offered now
     * @param taken what long tasks of the node use, and open offers to long tasks
     */
    public record NodeShare(double shortPart, Resources node, Resources offered, List<Resources> taken) {}

    /** Is the offer for short tasks only? It is if long tasks would go beyond their part of the node if they got it all. */
    public static boolean shortTasksOnly(NodeShare share) {
        if (share.shortPart() <= 0) {
            return false;
        }
        Resources byLong = share.taken().stream().reduce(share.offered(), Resources::plus);
        double longPart = 1 - share.shortPart();
        return byLong.milliCpus() > share.node().milliCpus() * longPart
                || byLong.memMb() > share.node().memMb() * longPart;
    }

    /** For how long a refusal holds. */
    public static long refuseMillis(double refuseSeconds) {
        double seconds = refuseSeconds >= 0 ? refuseSeconds : DEFAULT_REFUSE_SECONDS;
        return (long) Math.min(LONGEST_REFUSE_MILLIS, seconds * 1000);
    }
}
