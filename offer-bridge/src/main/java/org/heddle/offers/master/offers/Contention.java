// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.offers;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.FrameworkRole;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.model.Resources;
import org.heddle.offers.policy.QueueShares;
import org.heddle.offers.policy.Transfers;
import org.heddle.offers.policy.WaitingPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Which applications wait for resources that others hold: the bridge's own, by their asks, and all others together, by
 * the containers that are pending in YARN's queues beyond the bridge's own asks.
 */
final class Contention {
    /** Asks of the bridge and YARN's figures are not of the same moment, so one report may be wrong. */
    private static final int REPORTS = 2;

    /** With room in so many reports, which are 2 s apart, the role's own limits or wishes keep it from containers. */
    private static final int UNPLACED_REPORTS = 4;

    /** Chosen by us: several short leases, each with a chance for the scheduler to serve the role that waits. */
    private static final long STARVED_MILLIS = 20_000;

    /**
     * A returned container that is not allocated within this time is not expected any more: three heartbeats of a node.
     */
    private static final long IN_FLIGHT_MILLIS = 3_000;

    private final ClusterState state;
    private final MasterSettings settings;
    private Resources freest = Resources.NONE;
    private long freeGpus;
    private @Nullable Resources medianContainer;
    private int foreignReports;
    /** For each queue the times at which containers were returned that are not allocated again, in ms. */
    private final Map<String, Deque<Long>> inFlight = new HashMap<>();

    private final Map<String, Long> turnAt = new HashMap<>();

    Contention(ClusterState state, MasterSettings settings) {
        this.state = state;
        this.settings = settings;
    }

    /** The list of nodes is here; returns whether first asks may have another size now. */
    boolean nodesChanged() {
        Resources before = hole();
        freest = Resources.NONE;
        freeGpus = 0;
        for (ClusterNode node : state.nodes().values()) {
            Resources free = node.total().minus(node.used());
            freeGpus = Math.max(freeGpus, node.usable() ? free.gpus() : 0);
            if (node.usable() && free.milliCpus() > 0 && isFreer(free, freest)) {
                freest = free;
            }
        }
        medianContainer = median();
        Resources after = hole();
        return before == null ? after != null : !before.equals(after);
    }

    private static boolean isFreer(Resources one, Resources other) {
        return one.memMb() > other.memMb()
                || (one.memMb() == other.memMb() && one.memMb() > 0 && one.milliCpus() > other.milliCpus());
    }

    /**
     * After a report of the nodes: counts for each role how often a node had room for its ask, and it got no container.
     *
     * @return roles for which that is so for long now: other roles do not hold back for them before they get a
     *     container
     */
    List<FrameworkRole> unplaced() {
        List<FrameworkRole> found = new ArrayList<>();
        state.roles().filter(role -> role.roomReports() < UNPLACED_REPORTS).forEach(role -> {
            boolean room = role.asked().count() > 0 && role.isActive() && freest.covers(asked(role));
            role.setRoomReports(room ? role.roomReports() + 1 : 0);
            if (role.roomReports() == UNPLACED_REPORTS) {
                found.add(role);
            }
        });
        return found;
    }

    /** The most GPUs that are free on one node. */
    long freeGpus() {
        return freeGpus;
    }

    /**
     * What becomes free when a framework returns a container; null if a node has room for a quarter of the largest
     * node.
     */
    @Nullable
    Resources hole() {
        Resources node = state.largestNode();
        return freest.covers(Resources.of(node.milliCpus() / 4, node.memMb() / 4)) ? null : medianContainer;
    }

    /** The median of all containers, for CPUs and memory each. */
    private @Nullable Resources median() {
        Map<Resources, Integer> sizes = new HashMap<>();
        state.roles().forEach(role -> role.sizes().forEach((size, number) -> sizes.merge(size, number, Integer::sum)));
        if (sizes.isEmpty()) {
            return null;
        }
        return Resources.of(median(sizes, Resources::milliCpus), median(sizes, Resources::memMb));
    }

