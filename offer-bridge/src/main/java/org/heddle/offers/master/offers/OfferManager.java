// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.offers;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.heddle.offers.agent.AgentProtocol;
import org.heddle.offers.agent.FrameCodec;
import org.heddle.offers.master.cluster.AllocatedContainer;
import org.heddle.offers.master.cluster.ApplicationRecord;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.AgentLink;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.ContainerPhase;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.Counters.Counter;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkRole;
import org.heddle.offers.master.state.FrameworkTask;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.master.state.OutstandingOffer;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.master.state.StateCodec;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.model.AskView;
import org.heddle.offers.model.ContainerAsk;
import org.heddle.offers.model.Ports;
import org.heddle.offers.model.Resources;
import org.heddle.offers.policy.AskPolicy;
import org.heddle.offers.policy.LeasePolicy;
import org.heddle.offers.policy.OfferPolicy;
import org.heddle.offers.policy.PortPool;
import org.heddle.offers.policy.ShrinkPolicy.Drain;
import org.heddle.offers.policy.WaitingPolicy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes offers from allocated containers, and requests to the cluster from the answers to offers. The policies
 * decide; this class collects their inputs and carries out their decisions.
 */
public final class OfferManager {
    private static final Logger LOG = LoggerFactory.getLogger(OfferManager.class);
    /** Short for a framework, long enough to decide once for a burst of allocations. */
    private static final long SHARE_MILLIS = 50;
    /**
     * The end of a filter costs a look at all containers of its role, so those that end together are handled together.
     */
    private static final long FILTER_MILLIS = 100;
    /** Few tasks want more than one. */
    private static final int PORTS_PER_OFFER = 10;

    private final ClusterState state;
    private final StateExecutor stateExecutor;
    private final Cluster cluster;
    private final MasterSettings settings;
    private final SchedulerEvents events;
    private final Counters counters;
    private final PortPool ports;
    private final ContainerShrinker shrinker;
    private final ContainerGrower grower;
    private final InverseOffers inverseOffers;
    private final Contention contention;
    private final ContainerLeases leases;
    private final AllocationWarnings warnings;
    private long offersMade;
    private long shareAt;

    public OfferManager(MasterParts parts, SchedulerEvents events, InverseOffers inverseOffers) {
        this.state = parts.state();
        this.stateExecutor = parts.stateExecutor();
        this.cluster = parts.cluster();
        this.settings = parts.settings();
        this.events = events;
        this.counters = parts.counters();
        this.ports = new PortPool(settings.ports());
        this.shrinker = new ContainerShrinker(parts);
        this.grower = new ContainerGrower(parts);
        this.inverseOffers = inverseOffers;
        this.contention = new Contention(state, settings);
        this.leases = new ContainerLeases(settings, contention);
        this.warnings = new AllocationWarnings(contention, settings, counters, parts.warnings());
    }

    // ---- containers come ----

    /** Offers newly allocated containers, or releases them if the framework does not want them any more. */
    public void allocated(StateChange change, FrameworkRole role, List<AllocatedContainer> allocated) {
        List<OutstandingOffer> made = new ArrayList<>();
        contention.allocated(role, allocated.size(), change.now());
        if (role.leaseLength().allocated(change.now())) {
            counters.count(Counter.RETURNED_CONTAINERS_GIVEN_BACK);
            warnings.givenBack(role, change.now());
        }
        if (role.mayAsk() < Integer.MAX_VALUE) {
            role.setMayAsk(Math.max(0, role.mayAsk() - allocated.size()));
        }
        ContainerAsk asked = role.asked();
        role.setAsked(
                new ContainerAsk(asked.size(), Math.max(0, asked.count() - allocated.size())), role.refusedHosts());
        for (AllocatedContainer one : allocated) {
            if (OfferPolicy.decide(view(change, role, one)) != OfferPolicy.Verdict.OFFER) {
                counters.count(Counter.ALLOCATED_CONTAINERS_REJECTED);
                change.after(() -> cluster.release(role.key(), one.containerId()));
                continue;
            }
            Ports lent = ports.lend(one.host(), PORTS_PER_OFFER);
            Resources total = withDiskAndPorts(settings.usable(one.size()), lent);
            LOG.debug("{} gets {} on {}", role.key(), total, one.node());
            AgentContainer container =
                    new AgentContainer(one.containerId(), role, one.node(), one.host(), total, change.now());
            state.add(container);
            made.add(offer(change, container));
        }
        send(change, role.framework(), made);
        share(change, SHARE_MILLIS);
        ask(change, role);
    }

