// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.heddle.offers.master.ClusterState.Framework;
import org.heddle.offers.master.ClusterState.Host;
import org.heddle.offers.master.ClusterState.HostPhase;
import org.heddle.offers.master.ClusterState.Offer;
import org.heddle.offers.master.ClusterState.Role;
import org.heddle.offers.master.cluster.AllocatedContainer;
import org.heddle.offers.master.cluster.ApplicationRecord;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.state.AgentLink;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.model.AskView;
import org.heddle.offers.model.ContainerAsk;
import org.heddle.offers.model.Ports;
import org.heddle.offers.model.Resources;
import org.heddle.offers.policy.AskPolicy;
import org.heddle.offers.policy.PortPool;
import org.jspecify.annotations.Nullable;

/** Grants become offers, answers to offers become asks. Long because what is offered, held back and asked for hang together. */
final class OfferManager {
    private static final double ACCEPT_WEIGHT = 0.3;
    private static final int LEARN_FROM = 50;
    private static final double LEARN_QUANTILE = 0.95;
    private static final long MOST_REFUSE_MILLIS = 365L * 24 * 3600 * 1000;
    private static final long LONGEST_EMPTYING_MILLIS = 10_000;
    static final double DEFAULT_REFUSE_SECONDS = 5;

    private final ClusterState state;
    private final StateExecutor loop;
    private final Cluster cluster;
    private final MasterSettings limits;
    private final SchedulerEvents messages;
    private final PortPool ports;
    private final ContainerShrinker shrinking;
    final Counters tally;
    private long offers;
    private @Nullable ReclaimManager revocations;

    OfferManager(
            ClusterState state,
            StateExecutor loop,
            Cluster cluster,
            MasterSettings limits,
            SchedulerEvents messages,
            Counters tally) {
        this.state = state;
        this.loop = loop;
        this.cluster = cluster;
        this.limits = limits;
        this.messages = messages;
        this.ports = new PortPool(limits.ports());
        this.tally = tally;
        this.shrinking = new ContainerShrinker(state, loop, cluster, limits, tally);
    }

    ContainerShrinker shrinking() {
        return shrinking;
    }

    void wire(ReclaimManager desk) {
        this.revocations = desk;
    }

    static String agentId(String node) {
        return "node-" + Integer.toHexString(node.hashCode()) + "-" + node.replaceAll("[^A-Za-z0-9.-]", "-");
    }

    /** Containers came: offer them, or give back what is not wanted any more. */
    void granted(StateChange turn, Role role, List<AllocatedContainer> grants) {
        List<Offer> made = new ArrayList<>();
        role.asked = new ContainerAsk(role.asked.size(), Math.max(0, role.asked.count() - grants.size()));
        for (AllocatedContainer grant : grants) {
            String agentId = agentId(grant.node());
            Resources usable = usable(grant.size());
            if (!role.wantsOffers()
                    || !role.owed.isEmpty()
                    || !role.wishes.wants(state.nodes.get(grant.node()))
                    || !role.wishes.enough(withDisk(usable), Resources.NONE)
                    || role.filters.refuses(agentId, usable, turn.now())) {
                tally.count("grants_returned");
                turn.after(() -> cluster.release(role.key, grant.containerId()));
                continue;
            }
            Ports lent = ports.lend(grant.host(), limits.portsPerOffer());
            Resources total = new Resources(usable.milliCpus(), usable.memMb(), limits.diskMb(), lent);
            Host host = new Host(grant.containerId(), role, grant.node(), grant.host(), agentId, total);
            host.since = turn.now();
            role.hosts.put(host.containerId, host);
            state.hosts.put(host.containerId, host);
            made.add(offer(turn, host));
        }
        send(turn, role.framework, made);
        ask(turn, role);
    }

    private Resources withDisk(Resources usable) {
        return new Resources(usable.milliCpus(), usable.memMb(), limits.diskMb(), Ports.NONE);
    }

    Resources usable(Resources granted) {
        return Resources.of(granted.milliCpus(), Math.max(0, granted.memMb() - limits.agentMemMb()));
    }

    /** A container as the cluster counts it: with what its agent needs. */
    Resources whole(Resources total) {
        return Resources.of(total.milliCpus(), total.memMb() + limits.agentMemMb());
    }

    /** Takes back into the books what a host held before a restart. */
    void restore(Host host) {
        ports.restore(host.hostname, host.total.ports());
    }

