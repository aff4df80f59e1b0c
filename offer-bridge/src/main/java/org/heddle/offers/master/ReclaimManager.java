// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.mesos.v1.Protos.OfferID;
import org.heddle.offers.master.ClusterState.Framework;
import org.heddle.offers.master.ClusterState.Host;
import org.heddle.offers.master.ClusterState.HostPhase;
import org.heddle.offers.master.ClusterState.InverseOffer;
import org.heddle.offers.master.ClusterState.Role;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.model.Resources;
import org.jspecify.annotations.Nullable;

/**
 * What the cluster wants back, made visible (Nexus 3.4, 4.3). What nobody uses goes at once and in silence; for the rest the
 * framework gets inverse offers with the time at which it will be taken:
 *
 * <pre>
 * strict contract, leaving node   one inverse offer for each container, with its agent: these, and no others
 * negotiable contract             one inverse offer for the amount, without an agent: the framework chooses where
 * </pre>
 *
 * While something is owed, free parts are not offered again, and a container that becomes idle goes back and is counted. A
 * demand that the cluster did not enforce in time is taken for withdrawn.
 */
final class ReclaimManager {
    /** How much later than announced the cluster may kill before the demand is taken for withdrawn. */
    private static final long PATIENCE = 2;

    private final ClusterState state;
    private final StateExecutor loop;
    private final OfferManager offers;
    private long made;

    ReclaimManager(ClusterState state, StateExecutor loop, OfferManager offers) {
        this.state = state;
        this.loop = loop;
        this.offers = offers;
    }

    /** The scheduler wants containers. */
    void wanted(StateChange turn, Role role, Cluster.Demand demand) {
        if (demand.amount().isEmpty()) {
            strict(turn, role, demand);
        } else {
            negotiable(turn, role, demand);
        }
    }

    private void strict(StateChange turn, Role role, Cluster.Demand demand) {
        if (demand.containerIds().stream().noneMatch(role.hosts::containsKey)) {
            return;
        }
        List<InverseOffer> told = new ArrayList<>();
        for (String containerId : demand.containerIds()) {
            Host host = role.hosts.get(containerId);
            if (host != null && !host.leaving) {
                offers.tally.count("containers_wanted");
                take(turn, host, turn.now() + demand.graceMillis(), told);
            }
        }
        // What nobody uses goes too: it counts for the framework, and nothing may be taken from it for the sake of
        // that.
        for (Host host : List.copyOf(role.hosts.values())) {
            if (host.phase == HostPhase.GRANTED || host.idle()) {
                offers.release(turn, host);
            }
        }
        tell(turn, role.framework, told);
        later(turn, role, demand.graceMillis());
    }

    /** A host is to go then: at once if nobody uses it. */
    private void take(StateChange turn, Host host, long start, List<InverseOffer> told) {
        if (host.phase == HostPhase.GRANTED || host.idle()) {
            offers.release(turn, host);
            return;
        }
        host.leaving = true;
        if (host.offer != null) {
            offers.rescind(turn, host.offer);
        }
        told.add(inverse(host.role, host, host.used(), start));
    }

    private void negotiable(StateChange turn, Role role, Cluster.Demand demand) {
        Set<String> fresh = new HashSet<>(demand.containerIds());
        fresh.removeAll(role.demanded);
        if (fresh.isEmpty()) {
            return;
        }
        role.demanded.addAll(demand.containerIds());
        offers.tally.count("amounts_wanted");
        long start = turn.now() + demand.graceMillis();
        Resources before = role.owed;
        role.owed = before.max(demand.amount());
        role.owedAt = before.isEmpty() ? start : role.owedAt;
        for (Host host : List.copyOf(role.hosts.values())) {
            if (host.offer != null && !role.owed.isEmpty()) {
                offers.rescind(turn, host.offer);
            }
            if (host.phase == HostPhase.GRANTED || host.idle()) {
                offers.release(turn, host);
            }
        }
        if (!role.owed.isEmpty()) {
            tell(turn, role.framework, List.of(inverse(role, null, role.owed, start)));
        }
        later(turn, role, demand.graceMillis());
        offers.ask(turn, role);
    }

    private InverseOffer inverse(Role role, @Nullable Host host, Resources amount, long start) {
        InverseOffer inverse = new InverseOffer("inverse-" + made++, host, amount, start);
        role.framework.inverseOffers.put(inverse.id(), inverse);
        return inverse;
    }

