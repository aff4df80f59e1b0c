// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.engine.Turn;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.snapshot.Waiting;
import org.heddle.scheduler.snapshot.Waiting.Kind;
import org.heddle.scheduler.snapshot.Waiting.Reason;
import org.heddle.scheduler.yarn.app.AmShare;
import org.heddle.scheduler.yarn.app.Ask;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.app.UnregisteredMasters;
import org.heddle.scheduler.yarn.app.Verdict;
import org.heddle.scheduler.yarn.app.Veto;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.node.Feasibility;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.scheduler.yarn.node.PlacementContext;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.heddle.scheduler.yarn.queue.LabelCapacities;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;

/**
 * Explains why an application waits: makes the tests of a heartbeat for each ask and node, and counts the vetoes.
 * Computed on demand, so that heartbeats record nothing. Changes nothing. Under the scheduler's lock, for some
 * microseconds per thousand nodes and ask.
 */
public final class Explainer {
    /** Only so many asks of an application are tested. */
    private static final int MOST_ASKS = 20;

    /** Reasons that hold for nodes, in the order in which they are given. */
    private static final List<Kind> OF_NODES = List.of(
            Kind.INSUFFICIENT_RESOURCES,
            Kind.LOCALITY,
            Kind.RESERVED,
            Kind.MINIMUM_OFFER,
            Kind.LABEL_LIMIT,
            Kind.NOT_RUNNING,
            Kind.TOO_LARGE,
            Kind.BLACKLISTED,
            Kind.LABEL);

    private final ShareEngine engine;
    private final QueueTree queues;
    private final ResourceVectors vectors;
    private final Feasibility feasibility;
    private final UnregisteredMasters masters;
    private final AmShare masterShare;
    private final Predicate<ApplicationId> waitsForCredit;

    /** @param waitsForCredit whether preemption for an application waits, because it would lose too much work */
    public Explainer(
            QueueTree queues,
            Feasibility feasibility,
            UnregisteredMasters masters,
            Predicate<ApplicationId> waitsForCredit) {
        this.engine = queues.engine();
        this.queues = queues;
        this.vectors = queues.vectors();
        this.feasibility = feasibility;
        this.masters = masters;
        this.masterShare = new AmShare(queues.engine(), queues);
        this.waitsForCredit = waitsForCredit;
    }

    /** The vetoes against one ask, counted over the nodes. */
    private static final class Tally {
        final Map<Kind, Integer> nodes = new EnumMap<>(Kind.class);
        long[] mostFree = new long[0];
        int open;
        String limitedOn = "";

        /** Counts a node; its free resources count if there is no veto, or a dynamic one other than RESERVED. */
        void add(@Nullable Veto veto, long @Nullable [] free, String partition) {
            limitedOn = veto == Veto.LABEL_LIMIT ? partition : limitedOn;
            if (veto == null) {
                open++;
            } else {
                nodes.merge(veto.kind(), 1, Integer::sum);
            }
            boolean counts = veto == null || (veto.group() == Veto.Group.DYNAMIC && veto != Veto.RESERVED);
            if (counts && free != null && (mostFree.length == 0 || free[0] > mostFree[0])) {
                mostFree = free;
            }
        }

        int of(Kind kind) {
            return nodes.getOrDefault(kind, 0);
        }
    }

    /**
     * Says that the ApplicationMaster of an application has not registered; null if it has. Not under the scheduler's
     * lock: it waits for the lock of Hadoop's RMAppAttempt, which calls the scheduler while it holds that lock.
     */
    @Nullable
    String unregisteredMaster(HeddleApplication application) {
        HeddleAttempt attempt = application.getCurrentAppAttempt();
        return attempt == null ? null : masters.unregistered(attempt);
    }

