// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.offers;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.mesos.v1.Protos.OfferID;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.Counters.Counter;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkRole;
import org.heddle.offers.master.state.FrameworkTask;
import org.heddle.offers.master.state.InverseOffer;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.master.state.OutstandingOffer;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.policy.ReclaimPolicy;
import org.heddle.offers.policy.ReclaimPolicy.AmountPlan;
import org.heddle.offers.policy.ReclaimPolicy.Candidate;
import org.heddle.offers.policy.ReclaimPolicy.ContainerPlan;

/**
 * What the cluster wants back, as inverse offers (Nexus 3.4, 4.3). Unused containers return at once and without a
 * message; for the others, the framework gets inverse offers with the time at which the cluster takes them:
 *
 * <pre>
 * strict contract, leaving node   one inverse offer for each container, with its agent
 * negotiable contract             one inverse offer for the amount, without an agent: the framework chooses
 * idle executors, others wait     one inverse offer for the container; it stays if the framework does not end them
 * </pre>
 *
 * While a framework has a reclaim debt, it gets no offers, and its containers return when they are idle. A demand which
 * the cluster did not enforce in time counts as withdrawn. {@link ReclaimPolicy} decides.
 */
public final class ReclaimManager {
    private final ClusterState state;
    private final StateExecutor stateExecutor;
    private final MasterSettings settings;
    private final OfferManager offers;
    private final InverseOffers inverseOffers;
    private final Counters counters;

    public ReclaimManager(MasterParts parts, OfferManager offers, InverseOffers inverseOffers) {
        this.state = parts.state();
        this.stateExecutor = parts.stateExecutor();
        this.settings = parts.settings();
        this.counters = parts.counters();
        this.offers = offers;
        this.inverseOffers = inverseOffers;
    }

    /** Handles a demand of the cluster for containers or for an amount. */
    public void wanted(StateChange change, FrameworkRole role, Cluster.Demand demand) {
        if (demand.amount().isEmpty()) {
            containers(change, role, demand);
        } else {
            amount(change, role, demand);
        }
    }

    private void containers(StateChange change, FrameworkRole role, Cluster.Demand demand) {
        ContainerPlan plan =
                ReclaimPolicy.containers(candidates(role.containers().values()), demand.containerIds());
        if (!plan.known()) {
            return;
        }
        for (int i = 0; i < plan.demanded(); i++) {
            counters.count(Counter.CONTAINERS_PREEMPTION_REQUESTED);
        }
        inverseOffers.send(change, role.framework(), apply(change, role, plan, change.now() + demand.graceMillis()));
        checkLater(change, role, demand.graceMillis());
    }

    private List<Candidate> candidates(Collection<AgentContainer> containers) {
        return containers.stream()
                .map(container -> new Candidate(
                        container.id(),
                        container.isUnused(),
                        container.offer() != null,
                        container.isLeaving(),
                        settings.whole(container.total())))
                .toList();
    }

    /** Carries out a plan; returns the inverse offers to send. */
    private List<InverseOffer> apply(StateChange change, FrameworkRole role, ContainerPlan plan, long start) {
        List<InverseOffer> list = new ArrayList<>();
        for (AgentContainer container : find(role, plan.announce())) {
            container.setLeaving(true);
            rescindOffer(change, container);
            list.add(inverseOffers.add(role.framework(), container, container.used(), start));
        }
        release(change, role, plan.release());
        return list;
    }

    private void rescindOffer(StateChange change, AgentContainer container) {
        OutstandingOffer offer = container.offer();
        if (offer != null) {
            offers.rescind(change, offer);
        }
    }

    /** Only containers that are still there, because one release may cause others. */
    private void release(StateChange change, FrameworkRole role, List<String> ids) {
        for (AgentContainer container : find(role, ids)) {
            if (state.contains(container)) {
                offers.release(change, container);
            }
        }
    }

    private static List<AgentContainer> find(FrameworkRole role, List<String> ids) {
        List<AgentContainer> found = new ArrayList<>();
        for (String id : ids) {
            AgentContainer container = role.containers().get(id);
            if (container != null) {
                found.add(container);
            }
        }
        return found;
    }

    private void amount(StateChange change, FrameworkRole role, Cluster.Demand demand) {
        if (!ReclaimPolicy.isNew(role.reclaimDebt(), demand.containerIds())) {
            return;
        }
        counters.count(Counter.RESOURCES_PREEMPTION_REQUESTED);
        long due = change.now() + demand.graceMillis();
        AmountPlan plan = ReclaimPolicy.amount(
                candidates(role.containers().values()),
                role.reclaimDebt(),
                demand.amount(),
                demand.containerIds(),
                due);
        role.setReclaimDebt(plan.debt());
        find(role, plan.rescind()).forEach(container -> rescindOffer(change, container));
        release(change, role, plan.release());
        if (!plan.left().isEmpty()) {
            inverseOffers.send(
                    change, role.framework(), List.of(inverseOffers.add(role.framework(), null, plan.left(), due)));
        }
        checkLater(change, role, demand.graceMillis());
        offers.ask(change, role);
    }