    private static long median(Map<Resources, Integer> sizes, ToLongFunction<Resources> amount) {
        TreeMap<Long, Integer> sorted = new TreeMap<>();
        int all = 0;
        for (Map.Entry<Resources, Integer> size : sizes.entrySet()) {
            sorted.merge(amount.applyAsLong(size.getKey()), size.getValue(), Integer::sum);
            all += size.getValue();
        }
        int smaller = 0;
        for (Map.Entry<Long, Integer> one : sorted.entrySet()) {
            smaller += one.getValue();
            if (smaller > all / 2) {
                return one.getKey();
            }
        }
        return sorted.lastKey();
    }

    /** YARN's figure; returns whether applications of others have just begun to wait. */
    boolean pending(long containers) {
        long ours = state.roles().mapToLong(role -> role.asked().count()).sum()
                + state.containers().values().stream()
                        .filter(AgentContainer::isGrowing)
                        .count();
        foreignReports = containers > ours ? Math.min(REPORTS, foreignReports) + 1 : 0;
        return foreignReports == REPORTS;
    }

    /**
     * Whether an application waits with which the bridge does not divide a queue: the scheduler alone knows their
     * shares. Also one of the same queue that has waited for long without any container: what it asks for may be too
     * large to divide. Not while a container that was returned may still go to it.
     */
    boolean othersWait(FrameworkRole role, long now) {
        return foreignReports >= REPORTS
                || state.roles()
                        .anyMatch(other -> other != role
                                && (!share(role, other)
                                        || (other.containers().isEmpty()
                                                && sinceProgress(other, now) >= STARVED_MILLIS
                                                && inFlight(other, now) == 0))
                                && waits(other, now));
    }

    /**
     * Whether another application waits for a container of the role: one of the same queue if it would not have more
     * than the role afterwards. Containers that are announced to the role count as returned.
     */
    boolean wants(FrameworkRole role, long now) {
        if (role.containers().isEmpty()) {
            return false;
        }
        Resources cluster = state.total();
        QueueShares.Member own = member(0, role, cluster, now);
        double one = own.used() / role.containers().size();
        double left = one * (role.staying() - 1);
        return othersWait(role, now)
                || state.roles()
                        .filter(other -> other != role && share(role, other))
                        .anyMatch(other -> {
                            QueueShares.Member member = member(1, other, cluster, now);
                            return member.waits() && member.used() + member.next() <= left;
                        });
    }

    private boolean share(FrameworkRole one, FrameworkRole other) {
        return settings.sharesQueues()
                && !one.placement().queue().isEmpty()
                && one.placement().queue().equals(other.placement().queue());
    }

    /** Containers that were returned in the role's queue and are not allocated again. */
    private long inFlight(FrameworkRole role, long now) {
        Deque<Long> times = inFlight.get(role.placement().queue());
        if (times == null) {
            return 0;
        }
        long over =
                times.stream().takeWhile(time -> now - time > IN_FLIGHT_MILLIS).count();
        return times.size() - over;
    }

    /** The role has returned a container for others. */
    void returned(FrameworkRole role, long now) {
        inFlight.computeIfAbsent(role.placement().queue(), queue -> new ArrayDeque<>())
                .add(now);
    }

    /** The role got containers: probably those that were returned. */
    void allocated(FrameworkRole role, int containers, long now) {
        if (waits(role, now)) {
            role.setWaitedUntil(now);
        }
        role.setLastAllocated(now);
        Deque<Long> returned = inFlight.getOrDefault(role.placement().queue(), new ArrayDeque<>());
        for (int i = 0; i < containers; i++) {
            returned.poll();
        }
    }

    /**
     * Another role that has no container and has waited for longer than a scheduler needs that shares; null if there is
     * none.
     */
    @Nullable
    FrameworkRole starved(FrameworkRole served, long now) {
        return state.roles()
                .filter(role -> role != served
                        && role.containers().isEmpty()
                        && sinceProgress(role, now) >= STARVED_MILLIS
                        && waits(role, now))
                .findFirst()
                .orElse(null);
    }

    /** Time since the role's ask was opened or last got a container, in ms. */
    long sinceProgress(FrameworkRole role, long now) {
        return view(role, now).sinceProgress();
    }

