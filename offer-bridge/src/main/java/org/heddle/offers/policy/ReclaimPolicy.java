// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.offers.model.Resources;

/**
 * What happens when the cluster wants containers back, or an amount of resources (the strict and the negotiable contract of
 * YARN's preemption messages). Unused containers return at once; for the others the framework gets inverse offers.
 * Plans name containers in the order in which they are to be treated.
 */
public final class ReclaimPolicy {
    /**
     * The cluster may preempt this many times later than announced: schedulers look at intervals of their own. After that,
     * the demand counts as withdrawn.
     */
    private static final long GRACE_FACTOR = 2;

    private ReclaimPolicy() {}

    /**
     * A container of the framework.
     *
     * @param unused no task and no executor is in it
     * @param offered its free part is offered now
     * @param leaving the framework knows already that it will be taken
     * @param size as the cluster counts it
     */
    public record Candidate(String id, boolean unused, boolean offered, boolean leaving, Resources size) {}

    /**
     * The amount that the cluster wants back from a framework.
     *
     * @param due when the cluster takes what it was not given
     * @param demanded containers that the cluster named when it asked
     */
    public record Debt(Resources amount, long due, Set<String> demanded) {
        public static final Debt NONE = new Debt(Resources.NONE, 0, Set.of());

        public boolean isEmpty() {
            return amount.isEmpty();
        }
    }

    /**
     * What to do about demanded containers.
     *
     * @param known the demand names a container that the framework has: if not, it is out of date
     * @param demanded how many containers the demand names for the first time
     * @param announce containers which the framework is told about: they leave with their tasks, unless they are unused before
     * @param release containers which return at once
     */
    public record ContainerPlan(boolean known, int demanded, List<String> announce, List<String> release) {}

    /**
     * What to do about a demanded amount.
     *
     * @param debt what the cluster wants back, before anything returns
     * @param rescind those whose offers end: the framework should give, not get
     * @param release those that return at once
     * @param left the rest of the debt after that
     */
    public record AmountPlan(Debt debt, List<String> rescind, List<String> release, Resources left) {}

    /**
     * The cluster wants exactly these containers. The framework's unused containers return as well: they count for it, and
     * nothing should be taken from it because of them.
     */
    public static ContainerPlan containers(Collection<Candidate> held, Collection<String> demanded) {
        Map<String, Candidate> byId = byId(held);
        Set<String> wanted = new LinkedHashSet<>(demanded);
        wanted.retainAll(byId.keySet());
        if (wanted.isEmpty()) {
            return new ContainerPlan(false, 0, List.of(), List.of());
        }
        List<String> announce = new ArrayList<>();
        Set<String> release = new LinkedHashSet<>();
        for (String id : wanted) {
            Candidate container = byId.get(id);
            if (container != null && !container.leaving()) {
                (container.unused() ? release : announce).add(id);
            }
        }
        int fresh = announce.size() + release.size();
        held.stream().filter(Candidate::unused).forEach(container -> release.add(container.id()));
        return new ContainerPlan(true, fresh, announce, List.copyOf(release));
    }

    /** A node leaves the cluster: of its containers, the unused ones return and the others are announced. */
    public static ContainerPlan node(Collection<Candidate> onNode) {
        List<String> announce = new ArrayList<>();
        List<String> release = new ArrayList<>();
        for (Candidate container : onNode) {
            if (!container.leaving()) {
                (container.unused() ? release : announce).add(container.id());
            }
        }
        return new ContainerPlan(!onNode.isEmpty(), announce.size() + release.size(), announce, release);
    }

    private static Map<String, Candidate> byId(Collection<Candidate> held) {
        Map<String, Candidate> byId = new LinkedHashMap<>();
        held.forEach(container -> byId.put(container.id(), container));
        return byId;
    }

    /** Does the demand say anything new? Schedulers repeat theirs with every heartbeat. */
    public static boolean isNew(Debt debt, Collection<String> demanded) {
        return !debt.demanded().containsAll(demanded);
    }

    /** The cluster wants an amount, of any containers. */
    public static AmountPlan amount(
            Collection<Candidate> held, Debt before, Resources amount, Collection<String> demanded, long due) {
        Set<String> all = new LinkedHashSet<>(before.demanded());
        all.addAll(demanded);
        Debt debt = new Debt(before.amount().max(amount), before.isEmpty() ? due : before.due(), all);
        List<String> rescind = new ArrayList<>();
        List<String> release = new ArrayList<>();
        Resources left = debt.amount();
        for (Candidate container : held) {
            if (container.offered() && !left.isEmpty()) {
                rescind.add(container.id());
            }
            if (container.unused()) {
                release.add(container.id());
                left = left(left, container.size());
            }
        }
        return new AmountPlan(debt, rescind, release, left);
    }

    /**
     * The reclaim debt after a container of that size returned. Containers return whole: when the debt of one resource is zero,
     * the rest of the other one is only what the container had too little of.
     */
    public static Resources left(Resources reclaimDebt, Resources size) {
        Resources left = reclaimDebt.minus(size);
        return left.memMb() == 0 || left.milliCpus() == 0 ? Resources.NONE : left;
    }

    /** How long after a demand with that grace period the bridge looks whether the cluster enforced it. */
    public static long patienceMillis(long graceMillis) {
        return GRACE_FACTOR * graceMillis;
    }

    /**
     * Is an announced container free to be used again?
     *
     * @param start when it was to be taken
     * @param nodeLeaves its node leaves the cluster, which nothing withdraws
     */
    public static boolean isWithdrawn(long start, long now, boolean nodeLeaves) {
        return start <= now && !nodeLeaves;
    }

    /** Has the cluster not enforced its demand for an amount in time? */
    public static boolean isWithdrawn(Debt debt, long now) {
        return !debt.isEmpty() && debt.due() <= now;
    }
}
