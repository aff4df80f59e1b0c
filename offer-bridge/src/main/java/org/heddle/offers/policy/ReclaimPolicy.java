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
 * What happens when the cluster wants containers back, or an amount of resources (the strict and the negotiable
 * contract of YARN's preemption messages). Unused containers return at once; for the others the framework gets inverse
 * offers. Plans name containers in the order in which they are to be treated.
 */
public final class ReclaimPolicy {
    /**
     * Time after the announced preemption, in ms, after which a demand counts as withdrawn: schedulers check at
     * intervals of their own.
     */
    private static final long GRACE_FACTOR = 2;

    /** Chosen by us: longer than the gap between two tasks of a busy framework. */
    private static final long IDLE_MILLIS = 10_000;

    /** Time that a framework has to end idle executors, in ms, before it gets offers of their container again. */
    public static final long IDLE_GRACE_MILLIS = 10_000;

    private ReclaimPolicy() {}

    /**
     * A container of the framework.
     *
     * @param unused whether no task and no executor is in it
     * @param offered whether its free resources are offered now
     * @param leaving whether the framework already knows that it will be taken
     * @param size size of the container with its agent
     */
    public record Candidate(String id, boolean unused, boolean offered, boolean leaving, Resources size) {}

    /**
     * The resources that the cluster wants back from a framework.
     *
     * @param due time at which the cluster takes what was not returned, in ms
     * @param demanded the containers that the cluster named
     */
    public record Debt(Resources amount, long due, Set<String> demanded) {
        public static final Debt NONE = new Debt(Resources.NONE, 0, Set.of());

        public boolean isEmpty() {
            return amount.isEmpty();
        }
    }

    /**
     * The answer to a demand for containers.
     *
     * @param known whether the demand names a container of the framework; if not, it is out of date
     * @param demanded number of containers that the demand names for the first time
     * @param announce containers to announce to the framework: they leave with their tasks, unless they are
     *     unused before
     * @param release containers to return at once
     */
    public record ContainerPlan(boolean known, int demanded, List<String> announce, List<String> release) {}

    /**
     * The answer to a demand for an amount.
     *
     * @param debt resources that the cluster wants back before any container returns
     * @param rescind containers whose offers are rescinded, because the framework should return resources
     * @param release containers to return at once
     * @param left the rest of the debt after these containers have returned
     */
    public record AmountPlan(Debt debt, List<String> rescind, List<String> release, Resources left) {}

    /**
     * Handles a demand for exactly these containers. The framework's unused containers return as well, so that
     * nothing is taken from the framework because of them.
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

    /** Handles a node that leaves the cluster: its unused containers return, its other containers are announced. */
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

    /** Whether executors without a task since this time, in ms, count as idle. */
    public static boolean isIdle(long since, long now) {
        return now - since >= IDLE_MILLIS;
    }

    private static Map<String, Candidate> byId(Collection<Candidate> held) {
        Map<String, Candidate> byId = new LinkedHashMap<>();
        held.forEach(container -> byId.put(container.id(), container));
        return byId;
    }

    /** Whether the demand differs from the current one. Schedulers repeat their demands with every heartbeat. */
    public static boolean isNew(Debt debt, Collection<String> demanded) {
        return !debt.demanded().containsAll(demanded);
    }

    /** Handles a demand for an amount from any containers. */
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
     * The reclaim debt after a container of this size has returned. Containers return as a whole: when the debt of
     * one resource is zero, the rest of the other is dropped, because the container had too little of that resource.
     */
    public static Resources left(Resources reclaimDebt, Resources size) {
        Resources left = reclaimDebt.minus(size);
        return left.memMb() == 0 || left.milliCpus() == 0 ? Resources.NONE : left;
    }

    /**
     * The time after a demand with this grace period at which the bridge checks whether the cluster enforced it, in
     * ms.
     */
    public static long patienceMillis(long graceMillis) {
        return GRACE_FACTOR * graceMillis;
    }

    /**
     * Whether an announced container can be used again.
     *
     * @param start time at which it was to be taken, in ms
     * @param nodeLeaves whether its node leaves the cluster, which is never withdrawn
     */
    public static boolean isWithdrawn(long start, long now, boolean nodeLeaves) {
        return start <= now && !nodeLeaves;
    }

    /** Whether the cluster did not enforce its demand for an amount in time. */
    public static boolean isWithdrawn(Debt debt, long now) {
        return !debt.isEmpty() && debt.due() <= now;
    }
}