    private void tell(StateChange turn, Framework framework, List<InverseOffer> told) {
        if (!told.isEmpty()) {
            offers.tally.count("inverse_offers_sent");
            framework.send(turn, SchedulerEvents.inverseOffers(framework.id, told));
        }
    }

    private void later(StateChange turn, Role role, long graceMillis) {
        loop.at(turn.now() + PATIENCE * graceMillis, then -> withdrawn(then, role));
    }

    /** Demands whose time is long over. */
    private void withdrawn(StateChange turn, Role role) {
        for (InverseOffer inverse : List.copyOf(role.framework.inverseOffers.values())) {
            Host host = inverse.host();
            ClusterNode node = host == null ? null : state.nodes.get(host.node);
            boolean nodeLeaves = node != null && node.leavesAt() > 0;
            if (inverse.start() <= turn.now() && host != null && host.role == role && !nodeLeaves) {
                host.leaving = false;
                rescind(turn, role.framework, inverse);
                offers.consider(turn, host);
            }
        }
        if (!role.owed.isEmpty() && role.owedAt <= turn.now()) {
            settled(turn, role);
        }
    }

    /** A container went back to the cluster or was taken: it counts for what is owed. */
    void gone(StateChange turn, Host host, boolean taken) {
        Role role = host.role;
        for (InverseOffer inverse : List.copyOf(role.framework.inverseOffers.values())) {
            if (inverse.host() == host) {
                rescind(turn, role.framework, inverse);
            }
        }
        if (!role.owed.isEmpty()) {
            Resources left = role.owed.minus(offers.whole(host.total));
            // Containers are taken whole: what is left of one resource alone is what another had too much.
            role.owed = left.memMb() == 0 || left.milliCpus() == 0 ? Resources.NONE : left;
            if (role.owed.isEmpty() || (taken && role.hosts.isEmpty())) {
                settled(turn, role);
            }
        }
    }

    private void settled(StateChange turn, Role role) {
        role.owed = Resources.NONE;
        role.owedAt = 0;
        role.demanded.clear();
        for (InverseOffer inverse : List.copyOf(role.framework.inverseOffers.values())) {
            if (inverse.host() == null) {
                rescind(turn, role.framework, inverse);
            }
        }
        List.copyOf(role.hosts.values()).forEach(host -> offers.consider(turn, host));
        offers.ask(turn, role);
    }

    private static void rescind(StateChange turn, Framework framework, InverseOffer inverse) {
        framework.inverseOffers.remove(inverse.id());
        framework.send(turn, SchedulerEvents.rescindInverse(inverse.id()));
    }

    /** The framework has answered; what is owed is owed whatever it said. */
    void answered(Framework framework, List<OfferID> ids, boolean accepted) {
        for (OfferID id : ids) {
            InverseOffer inverse = framework.inverseOffers.get(id.getValue());
            if (inverse != null) {
                offers.tally.count(accepted ? "inverse_offers_accepted" : "inverse_offers_declined");
            }
        }
    }

    /** Those that are open, to a framework that has come back. */
    void again(StateChange turn, Framework framework) {
        if (!framework.inverseOffers.isEmpty()) {
            framework.send(
                    turn, SchedulerEvents.inverseOffers(framework.id, List.copyOf(framework.inverseOffers.values())));
        }
    }

    /** A node is being taken out of service, or is not any more. */
    void nodeLeaves(StateChange turn, ClusterNode node) {
        for (Framework framework : state.frameworks.values()) {
            List<InverseOffer> told = new ArrayList<>();
            for (Role role : framework.roles.values()) {
                for (Host host : List.copyOf(role.hosts.values())) {
                    if (host.node.equals(node.node()) && !host.leaving) {
                        take(turn, host, node.leavesAt(), told);
                    }
                }
            }
            tell(turn, framework, told);
        }
    }

    void nodeStays(StateChange turn, ClusterNode node) {
        for (Host host : List.copyOf(state.hosts.values())) {
            if (host.node.equals(node.node()) && host.leaving) {
                host.leaving = false;
                for (InverseOffer inverse : List.copyOf(host.role.framework.inverseOffers.values())) {
                    if (inverse.host() == host) {
                        rescind(turn, host.role.framework, inverse);
                    }
                }
                offers.consider(turn, host);
            }
        }
    }
}
