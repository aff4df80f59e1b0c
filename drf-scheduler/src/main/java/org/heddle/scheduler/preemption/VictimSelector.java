// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.preemption;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.Trial;
import org.heddle.scheduler.model.Vectors;
import org.heddle.scheduler.policy.JainIndex;
import org.heddle.scheduler.preemption.Starvation.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the node and the containers to preempt (Nexus 4.3). On each node it marks containers of the applications
 * furthest above their share until the ask fits. It prefers the node with the fewest containers from applications
 * within their share, then the one with the fairest allocation afterwards, by Jain's index over the users' weighted
 * dominant shares. (Users of weight 0 are not in that index.)
 *
 * <p>Who may lose: only those below an ancestor from which the beneficiary is, on its whole way up, below its share or
 * guarantee; none falls below its own guarantee; and none falls below its entitlement unless it still has as much,
 * relative to it, as the beneficiary then. So each preemption makes the allocation fairer in the max-min sense, and two
 * of them cannot take the same container from each other in turn. Where the beneficiary is below its guarantee, the
 * others' entitlements do not count against it.
 *
 * <p>ApplicationMasters are taken only when the caller says so, and only as the last container of their application: an
 * attempt ends with its master, and all that it holds with the attempt, on every node. So the trial never shows less
 * lost than is lost. Marked containers count as gone, those that are promised as held.
 *
 * <p>Where work is spared ({@link org.heddle.scheduler.model.WorkProtection}), the same may lose, but in another order:
 * on each node the containers of those without a weight first, and of these the youngest first; and the node with the
 * fewest containers of those with a weight, then the one where the least work is lost for a container of the ask.
 */
public final class VictimSelector {
    private static final double ROUNDING = 1e-9;

    private final Trial trial;
    private final boolean sparesWork;
    private final List<Schedulable> users = new ArrayList<>();
    private final double[] shares;

    /**
     * @param root the engine's root
     * @param trial open, with what is promised already held and what is marked already released
     * @param sparesWork whether those that lose the least work go first, instead of those furthest above their share
     */
    public VictimSelector(Schedulable root, Trial trial, boolean sparesWork) {
        this.trial = trial;
        this.sparesWork = sparesWork;
        collectUsers(root);
        this.shares = new double[users.size()];
    }

    private void collectUsers(Schedulable schedulable) {
        boolean holdsApplications = false;
        for (Schedulable child : schedulable.children()) {
            holdsApplications |= child.isLeaf();
            collectUsers(child);
        }
        if (holdsApplications) {
            users.add(schedulable);
        }
    }

    /**
     * The best node and containers to preempt.
     *
     * @param starvation the starvation that it ends
     * @param application that would be served
     * @param need of one container, per resource
     * @param most most containers to make room for
     * @param nodes where the application could run
     * @param masters whether ApplicationMasters may be taken too
     * @return null if no node has enough preemptible containers; an empty set if enough is free already
     */
    public @Nullable VictimSet choose(
            Starvation starvation,
            Schedulable application,
            long[] need,
            int most,
            List<CandidateNode> nodes,
            boolean masters) {
        Rights rights = Rights.of(starvation, application);
        VictimSet best = null;
        for (CandidateNode node : nodes) {
            VictimSet proposal = propose(rights, need, most, node, masters);
            if (proposal != null && proposal.marked().isEmpty()) {
                return proposal;
            }
            if (proposal != null && (best == null || isBetter(proposal, best))) {
                best = proposal;
            }
        }
        return best;
    }

    /**
     * The first of containers chosen earlier that may not be taken any more, after what has happened since; null if all
     * may. Leaves them released in the trial.
     */
    public @Nullable VictimCandidate firstToStay(
            Starvation starvation, Schedulable application, long[] need, List<VictimCandidate> chosen) {
        Rights rights = Rights.of(starvation, application);
        trial.hold(application, need);
        chosen.forEach(held -> trial.release(held.owner(), held.size()));
        return chosen.stream()
                .filter(held -> !mayHaveGone(rights, held))
                .findFirst()
                .orElse(null);
    }