    /**
     * Why an application waits.
     *
     * @param notAdmitted the limit of running applications that it waits for; null if none
     * @param unregistered what {@link #unregisteredMaster} says
     */
    Waiting explain(
            HeddleApplication application,
            @Nullable String notAdmitted,
            @Nullable String unregistered,
            Collection<HeddleNode> nodes,
            Clocks clocks) {
        begin();
        Schedulable schedulable = application.schedulable();
        HeddleAttempt attempt = application.getCurrentAppAttempt();
        List<Reason> reasons = new ArrayList<>();
        if (notAdmitted != null) {
            reasons.add(new Reason(Kind.NOT_ADMITTED, 0, 0, notAdmitted));
        } else if (attempt == null || attempt.isStopped()) {
            reasons.add(new Reason(Kind.ASKS_FOR_NOTHING, 0, 0, "no attempt of it runs at the moment"));
        } else if (attempt.asks().isEmpty()) {
            if (unregistered == null) {
                String idle = "its ApplicationMaster is registered and asks for no container";
                reasons.add(new Reason(Kind.ASKS_FOR_NOTHING, 0, 0, idle));
            } else {
                reasons.add(new Reason(Kind.MASTER_NOT_REGISTERED, 0, 0, unregistered));
            }
        } else {
            List<HeddleNode> all = List.copyOf(nodes);
            attempt.asks().stream()
                    .limit(MOST_ASKS)
                    .forEach(ask -> explain(attempt, ask, all, clocks.millis(), reasons));
            if (waitsForCredit.test(attempt.getApplicationId())) {
                reasons.add(
                        new Reason(
                                Kind.LOST_WORK_LIMIT,
                                schedulable.pending(),
                                0,
                                "no container of others is preempted for it yet: that would lose more work than may be lost now"));
            }
        }
        reasons.sort(Comparator.comparingLong(Reason::containers).reversed());
        return new Waiting(
                String.valueOf(attempt == null ? schedulable.name() : attempt.getApplicationId()),
                application.leaf().getQueueName(),
                application.getUser(),
                clocks.date(),
                (int) schedulable.running(),
                (int) schedulable.pending(),
                reasons.get(0).text(),
                reasons);
    }

    private void explain(HeddleAttempt attempt, Ask ask, List<HeddleNode> nodes, long nowMillis, List<Reason> reasons) {
        long count = attempt.asked(ask.key());
        String what = count + " x " + words(ask);
        Veto everywhere = testApplication(attempt, ask);
        if (everywhere != null) {
            String why;
            if (everywhere == Veto.OVER_LIMIT) {
                why = ": over " + Objects.requireNonNullElse(overLimit(attempt, ask), "a limit");
            } else {
                HeddleQueue leaf = attempt.application().leaf();
                why = " for its ApplicationMaster: " + AmShare.refusal(leaf) + heldByMasters(leaf);
            }
            reasons.add(new Reason(everywhere.kind(), count, 0, what + why));
            return;
        }
        Tally tally = new Tally();
        for (HeddleNode node : nodes) {
            long[] free = vectors.room(node.getUnallocatedResource());
            tally.add(test(attempt, ask, node, free, nowMillis), free, node.getPartition());
        }
        describe(attempt, ask.key(), count, what, nodes.size(), tally, nowMillis, reasons);
    }

    /** Empty if their part of the queue is not limited: another limit holds, then. */
    private String heldByMasters(HeddleQueue leaf) {
        long[] most = masterShare.limit(leaf, leaf.spec().maxAmShare());
        if (most == null) {
            return "";
        }
        long[] held = new long[most.length];
        Arrays.setAll(held, leaf::masterUsage);
        Arrays.setAll(most, j -> Math.min(most[j], engine.capacity(j)));
        return "; they hold " + vectors.words(held) + " of at most " + vectors.words(most);
    }

    /** Before tests of asks, which all see the same state. */
    void begin() {
        engine.renew();
        feasibility.beginTurn();
    }

    /** The veto that holds on every node, as that of a limit; null if none. */
    @Nullable
    Veto testApplication(HeddleAttempt attempt, Ask ask) {
        return feasibility.testApplication(attempt, ask);
    }

