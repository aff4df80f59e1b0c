// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.offers;

import java.util.List;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.Counters.Counter;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkRole;
import org.heddle.offers.master.state.InverseOffer;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.model.Resources;
import org.heddle.offers.policy.ReclaimPolicy;
import org.heddle.offers.policy.ReclaimPolicy.Debt;
import org.jspecify.annotations.Nullable;

/** The inverse offers and reclaim debts of frameworks. Each container that is returned reduces both. */
public final class InverseOffers {
    private final ClusterState state;
    private final Counters counters;
    private long made;

    public InverseOffers(ClusterState state, Counters counters) {
        this.state = state;
        this.counters = counters;
    }

    /** @param container the container that is wanted back; null for an amount from any containers */
    InverseOffer add(Framework framework, @Nullable AgentContainer container, Resources amount, long start) {
        InverseOffer inverse = new InverseOffer("inverse-" + made++, container, amount, start);
        state.add(framework, inverse);
        return inverse;
    }

    void send(StateChange change, Framework framework, List<InverseOffer> list) {
        if (!list.isEmpty()) {
            counters.count(Counter.INVERSE_OFFERS_SENT);
            framework.send(change, SchedulerEvents.inverseOffers(framework.id(), list, change::dateOf));
        }
    }

    void rescind(StateChange change, Framework framework, InverseOffer inverse) {
        state.remove(framework, inverse);
        framework.send(change, SchedulerEvents.rescindInverse(inverse.id()));
    }

    /** Rescinds the inverse offers of this container; with null, those of an amount. */
    void rescindAbout(StateChange change, Framework framework, @Nullable AgentContainer container) {
        for (InverseOffer inverse : List.copyOf(framework.inverseOffers())) {
            if (inverse.container() == container) {
                rescind(change, framework, inverse);
            }
        }
    }

    /**
     * Handles a container that returned to the cluster or that the cluster took.
     *
     * @param whole its size in the cluster, with the resources of its agent
     * @return whether this ended the framework's reclaim debt, so that the framework can get offers again
     */
    boolean containerGone(StateChange change, AgentContainer container, Resources whole, boolean taken) {
        FrameworkRole role = container.role();
        rescindAbout(change, role.framework(), container);
        Debt debt = role.reclaimDebt();
        if (debt.isEmpty()) {
            return false;
        }
        Resources left = ReclaimPolicy.left(debt.amount(), whole);
        role.setReclaimDebt(new Debt(left, debt.due(), debt.demanded()));
        if (left.isEmpty() || (taken && role.containers().isEmpty())) {
            settle(change, role);
            return true;
        }
        return false;
    }

    /** Cancels the framework's reclaim debt. */
    void settle(StateChange change, FrameworkRole role) {
        role.setReclaimDebt(Debt.NONE);
        rescindAbout(change, role.framework(), null);
    }
}