    /**
     * Whether it, or one above it, holds more than it is entitled to; those that are also above the other do not count.
     */
    public static boolean isAboveShare(Schedulable schedulable, Schedulable other) {
        for (Schedulable at = schedulable; at.parent() != null && !isBelow(other, at); at = at.parent()) {
            if (at.parent().entitlesChildren() && at.normalizedShare() > 1 + ROUNDING) {
                return true;
            }
        }
        return false;
    }

    /** Prefers fewer victims within their entitlement; then the fairest; then the fewest, the youngest, and by name. */
    private boolean isBetter(VictimSet a, VictimSet b) {
        if (a.entitled() != b.entitled()) {
            return a.entitled() < b.entitled();
        }
        if (sparesWork) {
            if (a.weighted() != b.weighted()) {
                return a.weighted() < b.weighted();
            }
            int byWork = Double.compare(a.lostWork() / a.count(), b.lostWork() / b.count());
            if (byWork != 0) {
                return byWork < 0;
            }
        }
        if (Math.abs(a.fairness() - b.fairness()) > ROUNDING) {
            return a.fairness() > b.fairness();
        }
        int byMarks = Integer.compare(a.marked().size(), b.marked().size());
        if (byMarks != 0) {
            return byMarks < 0;
        }
        int byYouth = Long.compare(youth(b), youth(a));
        return byYouth != 0 ? byYouth < 0 : a.node().name().compareTo(b.node().name()) < 0;
    }

    private static long youth(VictimSet proposal) {
        return proposal.marked().stream().mapToLong(VictimCandidate::sequence).sum();
    }

    private @Nullable VictimSet propose(Rights rights, long[] need, int most, CandidateNode node, boolean mastersToo) {
        long[] room = node.free().clone();
        List<VictimCandidate> marked = new ArrayList<>();
        int count = 1;
        trial.hold(rights.application, need);
        for (VictimCandidate held : sparesWork ? leastWorkFirst(node.held()) : mostAboveFirst(node.held())) {
            if (fits(need, room)) {
                break;
            }
            if ((held.master() && !mastersToo) || !rights.concern(held.owner()) || !helps(held.size(), need, room)) {
                continue;
            }
            if (release(rights, held)) {
                marked.add(held);
                Vectors.add(room, held.size(), 1);
            }
        }
        boolean enough = fits(need, room);
        double fairness = 0;
        int entitled = 0;
        int weighted = 0;
        if (enough) {
            dropNeedless(marked, need, room);
            enough = isFair(rights, marked); // what was dropped may have made the beneficiary's own queue richer
        }
        if (enough) {
            entitled = (int) marked.stream()
                    .filter(held -> isWithinEntitlement(held.owner()))
                    .count();
            weighted = (int)
                    marked.stream().filter(held -> hasWeight(held.owner())).count();
            Vectors.add(room, need, -1);
            while (count < most && fits(need, room) && !rights.starvation.isSettled()) {
                trial.hold(rights.application, need);
                if (!isFair(rights, marked)) {
                    trial.release(rights.application, need);
                    break;
                }
                Vectors.add(room, need, -1);
                count++;
            }
            fairness = fairness();
        }
        marked.forEach(held -> trial.hold(held.owner(), held.size()));
        for (int i = 0; i < count; i++) {
            trial.release(rights.application, need);
        }
        return enough ? new VictimSet(node, List.copyOf(marked), count, fairness, entitled, weighted) : null;
    }

    /** Releases a container in the trial if its owner may lose it; else leaves everything as it was. */
    private boolean release(Rights rights, VictimCandidate held) {
        trial.release(held.owner(), held.size());
        if (mayHaveGone(rights, held)) {
            return true;
        }
        trial.hold(held.owner(), held.size());
        return false;
    }