    Feasibility feasibility() {
        return feasibility;
    }

    /** The veto that a heartbeat of the node would give; null if none. */
    @Nullable
    Veto test(HeddleAttempt attempt, Ask ask, HeddleNode node, long nowMillis) {
        return test(attempt, ask, node, vectors.room(node.getUnallocatedResource()), nowMillis);
    }

    /**
     * The same.
     *
     * @param free on the node; earlier promises to others are subtracted
     */
    private @Nullable Veto test(HeddleAttempt attempt, Ask ask, HeddleNode node, long[] free, long nowMillis) {
        return verdict(attempt, ask, node, free, nowMillis) instanceof Veto veto ? veto : null;
    }

    private Verdict verdict(HeddleAttempt attempt, Ask ask, HeddleNode node, long[] free, long nowMillis) {
        if (node.takeEarlierPromises(attempt, ask.key(), free)) {
            return feasibility.testPromised(attempt, ask, node, free, nowMillis);
        }
        SchedulerSpec spec = queues.spec();
        PlacementContext rest = PlacementContext.offer(spec, nowMillis).rest(spec);
        Verdict verdict = feasibility.testAny(attempt, ask, node, free, rest);
        if (verdict == Veto.LABEL && feasibility.mayBeLent(attempt, node)) {
            return feasibility.testAny(attempt, ask, node, free, rest.lent());
        }
        return verdict;
    }

    private void describe(
            HeddleAttempt attempt,
            SchedulerRequestKey key,
            long count,
            String what,
            int all,
            Tally tally,
            long nowMillis,
            List<Reason> reasons) {
        if (tally.open > 0) {
            String ahead = ahead(attempt.application().schedulable());
            if (ahead == null) {
                String next = what + ": it is next; " + tally.open + " of " + all
                        + " nodes have room and serve it when they report";
                reasons.add(new Reason(Kind.NEXT_HEARTBEAT, count, tally.open, next));
            } else {
                String behind = what + ": " + tally.open + " of " + all + " nodes have room, and others come first: "
                        + ahead + turn(attempt);
                reasons.add(new Reason(Kind.BEHIND, count, tally.open, behind));
            }
        } else if (all == 0) {
            reasons.add(new Reason(
                    Kind.INSUFFICIENT_RESOURCES, count, 0, what + ": the cluster has no node that takes containers"));
        }
        for (Kind kind : OF_NODES) {
            int nodes = tally.of(kind);
            if (nodes > 0) {
                String text = text(kind, attempt, key, nodes + " of " + all + " nodes", tally, nowMillis);
                reasons.add(new Reason(kind, count, nodes, what + ": " + text));
            }
        }
    }

    /** @param nodes how many of how many nodes it holds for */
    private String text(
            Kind kind, HeddleAttempt attempt, SchedulerRequestKey key, String nodes, Tally tally, long nowMillis) {
        return switch (kind) {
            case INSUFFICIENT_RESOURCES ->
                "not enough free resources for a container of this size on " + nodes + mostFree(tally) + turn(attempt);
            case LOCALITY -> nodes + delay(attempt, key, nowMillis);
            case RESERVED -> nodes + " are reserved for other applications";
            case MINIMUM_OFFER -> nodes + " keep their room together until a larger ask fits (minimum-offer)";
            case LABEL_LIMIT -> nodes + " " + overLabelLimit(attempt, key, tally.limitedOn);
            case NOT_RUNNING -> nodes + " are being decommissioned";
            case TOO_LARGE -> nodes + " are too small for it even when empty";
            case BLACKLISTED -> nodes + " are on its blacklist";
            default -> nodes + " are of another partition (label) than it asks for, or excluded by its constraints";
        };
    }

