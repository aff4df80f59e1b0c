// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.revocation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.scheduler.engine.Claim;
import org.heddle.scheduler.engine.Trial;
import org.heddle.scheduler.model.Vectors;
import org.heddle.scheduler.policy.JainIndex;
import org.heddle.scheduler.revocation.Grievance.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the node and the containers to revoke (Nexus 4.3). On each node containers of those furthest above their share
 * are marked until there is room; the node is chosen on which the fewest are taken from those within their share, then that
 * on which the allocation would be fairest afterwards, by Jain's index over the users' weighted dominant shares. (The index
 * knows only those with a weight: by itself it would rather take from one of them than from somebody without.)
 *
 * <p>Who may lose: only those below an ancestor from which the beneficiary is, on its whole way up, below its share or
 * guarantee; nobody falls below its own guarantee; and nobody falls below its entitlement unless it still has as much,
 * relative to it, as the beneficiary then. So each revocation makes the allocation fairer in the max-min sense, and two
 * claims cannot take the same container from each other in turn. Where the beneficiary is below its guarantee, the
 * others' entitlements do not count against it.
 *
 * <p>ApplicationMasters are taken only when the caller says so, and only as the last container of their application: an
 * attempt ends with its master, and all that it holds with the attempt, on every node. So the trial never shows less lost
 * than is lost. Marked containers count as gone, those that are promised as held.
 */
public final class VictimChoice {
    private static final double ROUNDING = 1e-9;

    private final Trial trial;
    private final List<Claim> users = new ArrayList<>();
    private final double[] shares;

    /**
     * @param root of the engine's claims
     * @param trial open, with what is promised already held and what is marked already released
     */
    public VictimChoice(Claim root, Trial trial) {
        this.trial = trial;
        collectUsers(root);
        this.shares = new double[users.size()];
    }

    private void collectUsers(Claim claim) {
        boolean holdsApplications = false;
        for (Claim child : claim.children()) {
            holdsApplications |= child.isLeaf();
            collectUsers(child);
        }
        if (holdsApplications) {
            users.add(claim);
        }
    }