    private static boolean isFair(Rights rights, List<VictimCandidate> marked) {
        return marked.stream().allMatch(held -> mayHaveGone(rights, held));
    }

    /** Whether a container, released by trial, may be taken: from its owner, and with nothing ending unseen. */
    private static boolean mayHaveGone(Rights rights, VictimCandidate held) {
        boolean alone = held.owner().running() == 0;
        return rights.mayHaveLost(held.owner()) && (alone || !held.endsOthers());
    }

    /** Whether an application, or one above it, has less by now than it is entitled to. */
    private static boolean isWithinEntitlement(Schedulable loser) {
        for (Schedulable at = loser; at.parent() != null; at = at.parent()) {
            if (at.parent().entitlesChildren() && at.normalizedShare() < 1 - ROUNDING) {
                return true;
            }
        }
        return false;
    }

    /**
     * Small ones marked first may have become needless by a large one marked later. Masters are looked at first: what
     * else their applications hold has to go as long as they do. Where work is spared, the last marked come next: they
     * lose the most.
     */
    private void dropNeedless(List<VictimCandidate> marked, long[] need, long[] room) {
        List<VictimCandidate> mastersFirst = new ArrayList<>(marked);
        if (sparesWork) {
            Collections.reverse(mastersFirst);
        }
        mastersFirst.sort(Comparator.comparing(VictimCandidate::master).reversed());
        for (VictimCandidate held : mastersFirst) {
            Vectors.add(room, held.size(), -1);
            if (fits(need, room) && !endsWithAnother(held, marked)) {
                trial.hold(held.owner(), held.size());
                marked.remove(held);
            } else {
                Vectors.add(room, held.size(), 1);
            }
        }
    }

    private static boolean endsWithAnother(VictimCandidate held, List<VictimCandidate> marked) {
        return !held.master()
                && marked.stream().anyMatch(master -> master.endsOthers() && master.owner() == held.owner());
    }

    private double fairness() {
        int n = 0;
        for (Schedulable user : users) {
            if (!Double.isInfinite(user.normalizedShare())) {
                shares[n++] = user.normalizedShare();
            }
        }
        return JainIndex.of(shares, n);
    }

    /**
     * Orders victims: by the shares of queues, users and applications; then ApplicationMasters last, the lowest
     * priority first, the youngest first.
     */
    private static List<VictimCandidate> mostAboveFirst(List<VictimCandidate> held) {
        Map<Schedulable, List<Schedulable>> paths = new HashMap<>();
        held.forEach(each -> paths.computeIfAbsent(each.owner(), VictimSelector::path));
        List<VictimCandidate> sorted = new ArrayList<>(held);
        sorted.sort(Comparator.<VictimCandidate, List<Schedulable>>comparing(
                        each -> paths.get(each.owner()), VictimSelector::losesFirst)
                .thenComparing(VictimCandidate::master)
                .thenComparing(
                        Comparator.comparingInt(VictimCandidate::priority).reversed())
                .thenComparing(
                        Comparator.comparingLong(VictimCandidate::sequence).reversed()));
        return sorted;
    }

    /** Orders victims: those without a weight first, ApplicationMasters last, then the youngest; then as without it. */
    private static List<VictimCandidate> leastWorkFirst(List<VictimCandidate> held) {
        List<VictimCandidate> sorted = mostAboveFirst(held);
        sorted.sort(Comparator.<VictimCandidate, Boolean>comparing(each -> hasWeight(each.owner()))
                .thenComparing(VictimCandidate::master)
                .thenComparingLong(VictimCandidate::runMillis));
        return sorted;
    }

    /** Whether it, and each one above it whose siblings are entitled by weight, has a weight. */
    private static boolean hasWeight(Schedulable loser) {
        for (Schedulable at = loser; at.parent() != null; at = at.parent()) {
            if (at.parent().entitlesChildren() && Double.isInfinite(at.normalizedShare())) {
                return false;
            }
        }
        return true;
    }