    private String delay(HeddleAttempt attempt, SchedulerRequestKey key, long nowMillis) {
        long until =
                attempt.delay().waitsUntil(key, queues.spec().schedulingDelays().locality());
        String waits = " have room but are not where it wants to be; delay scheduling waits for a better one";
        return until == 0 ? waits : waits + " for " + Math.max(0, until - nowMillis) + " ms more";
    }

    /** The size of an ask's containers. */
    String words(Ask ask) {
        return vectors.words(ask.size().need());
    }

    /** Which limit an ask would exceed: of which queue or user, and what that holds; null if none. */
    @Nullable
    String overLimit(HeddleAttempt attempt, Ask ask) {
        Schedulable at =
                engine.limiting(attempt.application().schedulable(), ask.size().need());
        long[] limit = at == null ? null : at.limit();
        if (at == null || limit == null) {
            return null;
        }
        return "the limit of " + StaticVetoes.nameOf(at) + ", which holds " + vectors.words(at.usage()) + " of at most "
                + vectors.words(limit);
    }

    /** Names the queue that would exceed its limit on a partition. */
    private String overLabelLimit(HeddleAttempt attempt, SchedulerRequestKey key, String partition) {
        LabelCapacities labels = queues.limits().labels();
        Ask ask = attempt.ask(key);
        HeddleQueue at;
        if (ask == null) {
            at = null;
        } else {
            at = labels.limiting(
                    attempt.application().leaf(), partition, ask.size().need());
        }
        long[] limit = at == null ? null : labels.limit(at, partition);
        String nodes = "have the label " + partition;
        if (at == null || limit == null) {
            return nodes + ", where a queue is at its limit";
        }
        long[] held = new long[limit.length];
        Arrays.setAll(held, j -> at.usageOn(partition, j));
        return nodes + ", where queue " + at.getQueueName() + " holds " + vectors.words(held) + " of at most "
                + vectors.words(limit);
    }

    /** Names the sibling that is served first, at the highest level where one is; null if none. */
    private static @Nullable String ahead(Schedulable schedulable) {
        String found = null;
        for (Schedulable at = schedulable; at.parent() != null; at = at.parent()) {
            Schedulable parent = at.parent();
            int before = 0;
            Schedulable first = null;
            for (Schedulable sibling : parent.children()) {
                if (sibling != at
                        && sibling.pending() > 0
                        && !sibling.isBlocked()
                        && Schedulable.comparePlaces(sibling, at) < 0) {
                    before++;
                    first = first == null || Schedulable.comparePlaces(sibling, first) < 0 ? sibling : first;
                }
            }
            if (first != null) {
                found = String.format(
                        java.util.Locale.ROOT,
                        "%s stands behind %d of its siblings in %s (order %s), %s first; its share relative to its"
                                + " entitlement is %.3f, that one's %.3f",
                        at.name(),
                        before,
                        parent.name(),
                        parent.order(),
                        first.name(),
                        at.normalizedShare(),
                        first.normalizedShare());
            }
        }
        return found;
    }

    private String mostFree(Tally tally) {
        if (tally.mostFree.length == 0) {
            return "";
        }
        return "; the most that is free on one is " + vectors.words(tally.mostFree);
    }

    /** The place in an order that estimates sizes, and the expected time; empty if nobody else waits there. */
    private String turn(HeddleAttempt attempt) {
        Schedulable schedulable = attempt.application().schedulable();
        Turn turn = engine.turn(schedulable);
        Schedulable parent = schedulable.parent();
        if (turn == null || parent == null || turn.waiting() < 2) {
            return "";
        }
        String place = "; it is number " + turn.place() + " of the " + turn.waiting() + " applications that wait in "
                + parent.name() + " (order " + parent.order() + ")";
        if (turn.endMillis() == Long.MAX_VALUE) {
            return place;
        }
        return place + ", and is expected to end in " + (turn.endMillis() + 999) / 1000
                + " s if none of them asks for more";
    }

    /** Parses an application id; null if the text is not an id. */
    static @Nullable ApplicationId id(String text) {
        try {
            return ApplicationId.fromString(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