    private Offer offer(StateChange turn, Host host) {
        Offer offer = new Offer(
                messages.identity().id() + "-O" + offers++,
                host,
                host.free(),
                turn.now(),
                onlyForShort(host) ? limits.shortMillis() : 0);
        host.offer = offer;
        state.offers.put(offer.id(), offer);
        tally.count("offers_sent");
        return offer;
    }

    /**
     * Long tasks may fill a node up to the part that is kept for short ones (Mesos 4.4): would they go beyond it if they got
     * all that this host has left? What is offered to them elsewhere on the node counts as taken.
     */
    private boolean onlyForShort(Host host) {
        ClusterNode node = state.nodes.get(host.node);
        if (limits.shortPart() <= 0 || node == null) {
            return false;
        }
        Resources taken = host.free();
        for (Host other : state.hosts.values()) {
            if (other.node.equals(host.node)) {
                for (ClusterState.Task task : other.tasks.values()) {
                    if (!task.ended() && !LaunchBuilder.endsWithin(task.info, limits.shortMillis())) {
                        taken = taken.plus(task.needs);
                    }
                }
                Offer open = other.offer;
                if (open != null && open.mostMillis() == 0 && other != host) {
                    taken = taken.plus(open.bundle());
                }
            }
        }
        double forLong = 1 - limits.shortPart();
        return taken.milliCpus() > node.total().milliCpus() * forLong
                || taken.memMb() > node.total().memMb() * forLong;
    }

    private void send(StateChange turn, Framework framework, List<Offer> made) {
        if (!made.isEmpty()) {
            framework.send(turn, messages.offers(made, state));
        }
    }

    /** Offers that nobody has answered in time; the oldest come first. No timer for each: most are answered. */
    void expire(StateChange turn) {
        for (Offer offer : List.copyOf(state.offers.values())) {
            if (turn.now() - offer.since() < limits.offerMillis()) {
                return;
            }
            tally.count("offers_expired");
            offer.host().role.framework.expired++;
            rescind(turn, offer);
            Role role = offer.host().role;
            role.filters.add(offer.host().agentId, offer.bundle(), turn.now() + (long) (DEFAULT_REFUSE_SECONDS * 1000));
            unoffered(turn, offer.host());
            refusedMore(turn, role);
        }
    }

    /** Takes an offer back and says so. */
    void rescind(StateChange turn, Offer offer) {
        take(offer);
        tally.count("offers_rescinded");
        offer.host().role.framework.send(turn, SchedulerEvents.rescind(offer.id()));
    }

    /** An answer to the offer is here: it is no offer any more. */
    void take(Offer offer) {
        state.offers.remove(offer.id());
        offer.host().offer = null;
    }

    /** The framework does not want this, nor anything contained in it, for so long. */
    void decline(StateChange turn, List<Offer> declined, double refuseSeconds) {
        for (Offer offer : declined) {
            take(offer);
            refuse(turn, offer.host(), offer.bundle(), refuseSeconds);
            tally.count("offers_declined");
            offer.host().role.framework.declined++;
            Role role = offer.host().role;
            role.declines++;
            role.hungry = false;
            unoffered(turn, offer.host());
        }
        declined.stream().map(offer -> offer.host().role).distinct().forEach(role -> refusedMore(turn, role));
    }

    void refuse(StateChange turn, Host host, Resources bundle, double refuseSeconds) {
        double seconds = refuseSeconds >= 0 ? refuseSeconds : DEFAULT_REFUSE_SECONDS;
        long millis = (long) Math.min(MOST_REFUSE_MILLIS, seconds * 1000);
        if (millis > 0) {
            host.role.filters.add(host.agentId, bundle, turn.now() + millis);
        }
    }

    private void refusedMore(StateChange turn, Role role) {
        if (role.declines >= Math.max(1, state.usableNodes)) {
            role.declines = 0;
            role.declineRounds++;
        }
        ask(turn, role);
    }

    /** A host whose free part is not offered to anybody: what now? */
    void unoffered(StateChange turn, Host host) {
        if (host.phase == HostPhase.GRANTED || host.idle()) {
            release(turn, host);
        } else {
            shrinking.unwanted(turn, host);
            awaitFilter(turn, host.role);
        }
    }