    /**
     * Decides for each role how many containers it may ask for before another one of its queue comes first, and how
     * many it returns for others of its queue; returns the roles for which the first has changed.
     */
    List<FrameworkRole> share(long now) {
        Resources cluster = state.total();
        Map<FrameworkRole, QueueShares.Member> members = new LinkedHashMap<>();
        state.roles().forEach(role -> members.put(role, member(members.size(), role, cluster, now)));
        QueueShares shares = new QueueShares(members.values());
        List<FrameworkRole> changed = new ArrayList<>();
        members.forEach((role, member) -> {
            int most = shares.mayAsk(member);
            if (most != role.mayAsk()) {
                role.setMayAsk(most);
                changed.add(role);
            }
        });
        divide(members, now);
        return changed;
    }

    private void divide(Map<FrameworkRole, QueueShares.Member> members, long now) {
        Map<String, Integer> returned = new HashMap<>();
        inFlight.forEach((queue, times) -> {
            times.removeIf(time -> now - time > IN_FLIGHT_MILLIS);
            returned.put(queue, times.size());
        });
        List<Transfers.Party> parties = new ArrayList<>();
        members.forEach((role, member) -> parties.add(party(role, member)));
        Iterator<Transfers.Quota> quotas = Transfers.plan(parties, returned).iterator();
        Set<String> turns = new HashSet<>();
        for (FrameworkRole role : members.keySet()) {
            Transfers.Quota quota = quotas.next();
            String queue = role.placement().queue();
            boolean time = now - turnAt.getOrDefault(queue, 0L) >= Transfers.TURN_MILLIS;
            boolean turn = quota.turn() && (time || role.quota().turn());
            if (turn && time) {
                turns.add(queue);
            }
            role.setQuota(new Transfers.Quota(quota.returns(), turn));
        }
        turns.forEach(queue -> turnAt.put(queue, now));
    }

    private static Transfers.Party party(FrameworkRole role, QueueShares.Member member) {
        int containers = role.containers().size();
        return new Transfers.Party(
                member,
                role.asked().count(),
                containers == 0 ? 0 : member.used() / containers,
                containers,
                role.withoutExecutors());
    }

    private QueueShares.Member member(int id, FrameworkRole role, Resources cluster, long now) {
        Resources used = role.held()
                .plus(settings.whole(Resources.NONE).times(role.containers().size()));
        return new QueueShares.Member(
                id,
                settings.sharesQueues() ? role.placement().queue() : "",
                role.placement().user(),
                used.dominantShare(cluster),
                asked(role).dominantShare(cluster),
                (waits(role, now) || isBeingServed(role, now))
                        && role.asked().size().gpus() <= freeGpus // containers of others would not help
                        && role.responses().wantsOffersOf(role.asked().size())
                        && role.roomReports() < UNPLACED_REPORTS);
    }

    /**
     * It has got containers that it waited for, or some of those that were returned for all who wait, and will ask for
     * more when its framework has answered. Meanwhile it waits as before: those who return containers go on, and take
     * none back.
     */
    private boolean isBeingServed(FrameworkRole role, long now) {
        return role.isActive()
                && (now - role.waitedUntil() <= IN_FLIGHT_MILLIS
                        || (now - role.lastAllocated() <= IN_FLIGHT_MILLIS && inFlight(role, now) > 0));
    }

    private boolean waits(FrameworkRole role, long now) {
        return role.isActive() && WaitingPolicy.waits(view(role, now));
    }

    /** Whether the role's ask should become smaller. */
    boolean adapts(FrameworkRole role, long now) {
        return WaitingPolicy.adapts(view(role, now));
    }

    private WaitingPolicy.View view(FrameworkRole role, long now) {
        return new WaitingPolicy.View(now, asked(role), role.askingSince(), role.lastAllocated(), freest);
    }

    /** What the role asks for, as the cluster counts it: with an agent, and whole cores. */
    private Resources asked(FrameworkRole role) {
        Resources whole = settings.whole(role.asked().size());
        return Resources.of((whole.milliCpus() + 999) / 1000 * 1000, whole.memMb())
                .withGpus(whole.gpus());
    }
}