    /**
     * The best way to make room.
     *
     * @param grievance whose it is
     * @param application that would be served
     * @param need of one container, per resource
     * @param most most containers to make room for
     * @param nodes where the application could run
     * @param masters whether ApplicationMasters may be taken too
     * @return null if nobody may lose enough anywhere; a proposal that marks nothing if there is room already
     */
    public @Nullable Proposal choose(
            Grievance grievance, Claim application, long[] need, int most, List<Candidate> nodes, boolean masters) {
        Rights rights = Rights.of(grievance, application);
        Proposal best = null;
        for (Candidate node : nodes) {
            Proposal proposal = propose(rights, need, most, node, masters);
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
    public @Nullable Held firstToStay(Grievance grievance, Claim application, long[] need, List<Held> chosen) {
        Rights rights = Rights.of(grievance, application);
        trial.hold(application, need);
        chosen.forEach(held -> trial.release(held.owner(), held.size()));
        return chosen.stream()
                .filter(held -> !mayHaveGone(rights, held))
                .findFirst()
                .orElse(null);
    }

    /**
     * Whether a claim, or one above it, holds more than it is entitled to; what it has in common with the other claim does
     * not count.
     */
    public static boolean isAboveShare(Claim claim, Claim other) {
        for (Claim at = claim; at.parent() != null && !isBelow(other, at); at = at.parent()) {
            if (at.parent().entitlesChildren() && at.standing() > 1 + ROUNDING) {
                return true;
            }
        }
        return false;
    }

    /** Fewer from whom is entitled to it; then the fairest; then the fewest, the youngest, and by name. */
    private static boolean isBetter(Proposal a, Proposal b) {
        if (a.entitled() != b.entitled()) {
            return a.entitled() < b.entitled();
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

    private static long youth(Proposal proposal) {
        return proposal.marked().stream().mapToLong(Held::sequence).sum();
    }

    private @Nullable Proposal propose(Rights rights, long[] need, int most, Candidate node, boolean mastersToo) {
        long[] room = node.free().clone();
        List<Held> marked = new ArrayList<>();
        int count = 1;
        trial.hold(rights.application, need);
        for (Held held : mostAboveFirst(node.held())) {
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
        if (enough) {
            dropNeedless(marked, need, room);
            enough = isFair(rights, marked); // what was dropped may have made the beneficiary's own queue richer
        }
        if (enough) {
            entitled = (int) marked.stream()
                    .filter(held -> isWithinEntitlement(held.owner()))
                    .count();
            Vectors.add(room, need, -1);
            while (count < most && fits(need, room) && !rights.grievance.isSettled()) {
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
        return enough ? new Proposal(node, List.copyOf(marked), count, fairness, entitled) : null;
    }

    /** Releases a container in the trial if its owner may lose it; else leaves everything as it was. */
    private boolean release(Rights rights, Held held) {
        trial.release(held.owner(), held.size());
        if (mayHaveGone(rights, held)) {
            return true;
        }
        trial.hold(held.owner(), held.size());
        return false;
    }

    private static boolean isFair(Rights rights, List<Held> marked) {
        return marked.stream().allMatch(held -> mayHaveGone(rights, held));
    }

    /** Whether a container, released by trial, may be taken: from its owner, and with nothing ending unseen. */
    private static boolean mayHaveGone(Rights rights, Held held) {
        boolean alone = held.owner().running() == 0;
        return rights.mayHaveLost(held.owner()) && (alone || !held.endsOthers());
    }

    /** Whether an application, or a claim above it, has less by now than it is entitled to. */
    private static boolean isWithinEntitlement(Claim loser) {
        for (Claim at = loser; at.parent() != null; at = at.parent()) {
            if (at.parent().entitlesChildren() && at.standing() < 1 - ROUNDING) {
                return true;
            }
        }
        return false;
    }

    /**
     * Small ones marked first may have become needless by a large one marked later. Masters are looked at first: what
     * else their applications hold has to go as long as they do.
     */
    private void dropNeedless(List<Held> marked, long[] need, long[] room) {
        List<Held> mastersFirst = new ArrayList<>(marked);
        mastersFirst.sort(Comparator.comparing(Held::master).reversed());
        for (Held held : mastersFirst) {
            Vectors.add(room, held.size(), -1);
            if (fits(need, room) && !endsWithAnother(held, marked)) {
                trial.hold(held.owner(), held.size());
                marked.remove(held);
            } else {
                Vectors.add(room, held.size(), 1);
            }
        }
    }

    private static boolean endsWithAnother(Held held, List<Held> marked) {
        return !held.master()
                && marked.stream().anyMatch(master -> master.endsOthers() && master.owner() == held.owner());
    }

    private double fairness() {
        int n = 0;
        for (Claim user : users) {
            if (!Double.isInfinite(user.standing())) {
                shares[n++] = user.standing();
            }
        }
        return JainIndex.of(shares, n);
    }

    /** Those first that lose first: by the shares of queues, users, applications, and then the youngest container. */
    private static List<Held> mostAboveFirst(List<Held> held) {
        Map<Claim, List<Claim>> paths = new HashMap<>();
        held.forEach(each -> paths.computeIfAbsent(each.owner(), VictimChoice::path));
        List<Held> sorted = new ArrayList<>(held);
        sorted.sort(Comparator.<Held, List<Claim>>comparing(each -> paths.get(each.owner()), VictimChoice::losesFirst)
                .thenComparing(Held::master)
                .thenComparing(Comparator.comparingInt(Held::priority).reversed())
                .thenComparing(Comparator.comparingLong(Held::sequence).reversed()));
        return sorted;
    }

    private static List<Claim> path(Claim claim) {
        Deque<Claim> path = new ArrayDeque<>();
        for (Claim at = claim; at != null; at = at.parent()) {
            path.addFirst(at);
        }
        return new ArrayList<>(path);
    }

    private static int losesFirst(List<Claim> a, List<Claim> b) {
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            Claim left = a.get(i);
            Claim right = b.get(i);
            if (left != right) {
                Claim parent = left.parent();
                boolean byShare = parent != null && parent.entitlesChildren();
                int byPlace = byShare
                        ? Double.compare(right.standing(), left.standing())
                        : Double.compare(right.key(), left.key());
                return byPlace != 0 ? byPlace : Long.compare(right.sequence(), left.sequence());
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

    private static boolean isBelow(Claim claim, Claim ancestor) {
        for (Claim at = claim; at != null; at = at.parent()) {
            if (at == ancestor) {
                return true;
            }
        }
        return false;
    }

    /**
     * Against whom the beneficiary has a right. Its way up from the beneficiary, as long as each claim on it is below its
     * share or guarantee, says which siblings' subtrees may lose; looked at before anything is tried.
     */
    private static final class Rights {
        private final Grievance grievance;
        private final Claim application;
        /** Claims on the way up that have a right against their siblings, and whether by guarantee. */
        private final Map<Claim, Boolean> byGuarantee = new HashMap<>();

        private Rights(Grievance grievance, Claim application) {
            this.grievance = grievance;
            this.application = application;
        }

        static Rights of(Grievance grievance, Claim application) {
            Rights rights = new Rights(grievance, application);
            for (Claim at = grievance.claim(); at.parent() != null; at = at.parent()) {
                boolean guaranteed = at.guaranteeHeld() < 1;
                if (!at.parent().entitlesChildren()) {
                    continue; // whoever comes later there has no right, but their parent may have one
                }
                if (!guaranteed && at.standing() >= 1) {
                    break;
                }
                boolean patient = at == grievance.claim() && grievance.kind() != Kind.BELOW_GUARANTEE;
                rights.byGuarantee.put(at, guaranteed && !patient);
            }
            return rights;
        }

        /** Whether the beneficiary has any right against this application. */
        boolean concern(Claim other) {
            return sideOfBeneficiary(other) != null;
        }

        /** The claim on the beneficiary's way whose sibling is on the other's way; null without a right there. */
        private @Nullable Claim sideOfBeneficiary(Claim other) {
            Claim at = grievance.claim();
            if (isBelow(other, at)) {
                return null;
            }
            while (at.parent() != null && !isBelow(other, at.parent())) {
                at = at.parent();
            }
            return byGuarantee.containsKey(at) ? at : null;
        }

        /** Whether what the application has just lost, by trial, may be taken from it. */
        boolean mayHaveLost(Claim loser) {
            Claim side = sideOfBeneficiary(loser);
            if (side == null) {
                return false;
            }
            double least = byGuarantee.getOrDefault(side, false) ? 0 : Math.min(1, side.standing());
            for (Claim at = loser; at != side.parent() && at.parent() != null; at = at.parent()) {
                boolean entitled = at.parent().entitlesChildren();
                if (at.guaranteeHeld() < 1 - ROUNDING || (entitled && at.standing() < least - ROUNDING)) {
                    return false;
                }
            }
            return true;
        }
    }
}