    /** Adds disk and ports to a container. YARN does not schedule these; the bridge does. */
    private Resources withDiskAndPorts(Resources usable, Ports lent) {
        return new Resources(usable.milliCpus(), usable.memMb(), settings.diskMb(), lent, usable.gpus());
    }

    /** Reserves the ports of a container that was allocated before the bridge was restarted. */
    public void restore(AgentContainer container) {
        ports.restore(container.hostname(), container.total().ports());
    }

    private OfferPolicy.View view(StateChange change, FrameworkRole role, AllocatedContainer one) {
        Resources usable = settings.usable(one.size());
        return new OfferPolicy.View(
                role.isActive(),
                false,
                false,
                !role.reclaimDebt().isEmpty(),
                role.requirements().wants(state.nodes().get(one.node())),
                role.requirements().enough(withDiskAndPorts(usable, Ports.NONE), Resources.NONE),
                role.filters().refuses(ClusterState.agentId(one.node()), usable, change.now()),
                usable);
    }

    // ---- offers are made ----

    private OutstandingOffer offer(StateChange change, AgentContainer container) {
        OutstandingOffer offer = new OutstandingOffer(
                events.identity().id() + "-O" + offersMade++,
                container,
                container.free(),
                change.now(),
                isShortTasksOnly(container) ? settings.shortMillis() : 0);
        state.add(offer);
        counters.count(Counter.OFFERS_SENT);
        return offer;
    }

    private boolean isShortTasksOnly(AgentContainer container) {
        ClusterNode node = state.nodes().get(container.node());
        if (settings.shortPart() <= 0 || node == null) {
            return false;
        }
        List<Resources> taken = new ArrayList<>();
        for (AgentContainer other : state.containersOn(container.node())) {
            for (FrameworkTask task : other.tasks().values()) {
                if (!task.ended() && !FrameworkTask.endsWithin(task.info(), settings.shortMillis())) {
                    taken.add(task.resources());
                }
            }
            OutstandingOffer open = other.offer();
            if (open != null && open.maxTaskMillis() == 0 && other != container) {
                taken.add(open.resources());
            }
        }
        return OfferPolicy.shortTasksOnly(
                new OfferPolicy.NodeShare(settings.shortPart(), node.total(), container.free(), taken));
    }

    private void send(StateChange change, Framework framework, List<OutstandingOffer> made) {
        events.offers(made, state, change::dateOf).forEach(event -> framework.send(change, event));
    }

    /**
     * Offers the free resources of a running container again; if no framework wants them, the container shrinks or
     * returns.
     */
    public void consider(StateChange change, AgentContainer container) {
        if (container.phase() != ContainerPhase.RUNNING || container.offer() != null || !state.contains(container)) {
            return;
        }
        FrameworkRole role = container.role();
        AgentContainer later = leases.keepLater(container, change.now());
        LeasePolicy.Decision lease = leases.decide(container, change.now());
        boolean drained = container.lease().drainUntil() > 0 && !lease.draining();
        if (role.isActive()) {
            apply(container, lease);
        }
        if (drained
                && !container.isUnused()
                && contention.wants(role, change.now())
                && shrinker.unwanted(change, container, Drain.IN_VAIN)) {
            return;
        }
        Resources free = container.free();
        OfferPolicy.Verdict verdict = OfferPolicy.decide(new OfferPolicy.View(
                role.isActive(),
                lease.draining(),
                container.isLeaving(),
                !role.reclaimDebt().isEmpty(),
                role.requirements().wants(state.nodes().get(container.node())),
                role.requirements().enough(free, settings.minimumOffer()),
                role.filters().refuses(container.agentId(), free, change.now()),
                free));
        if (verdict == OfferPolicy.Verdict.OFFER) {
            send(change, role.framework(), List.of(offer(change, container)));
        } else {
            if (verdict == OfferPolicy.Verdict.DRAINING && container.isUnused()) {
                role.leaseLength().returned(change.now());
                contention.returned(role, change.now());
            }
            unoffered(change, container);
        }
        if (later != null) {
            consider(change, later);
        }
    }

    /** Whether others wait for a container of the role. */
    boolean isWanted(FrameworkRole role, long now) {
        return contention.wants(role, now);
    }