    /** Gives a container back to the cluster. */
    void release(StateChange turn, Host host) {
        forget(turn, host);
        tally.count("containers_released");
        AgentLink link = host.link;
        if (link != null) {
            byte[] quit =
                    org.heddle.offers.agent.FrameCodec.frame(org.heddle.offers.agent.AgentProtocol.QUIT, out -> {});
            turn.after(() -> link.send(quit));
        }
        turn.after(() -> cluster.release(host.role.key, host.containerId));
        Objects.requireNonNull(revocations).gone(turn, host, false);
    }

    /** Strikes a host from the books; an offer of it is rescinded. */
    void forget(StateChange turn, Host host) {
        Offer offer = host.offer;
        if (offer != null) {
            rescind(turn, offer);
        }
        if (state.hosts.remove(host.containerId) != null) {
            ports.giveBack(host.hostname, host.total.ports());
        }
        host.role.hosts.remove(host.containerId);
        if (host.phase != HostPhase.GRANTED) {
            turn.remove(StateCodec.hostKey(host.containerId));
        }
    }

    /** The free part of a running host is offered to its framework again, or the host given back if nobody needs it. */
    void consider(StateChange turn, Host host) {
        if (host.phase != HostPhase.RUNNING || host.offer != null || !state.hosts.containsKey(host.containerId)) {
            return;
        }
        Resources free = host.free();
        Role role = host.role;
        boolean offerable = role.wantsOffers()
                && !isToBeEmptied(turn, host)
                && !host.leaving
                && role.owed.isEmpty()
                && role.wishes.wants(state.nodes.get(host.node))
                && role.wishes.enough(free, limits.minimumOffer())
                && free.memMb() > 0
                && free.milliCpus() > 0
                && !role.filters.refuses(host.agentId, free, turn.now());
        if (offerable) {
            send(turn, role.framework, List.of(offer(turn, host)));
        } else {
            unoffered(turn, host);
        }
    }

    /**
     * A framework with work for ever would keep its containers for ever, and whose turn it is would be the bridge's choice.
     * So once its lease is over a container goes back between tasks, and the cluster's scheduler decides; unless it has room
     * for others anyway. One with a long task is not kept from new ones for long, one with an executor is left alone: it
     * would have to end first.
     */
    private boolean isToBeEmptied(StateChange turn, Host host) {
        if (turn.now() < host.emptiedUntil) {
            return true;
        }
        if (host.emptiedUntil > 0) {
            host.emptiedUntil = 0;
            host.since = turn.now();
        }
        if (turn.now() - host.since < limits.leaseMillis()
                || !host.executors.isEmpty()
                || host.role.headroom.covers(host.total)) {
            return false;
        }
        host.emptiedUntil = turn.now() + Math.min(limits.leaseMillis(), LONGEST_EMPTYING_MILLIS);
        tally.count("leases_over");
        loop.at(host.emptiedUntil, later -> consider(later, host));
        return true;
    }

    /** A framework accepted: it is hungry, and this is what it used of the offers. */
    void accepted(StateChange turn, Role role, Resources used) {
        long since = Math.max(1, turn.now() - role.lastAccept);
        double pace = Math.min(1000, 1000.0 / since);
        role.acceptsPerSecond =
                role.lastAccept == 0 ? 0 : ACCEPT_WEIGHT * pace + (1 - ACCEPT_WEIGHT) * role.acceptsPerSecond;
        role.lastAccept = turn.now();
        role.hungry = true;
        role.declines = 0;
        role.declineRounds = 0;
        role.used.addLast(Resources.of(used.milliCpus(), used.memMb()));
        if (role.used.size() > LEARN_FROM) {
            role.used.removeFirst();
        }
        ask(turn, role);
    }

    /** Filters end: offers of running hosts and asks are looked at again. */
    private void awaitFilter(StateChange turn, Role role) {
        long next = role.filters.expire(turn.now());
        if (next == Long.MAX_VALUE || (role.filterTimer > turn.now() && role.filterTimer <= next)) {
            return;
        }
        role.filterTimer = next;
        loop.at(next, later -> {
            role.filterTimer = 0;
            role.filters.expire(later.now());
            List.copyOf(role.hosts.values()).forEach(host -> consider(later, host));
            ask(later, role);
        });
    }

    void revive(StateChange turn, Role role) {
        role.suppressed = false;
        role.filters.clear();
        role.declines = 0;
        role.declineRounds = 0;
        role.hungry = true;
        List.copyOf(role.hosts.values()).forEach(host -> consider(turn, host));
        ask(turn, role);
    }

    /** No more offers; those that are out stay with the framework, as in Mesos. */
    void suppress(StateChange turn, Role role) {
        role.suppressed = true;
        ask(turn, role);
    }