    private static List<Schedulable> path(Schedulable schedulable) {
        Deque<Schedulable> path = new ArrayDeque<>();
        for (Schedulable at = schedulable; at != null; at = at.parent()) {
            path.addFirst(at);
        }
        return new ArrayList<>(path);
    }

    private static int losesFirst(List<Schedulable> a, List<Schedulable> b) {
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            Schedulable left = a.get(i);
            Schedulable right = b.get(i);
            if (left != right) {
                Schedulable parent = left.parent();
                boolean byShare = parent != null && parent.entitlesChildren();
                int byStanding = byShare ? Double.compare(right.normalizedShare(), left.normalizedShare()) : 0;
                if (byStanding != 0) {
                    return byStanding;
                }
                if (byShare) {
                    return Long.compare(right.sequence(), left.sequence());
                }
                return Schedulable.comparePlaces(right, left);
            }
        }
        return 0;
    }

    private static boolean helps(long[] size, long[] need, long[] room) {
        for (int j = 0; j < need.length; j++) {
            if (need[j] > Math.max(0, room[j]) && size[j] > 0) {
                return true;
            }
        }
        return false;
    }

    static boolean fits(long[] need, long[] room) {
        for (int j = 0; j < need.length; j++) {
            if (need[j] > 0 && need[j] > room[j]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBelow(Schedulable schedulable, Schedulable ancestor) {
        for (Schedulable at = schedulable; at != null; at = at.parent()) {
            if (at == ancestor) {
                return true;
            }
        }
        return false;
    }

    /**
     * Which subtrees may lose containers to the beneficiary: the siblings of those on the way up from the beneficiary,
     * as long as each on the way is below its share or guarantee. Computed before anything is tried.
     */
    private static final class Rights {
        private final Starvation starvation;
        private final Schedulable application;
        /** Schedulables on the way up that have a right against their siblings, and whether by guarantee. */
        private final Map<Schedulable, Boolean> byGuarantee = new HashMap<>();

        private Rights(Starvation starvation, Schedulable application) {
            this.starvation = starvation;
            this.application = application;
        }

        static Rights of(Starvation starvation, Schedulable application) {
            Rights rights = new Rights(starvation, application);
            for (Schedulable at = starvation.schedulable(); at.parent() != null; at = at.parent()) {
                boolean guaranteed = at.guaranteeHeld() < 1;
                if (!at.parent().entitlesChildren()) {
                    continue; // whoever comes later there has no right, but their parent may have one
                }
                if (!guaranteed && at.normalizedShare() >= 1) {
                    break;
                }
                boolean patient = at == starvation.schedulable() && starvation.kind() != Kind.BELOW_GUARANTEE;
                rights.byGuarantee.put(at, guaranteed && !patient);
            }
            return rights;
        }

        /** Whether the beneficiary has any right against this application. */
        boolean concern(Schedulable other) {
            return sideOfBeneficiary(other) != null;
        }

        /** The one on the beneficiary's way with a sibling on the other's way; null without a right there. */
        private @Nullable Schedulable sideOfBeneficiary(Schedulable other) {
            Schedulable at = starvation.schedulable();
            if (isBelow(other, at)) {
                return null;
            }
            while (at.parent() != null && !isBelow(other, at.parent())) {
                at = at.parent();
            }
            return byGuarantee.containsKey(at) ? at : null;
        }

        /** Whether what the application has just lost, by trial, may be taken from it. */
        boolean mayHaveLost(Schedulable loser) {
            Schedulable side = sideOfBeneficiary(loser);
            if (side == null) {
                return false;
            }
            double least = byGuarantee.getOrDefault(side, false) ? 0 : Math.min(1, side.normalizedShare());
            for (Schedulable at = loser; at != side.parent() && at.parent() != null; at = at.parent()) {
                boolean entitled = at.parent().entitlesChildren();
                if (at.guaranteeHeld() < 1 - ROUNDING || (entitled && at.normalizedShare() < least - ROUNDING)) {
                    return false;
                }
            }
            return true;
        }
    }
}