    private void apply(AgentContainer container, LeasePolicy.Decision lease) {
        container.setLease(lease.lease());
        if (lease.begins()) {
            counters.count(Counter.LEASES_EXPIRED);
            stateExecutor.at(lease.lease().drainUntil(), later -> consider(later, container));
        }
    }

    /** Makes offers from all containers of a role, and updates the role's request to the cluster. */
    public void reconsider(StateChange change, FrameworkRole role) {
        List.copyOf(role.containers().values()).forEach(container -> consider(change, container));
        ask(change, role);
    }

    // ---- offers end ----

    /**
     * Rescinds the offers without an answer in time, oldest first, and ends a warning whose reason has not come back.
     * One timer serves all offers, because most are answered. A framework that keeps offers which are too small for it
     * has declined them: without this it would get the same size again and again.
     */
    public void expire(StateChange change) {
        warnings.expire(change.now());
        List<OutstandingOffer> expired = state.offers().values().stream()
                .takeWhile(offer -> change.now() - offer.since() >= settings.offerMillis())
                .toList();
        for (OutstandingOffer offer : expired) {
            counters.count(Counter.OFFERS_EXPIRED);
            FrameworkRole role = offer.role();
            role.framework().countExpired();
            role.responses().declined(offer.resources());
            rescind(change, offer);
            refuse(change, offer.container(), offer.resources(), OfferPolicy.DEFAULT_REFUSE_SECONDS);
            unoffered(change, offer.container());
            role.responses().countRound(state.usableNodes());
        }
        expired.stream().map(OutstandingOffer::role).distinct().forEach(role -> ask(change, role));
    }

    /** Ends an offer and tells the framework. */
    public void rescind(StateChange change, OutstandingOffer offer) {
        state.remove(offer);
        counters.count(Counter.OFFERS_RESCINDED);
        offer.role().framework().send(change, SchedulerEvents.rescind(offer.id()));
    }

    /** DECLINE. */
    public void decline(StateChange change, Framework framework, Call.Decline decline) {
        List<OutstandingOffer> known = decline.getOfferIdsList().stream()
                .map(id -> state.offers().get(id.getValue()))
                .filter(offer -> offer != null && offer.role().framework() == framework)
                .distinct()
                .toList();
        double seconds =
                decline.hasFilters() ? decline.getFilters().getRefuseSeconds() : OfferPolicy.DEFAULT_REFUSE_SECONDS;
        decline(change, known, seconds);
    }

    /** Filters the resources of these offers for this time. */
    public void decline(StateChange change, List<OutstandingOffer> declined, double refuseSeconds) {
        for (OutstandingOffer offer : declined) {
            state.remove(offer);
            refuse(change, offer.container(), offer.resources(), refuseSeconds);
            counters.count(Counter.OFFERS_DECLINED);
            offer.role().framework().countDeclined();
            offer.role().responses().declined(offer.resources());
            unoffered(change, offer.container());
        }
        declined.stream().map(OutstandingOffer::role).distinct().forEach(role -> {
            role.responses().countRound(state.usableNodes());
            ask(change, role);
        });
    }

    /** Filters offers of this container that these resources cover, for this time. */
    public void refuse(StateChange change, AgentContainer container, Resources resources, double refuseSeconds) {
        long millis = OfferPolicy.refuseMillis(refuseSeconds);
        if (millis > 0) {
            container.role().filters().add(container.agentId(), resources, change.now() + millis);
        }
    }

    /** Handles a launch of tasks in the container. */
    public void accepted(StateChange change, AgentContainer container) {
        container.setUnwantedSince(0);
        container.setLaunchedAt(change.now());
        container.role().responses().accepted(change.now(), container.used());
        ask(change, container.role());
    }

    /** Handles a disconnected framework: rescinds its offers and returns its unused containers. */
    public void withdraw(StateChange change, Framework framework) {
        for (FrameworkRole role : framework.roles().values()) {
            for (AgentContainer container : List.copyOf(role.containers().values())) {
                OutstandingOffer offer = container.offer();
                if (offer != null) {
                    rescind(change, offer);
                }
                unoffered(change, container);
            }
            ask(change, role);
        }
    }

    /** REVIVE. */
    public void revive(StateChange change, FrameworkRole role) {
        role.setSuppressed(false);
        role.filters().clear();
        role.responses().wanted();
        reconsider(change, role);
    }