    /** The framework is not there to answer: offers end, idle containers go back. */
    void withdraw(StateChange turn, Framework framework) {
        for (Role role : framework.roles.values()) {
            for (Host host : List.copyOf(role.hosts.values())) {
                if (host.offer != null) {
                    rescind(turn, host.offer);
                }
                unoffered(turn, host);
            }
            ask(turn, role);
        }
    }

    /** Tells the cluster what should be outstanding, if that has changed. */
    void ask(StateChange turn, Role role) {
        role.filters.expire(turn.now());
        awaitFilter(turn, role);
        if (!role.running) {
            return;
        }
        AskView view = view(role, 0);
        Resources size = AskPolicy.size(view);
        Set<String> refusing = role.filters.refusing(size, turn.now());
        Set<String> hosts = new TreeSet<>();
        for (String agentId : refusing) {
            String host = state.usableHosts.get(agentId);
            if (host != null) {
                hosts.add(host);
            }
        }
        if (!role.wishes.groups().isEmpty()) {
            state.nodes.values().stream()
                    .filter(node -> node.usable() && !role.wishes.wants(node))
                    .forEach(node -> hosts.add(node.host()));
        }
        ContainerAsk plan = AskPolicy.plan(view(role, hosts.size()));
        Set<String> refused = plan.count() == 0 ? role.refusedHosts : hosts;
        if (plan.equals(role.asked) && refused.equals(role.refusedHosts)) {
            return;
        }
        role.asked = plan;
        role.refusedHosts = refused;
        ContainerAsk withAgent = plan.size().isEmpty()
                ? plan
                : new ContainerAsk(plan.size().plus(Resources.of(0, limits.agentMemMb())), plan.count());
        ApplicationRecord app = role.app;
        if (app != null && !app.asked().equals(withAgent.size())) {
            role.app = app.withAsked(withAgent.size());
            turn.putSoon(StateCodec.appKey(role.key), StateCodec.app(role.app));
        }
        turn.after(() -> cluster.ask(role.key, withAgent, refused));
    }

    private AskView view(Role role, int blocked) {
        int held = (int) role.hosts.values().stream()
                .filter(host -> host.phase == HostPhase.GRANTED)
                .count();
        Resources node = state.largestNode;
        return new AskView(
                role.wantsOffers() && role.owed.isEmpty(),
                state.usableNodes,
                blocked,
                held,
                role.declineRounds,
                role.hungry,
                role.acceptsPerSecond,
                learned(role),
                role.wished,
                role.wishes.least(limits.minimumOffer()),
                usable(node),
                usable(role.largest),
                role.headroom);
    }

    /** What all but the largest uses of offers would have fitted into. */
    private static @Nullable Resources learned(Role role) {
        if (role.used.isEmpty()) {
            return null;
        }
        return Resources.of(
                quantile(role.used.stream()
                        .mapToLong(Resources::milliCpus)
                        .sorted()
                        .toArray()),
                quantile(role.used.stream().mapToLong(Resources::memMb).sorted().toArray()));
    }

    private static long quantile(long[] sorted) {
        return sorted[(int) Math.min(sorted.length - 1L, (long) Math.ceil(sorted.length * LEARN_QUANTILE) - 1)];
    }

    void headroom(StateChange turn, Role role, Resources headroom) {
        if (!headroom.equals(role.headroom)) {
            role.headroom = headroom;
            ask(turn, role);
        }
    }

    /** Nodes came, went or changed. */
    void nodes(StateChange turn, Map<String, ClusterNode> before, List<ClusterNode> nodes) {
        state.setNodes(nodes);
        boolean changed = before.size() != state.nodes.size()
                || state.nodes.values().stream().anyMatch(node -> {
                    ClusterNode old = before.get(node.node());
                    return old == null || old.usable() != node.usable() || !Objects.equals(old.total(), node.total());
                });
        for (ClusterNode node : nodes) {
            ClusterNode old = before.get(node.node());
            if (node.leavesAt() > 0) {
                Objects.requireNonNull(revocations).nodeLeaves(turn, node);
            } else if (old != null && old.leavesAt() > 0) {
                Objects.requireNonNull(revocations).nodeStays(turn, node);
            }
        }
        if (changed) {
            state.frameworks
                    .values()
                    .forEach(framework -> framework.roles.values().forEach(role -> ask(turn, role)));
        }
    }
}