    private void checkLater(StateChange change, FrameworkRole role, long graceMillis) {
        stateExecutor.at(
                change.now() + ReclaimPolicy.patienceMillis(graceMillis), later -> checkWithdrawn(later, role));
    }

    /** Ends demands that the cluster did not enforce in time. */
    private void checkWithdrawn(StateChange change, FrameworkRole role) {
        for (InverseOffer inverse : List.copyOf(role.framework().inverseOffers())) {
            checkWithdrawn(change, role, inverse);
        }
        if (ReclaimPolicy.isWithdrawn(role.reclaimDebt(), change.now())) {
            inverseOffers.settle(change, role);
            offers.reconsider(change, role);
        }
    }

    private void checkWithdrawn(StateChange change, FrameworkRole role, InverseOffer inverse) {
        AgentContainer container = inverse.container();
        if (container == null || container.role() != role || role.framework().inverseOffer(inverse.id()) == null) {
            return;
        }
        ClusterNode node = state.nodes().get(container.node());
        if (ReclaimPolicy.isWithdrawn(inverse.start(), change.now(), node != null && node.leavesAt() > 0)) {
            container.setLeaving(false);
            inverseOffers.rescind(change, role.framework(), inverse);
            offers.consider(change, container);
        }
    }

    /** Asks frameworks for containers with executors that have had no task for a while, if others wait. */
    public void askForIdle(StateChange change) {
        state.roles().toList().forEach(role -> askForIdle(change, role));
    }

    private void askForIdle(StateChange change, FrameworkRole role) {
        List<InverseOffer> list = new ArrayList<>();
        long due = change.now() + ReclaimPolicy.IDLE_GRACE_MILLIS;
        for (AgentContainer container : idle(change, role)) {
            if (!offers.isWanted(role, change.now())) {
                break;
            }
            counters.count(Counter.IDLE_EXECUTORS_ASKED_FOR);
            container.setIdleSince(0); // and again after another while
            list.addAll(apply(change, role, new ContainerPlan(true, 1, List.of(container.id()), List.of()), due));
        }
        if (!list.isEmpty()) {
            inverseOffers.send(change, role.framework(), list);
            stateExecutor.at(due, later -> list.forEach(inverse -> checkWithdrawn(later, role, inverse)));
        }
    }

    private List<AgentContainer> idle(StateChange change, FrameworkRole role) {
        if (role.withoutExecutors() == role.containers().size()) {
            return List.of();
        }
        List<AgentContainer> found = new ArrayList<>();
        for (AgentContainer container : role.containers().values()) {
            if (container.executors().isEmpty() || container.isLeaving() || !container.hasNoTasks()) {
                container.setIdleSince(0);
            } else if (container.idleSince() == 0) {
                container.setIdleSince(change.now());
            } else if (ReclaimPolicy.isIdle(container.idleSince(), change.now())
                    && state.servedBy(container).stream().allMatch(FrameworkTask::ended)) {
                found.add(container);
            }
        }
        return found;
    }

    /** Counts the framework's answers, which do not change its reclaim debt. */
    public void answered(Framework framework, List<OfferID> ids, boolean accepted) {
        for (OfferID id : ids) {
            if (framework.inverseOffer(id.getValue()) != null) {
                counters.count(accepted ? Counter.INVERSE_OFFERS_ACCEPTED : Counter.INVERSE_OFFERS_DECLINED);
            }
        }
    }

    /** Sends the framework its inverse offers again, after it has reconnected. */
    public void sendAgain(StateChange change, Framework framework) {
        if (!framework.inverseOffers().isEmpty()) {
            framework.send(
                    change,
                    SchedulerEvents.inverseOffers(
                            framework.id(), List.copyOf(framework.inverseOffers()), change::dateOf));
        }
    }

    /** Handles a new list of nodes, in which other nodes may be decommissioning. */
    public void nodesChanged(StateChange change, Map<String, ClusterNode> before, List<ClusterNode> nodes) {
        for (ClusterNode node : nodes) {
            ClusterNode old = before.get(node.node());
            if (node.leavesAt() > 0) {
                nodeLeaves(change, node);
            } else if (old != null && old.leavesAt() > 0) {
                nodeStays(change, node);
            }
        }
    }

    private void nodeLeaves(StateChange change, ClusterNode node) {
        Map<FrameworkRole, List<AgentContainer>> onNode = new LinkedHashMap<>();
        for (AgentContainer container : state.containersOn(node.node())) {
            onNode.computeIfAbsent(container.role(), role -> new ArrayList<>()).add(container);
        }
        Map<Framework, List<InverseOffer>> made = new LinkedHashMap<>();
        onNode.forEach((role, containers) -> made.computeIfAbsent(role.framework(), framework -> new ArrayList<>())
                .addAll(apply(change, role, ReclaimPolicy.node(candidates(containers)), node.leavesAt())));
        made.forEach((framework, list) -> inverseOffers.send(change, framework, list));
    }

    private void nodeStays(StateChange change, ClusterNode node) {
        for (AgentContainer container : state.containersOn(node.node())) {
            if (container.isLeaving()) {
                container.setLeaving(false);
                inverseOffers.rescindAbout(change, container.framework(), container);
                offers.consider(change, container);
            }
        }
    }
}