    /** SUPPRESS: makes no more offers. As in Mesos, outstanding offers stay valid. */
    public void suppress(StateChange change, FrameworkRole role) {
        role.setSuppressed(true);
        ask(change, role);
    }

    // ---- containers go ----

    /** Handles free resources that are not offered: an unused container returns, another container may shrink. */
    public void unoffered(StateChange change, AgentContainer container) {
        if (container.isUnused()) {
            release(change, container);
        } else {
            boolean draining = container.lease().drainUntil() > change.now();
            shrinker.unwanted(change, container, draining ? Drain.DRAINING : Drain.NONE);
            awaitFilter(change, container.role());
        }
    }

    /** Returns a container to the cluster. */
    public void release(StateChange change, AgentContainer container) {
        LOG.debug("{} returns {} on {}", container.role().key(), container.total(), container.node());
        forget(change, container);
        counters.count(Counter.CONTAINERS_RELEASED);
        AgentLink link = container.link();
        if (link != null) {
            byte[] quit = FrameCodec.frame(AgentProtocol.QUIT, out -> {});
            change.after(() -> link.send(quit));
        }
        change.after(() -> cluster.release(container.role().key(), container.id()));
        gone(change, container, false);
    }

    /** Removes a container from the state and rescinds its offer. */
    public void forget(StateChange change, AgentContainer container) {
        OutstandingOffer offer = container.offer();
        if (offer != null) {
            rescind(change, offer);
        }
        container.countReturn(change.now());
        share(change, SHARE_MILLIS);
        if (state.remove(container)) {
            ports.giveBack(container.hostname(), container.total().ports());
        }
        if (container.phase() != ContainerPhase.ALLOCATED) {
            change.remove(StateCodec.containerKey(container.id()));
        }
    }

    /** Handles a container that returned to the cluster or that the cluster took. */
    public void gone(StateChange change, AgentContainer container, boolean taken) {
        if (inverseOffers.containerGone(change, container, settings.whole(container.total()), taken)) {
            reconsider(change, container.role());
        }
    }

    /** Handles a container to which the cluster has given another size. */
    public void resized(StateChange change, AgentContainer container, Resources size) {
        if (container.isGrowing()) {
            grower.done(change, container, size);
        } else {
            shrinker.done(change, container, size);
        }
        consider(change, container);
        ask(change, container.role());
    }

    /** Handles the cluster's refusal to give a container another size. */
    public void notResized(StateChange change, AgentContainer container, String message) {
        if (container.isGrowing()) {
            grower.refused(change, container, message);
            ask(change, container.role());
        } else {
            shrinker.refused(change, container, message);
        }
    }

    // ---- requests to the cluster ----

    /** Sets the timer for the end of the role's next filter. */
    private void awaitFilter(StateChange change, FrameworkRole role) {
        long next = role.filters().expire(change.now());
        if (next == Long.MAX_VALUE) {
            return;
        }
        long due = (next + FILTER_MILLIS - 1) / FILTER_MILLIS * FILTER_MILLIS;
        if (role.filterTimer() > change.now() && role.filterTimer() <= due) {
            return;
        }
        role.setFilterTimer(due);
        stateExecutor.at(due, later -> {
            role.setFilterTimer(0);
            role.filters().expire(later.now());
            reconsider(later, role);
        });
    }

    /** Sends the role's request to the cluster if it has changed. */
    public void ask(StateChange change, FrameworkRole role) {
        awaitFilter(change, role);
        if (!role.isRunning()) {
            return;
        }
        AskView view = view(change, role);
        Set<String> excluded = excludedHosts(change, role, AskPolicy.size(view));
        ContainerAsk plan = AskPolicy.plan(view, excluded.size());
        begins(change, role, plan);
        plan = new ContainerAsk(plan.size(), Math.min(plan.count(), role.mayAsk()));
        if (plan.count() > 0 && role.mayAsk() == Integer.MAX_VALUE && !contention.othersWait(role, change.now())) {
            plan = grower.grow(change, role, plan, excluded);
        }
        Set<String> refused = plan.count() == 0 ? role.refusedHosts() : excluded;
        if (plan.equals(role.asked()) && refused.equals(role.refusedHosts())) {
            return;
        }
        LOG.debug("{} asks for {}, at most {}", role.key(), plan, role.mayAsk());
        role.setAsked(plan, refused);
        ContainerAsk withAgent =
                plan.size().isEmpty() ? plan : new ContainerAsk(settings.whole(plan.size()), plan.count());
        ApplicationRecord application = role.application();
        if (application != null && !application.asked().equals(withAgent.size())) {
            ApplicationRecord changed = application.withAsked(withAgent.size());
            role.setApplication(changed);
            change.putSoon(StateCodec.applicationKey(role.key()), StateCodec.application(changed));
        }
        change.after(() -> cluster.ask(role.key(), withAgent, refused));
    }

    /** Notes since when the role asks. If it has nothing yet, the others return containers sooner. */
    private void begins(StateChange change, FrameworkRole role, ContainerAsk plan) {
        if (plan.count() == 0) {
            role.setAskingSince(0);
            role.setRoomReports(0);
        } else if (role.askingSince() == 0) {
            role.setAskingSince(change.now());
            share(change, WaitingPolicy.FULL_MILLIS);
            if (role.containers().isEmpty()) {
                state.roles().forEach(other -> other.leaseLength().othersBegin());
            }
        }
    }

    /** Within that time, decides again which roles ask. */
    private void share(StateChange change, long millis) {
        if (shareAt > change.now() && shareAt <= change.now() + millis) {
            return;
        }
        shareAt = change.now() + millis;
        stateExecutor.at(shareAt, later -> contention.share(later.now()).forEach(role -> ask(later, role)));
    }

    /** Containers that all applications ask YARN for and do not have. */
    public void pending(StateChange change, long containers) {
        if (contention.pending(containers)) {
            state.roles().forEach(role -> role.leaseLength().othersBegin());
        }
        share(change, SHARE_MILLIS);
        state.roles()
                .filter(role -> contention.adapts(role, change.now()))
                .toList()
                .forEach(role -> ask(change, role));
    }

    /** Nodes on which the framework's filters refuse containers of this size. */
    private Set<String> excludedHosts(StateChange change, FrameworkRole role, Resources size) {
        Set<String> excluded = new HashSet<>();
        for (String agentId : role.filters().refusing(size, change.now())) {
            String host = state.usableHost(agentId);
            if (host != null) {
                excluded.add(host);
            }
        }
        if (!role.requirements().groups().isEmpty()) {
            state.nodes().values().stream()
                    .filter(node -> node.usable() && !role.requirements().wants(node))
                    .forEach(node -> excluded.add(node.host()));
        }
        return excluded;
    }

    private AskView view(StateChange change, FrameworkRole role) {
        return new AskView(
                role.isActive() && role.reclaimDebt().isEmpty(),
                state.usableNodes(),
                role.unanswered(),
                role.responses().declineRounds(),
                role.responses().wantsOffers(),
                role.responses().declined(),
                role.responses().acceptsPerSecond(),
                role.responses().learned(),
                role.requested(),
                role.requirements().least(settings.minimumOffer()),
                role.responses().smallest(),
                contention.hole(),
                contention.adapts(role, change.now()),
                settings.usable(node(role)),
                role.framework().isGpuCapable() ? contention.freeGpus() : 0,
                settings.whole(Resources.NONE),
                settings.usable(role.largestContainer()),
                role.headroom());
    }

    /** A node as large as the largest one. Only frameworks that know of GPUs are offered any, as in Mesos. */
    private Resources node(FrameworkRole role) {
        Resources largest = state.largestNode();
        return role.framework().isGpuCapable() ? largest : largest.withGpus(0);
    }

    /** REQUEST: sets the size of the containers to ask for. Mesos' own allocator ignores this call. */
    public void request(StateChange change, FrameworkRole role, @Nullable Resources size) {
        role.setRequested(size);
        role.responses().requested();
        ask(change, role);
    }

    public void headroom(StateChange change, FrameworkRole role, Resources headroom) {
        if (!headroom.equals(role.headroom())) {
            role.setHeadroom(headroom);
            ask(change, role);
        }
    }

    /** Handles a new list of the cluster's nodes. */
    public void nodesChanged(StateChange change, Map<String, ClusterNode> before) {
        boolean changed = before.size() != state.nodes().size()
                || state.nodes().values().stream().anyMatch(node -> {
                    ClusterNode old = before.get(node.node());
                    return old == null || old.usable() != node.usable() || !Objects.equals(old.total(), node.total());
                });
        boolean sizes = contention.nodesChanged();
        contention.unplaced().forEach(warnings::unplaced);
        if (sizes || changed) {
            state.roles().toList().forEach(role -> ask(change, role));
        }
    }
}
