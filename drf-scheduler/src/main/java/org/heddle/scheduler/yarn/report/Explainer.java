// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.model.Waiting;
import org.heddle.scheduler.model.Waiting.Kind;
import org.heddle.scheduler.model.Waiting.Reason;
import org.heddle.scheduler.yarn.app.AmShare;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.app.UnregisteredMasters;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.scheduler.yarn.node.MinimumOffers;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.jspecify.annotations.Nullable;

/**
 * Says why an application waits: asks every node, for every ask, the questions that a heartbeat would ask, and counts
 * the answers. Worked out when somebody wants to know, so that heartbeats record nothing. Changes nothing. Under the
 * scheduler's lock, for some microseconds per thousand nodes and ask.
 */
public final class Explainer {
    /** More different asks of one application than this are not looked at one by one. */
    private static final int MOST_ASKS = 20;

    private final ShareEngine engine;
    private final QueueTree queues;
    private final ResourceVectors vectors;
    private final AmShare amShare;
    private final MinimumOffers minimumOffers;
    private final UnregisteredMasters masters;

    public Explainer(
            ShareEngine engine,
            QueueTree queues,
            ResourceVectors vectors,
            MinimumOffers minimumOffers,
            UnregisteredMasters masters) {
        this.engine = engine;
        this.queues = queues;
        this.vectors = vectors;
        this.amShare = new AmShare(engine, queues);
        this.minimumOffers = minimumOffers;
        this.masters = masters;
    }

    /** What stands between one ask and the nodes, counted. */
    private static final class Tally {
        final Map<Kind, Integer> nodes = new EnumMap<>(Kind.class);
        long[] mostFree = new long[0];
        int open;

        void add(Kind kind) {
            nodes.merge(kind, 1, Integer::sum);
        }

        int of(Kind kind) {
            return nodes.getOrDefault(kind, 0);
        }
    }

    /**
     * Why an application waits.
     *
     * @param notAdmitted why it may not run at all; null if it may
     */
    Waiting explain(
            HeddleApplication application, @Nullable String notAdmitted, Collection<HeddleNode> nodes, long nowMillis) {
        engine.renew();
        amShare.begin();
        Schedulable claim = application.claim();
        HeddleAttempt attempt = application.getCurrentAppAttempt();
        List<Reason> reasons = new ArrayList<>();
        if (notAdmitted != null) {
            reasons.add(new Reason(Kind.NOT_ADMITTED, 0, 0, notAdmitted));
        } else if (attempt == null || attempt.isStopped()) {
            reasons.add(new Reason(Kind.ASKS_FOR_NOTHING, 0, 0, "no attempt of it runs at the moment"));
        } else if (attempt.shapes().isEmpty()) {
            String unregistered = masters.unregistered(attempt);
            reasons.add(
                    unregistered == null
                            ? new Reason(
                                    Kind.ASKS_FOR_NOTHING,
                                    0,
                                    0,
                                    "its ApplicationMaster is registered and asks for no container")
                            : new Reason(Kind.MASTER_NOT_REGISTERED, 0, 0, unregistered));
        } else {
            List<HeddleNode> all = List.copyOf(nodes);
            attempt.shapes().entrySet().stream()
                    .limit(MOST_ASKS)
                    .forEach(ask -> explain(attempt, ask.getKey(), ask.getValue(), all, nowMillis, reasons));
        }
        reasons.sort(Comparator.comparingLong(Reason::containers).reversed());
        return new Waiting(
                String.valueOf(attempt == null ? claim.name() : attempt.getApplicationId()),
                application.leaf().getQueueName(),
                application.getUser(),
                nowMillis,
                (int) claim.running(),
                (int) claim.pending(),
                reasons.get(0).text(),
                reasons);
    }

    private void explain(
            HeddleAttempt attempt,
            SchedulerRequestKey key,
            ContainerSize shape,
            List<HeddleNode> nodes,
            long nowMillis,
            List<Reason> reasons) {
        long count = attempt.asked(key);
        String what = count + " x " + words(shape.need());
        String limit = overLimit(attempt.application(), shape);
        if (limit != null) {
            reasons.add(new Reason(Kind.OVER_LIMIT, count, 0, what + ": " + limit));
            return;
        }
        if (attempt.awaitsMaster() && !amShare.isWithin(attempt.application().leaf(), shape)) {
            reasons.add(new Reason(
                    Kind.MASTERS_SHARE,
                    count,
                    0,
                    what + " for its ApplicationMaster: "
                            + AmShare.refusal(attempt.application().leaf())));
            return;
        }
        Tally tally = new Tally();
        for (HeddleNode node : nodes) {
            Kind obstacle = obstacle(attempt, key, shape, node, nowMillis, tally);
            if (obstacle == null) {
                tally.open++;
            } else {
                tally.add(obstacle);
            }
        }
        describe(attempt, key, count, what, nodes.size(), tally, nowMillis, reasons);
    }

    /** What keeps an ask from a node, the most lasting obstacle first; null if nothing does. */
    private @Nullable Kind obstacle(
            HeddleAttempt attempt,
            SchedulerRequestKey key,
            ContainerSize shape,
            HeddleNode node,
            long nowMillis,
            Tally tally) {
        Kind lasting = StaticVetoes.between(attempt, key, shape, node, vectors);
        if (lasting != null) {
            return lasting;
        }
        HeddleAttempt reservedFor = node.reservedFor();
        if (reservedFor != null && !reservedFor.equals(attempt)) {
            return Kind.RESERVED;
        }
        long[] free = vectors.of(node.getUnallocatedResource());
        if (tally.mostFree.length == 0 || free[0] > tally.mostFree[0]) {
            tally.mostFree = free;
        }
        if (!shape.fits(free)) {
            return Kind.NO_ROOM;
        }
        SchedulerSpec spec = queues.spec();
        if (minimumOffers.holdsBack(node, free, spec.rules().minimumOffer())) {
            return Kind.MINIMUM_OFFER;
        }
        NodeType type = attempt.delay()
                .look(
                        attempt.getAppSchedulingInfo(),
                        key,
                        node,
                        spec.waits(),
                        spec.rules().countsSkips(),
                        nowMillis);
        return type == null ? Kind.LOCALITY : null;
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
            String ahead = ahead(attempt.application().claim());
            reasons.add(
                    ahead == null
                            ? new Reason(
                                    Kind.NEXT_HEARTBEAT,
                                    count,
                                    tally.open,
                                    what + ": it is next; " + tally.open + " of " + all
                                            + " nodes have room and serve it when they report")
                            : new Reason(
                                    Kind.BEHIND,
                                    count,
                                    tally.open,
                                    what + ": " + tally.open + " of " + all
                                            + " nodes have room, and others come first: " + ahead));
        } else if (all == 0) {
            reasons.add(new Reason(Kind.NO_ROOM, count, 0, what + ": the cluster has no node that takes containers"));
        }
        add(
                reasons,
                tally,
                Kind.NO_ROOM,
                count,
                () -> what + ": no room of this shape on " + tally.of(Kind.NO_ROOM)
                        + " of " + all + " nodes"
                        + (tally.mostFree.length == 0
                                ? ""
                                : "; the most that is free on one is " + words(tally.mostFree)));
        add(reasons, tally, Kind.LOCALITY, count, () -> what + ": " + delay(attempt, key, nowMillis, tally, all));
        add(
                reasons,
                tally,
                Kind.RESERVED,
                count,
                () -> what + ": " + tally.of(Kind.RESERVED) + " of " + all
                        + " nodes are reserved for other applications");
        add(
                reasons,
                tally,
                Kind.MINIMUM_OFFER,
                count,
                () -> what + ": " + tally.of(Kind.MINIMUM_OFFER) + " of " + all
                        + " nodes keep their room together until a larger ask fits (minimum-offer)");
        add(
                reasons,
                tally,
                Kind.TOO_LARGE,
                count,
                () -> what + ": " + tally.of(Kind.TOO_LARGE) + " of " + all
                        + " nodes are too small for it even when empty");
        add(
                reasons,
                tally,
                Kind.BLACKLISTED,
                count,
                () -> what + ": " + tally.of(Kind.BLACKLISTED) + " of " + all + " nodes are on its blacklist");
        add(
                reasons,
                tally,
                Kind.LABEL,
                count,
                () -> what + ": " + tally.of(Kind.LABEL) + " of " + all
                        + " nodes are of another partition (label) than it asks for, or excluded by its constraints");
    }

    private static void add(
            List<Reason> reasons, Tally tally, Kind kind, long count, java.util.function.Supplier<String> text) {
        if (tally.of(kind) > 0) {
            reasons.add(new Reason(kind, count, tally.of(kind), text.get()));
        }
    }

    private String delay(HeddleAttempt attempt, SchedulerRequestKey key, long nowMillis, Tally tally, int all) {
        long until = attempt.delay().waitsUntil(key, queues.spec().waits());
        String nodes = tally.of(Kind.LOCALITY) + " of " + all + " nodes have room but are not where it wants to be";
        if (until == 0) {
            return nodes + "; delay scheduling waits for a better one";
        }
        return nodes + "; delay scheduling waits for a better one for " + Math.max(0, until - nowMillis) + " ms more";
    }

    /** What would hold more than it may; null if nothing. */
    private @Nullable String overLimit(HeddleApplication application, ContainerSize shape) {
        Schedulable at = StaticVetoes.limited(application.claim(), shape);
        long[] limit = at == null ? null : at.limit();
        return at == null || limit == null
                ? null
                : "over the limit of " + StaticVetoes.nameOf(at) + ", which holds " + words(at.usage()) + " of at most "
                        + words(limit);
    }

    /** Who comes first, at the highest level where somebody does; null if nobody. */
    private static @Nullable String ahead(Schedulable claim) {
        String found = null;
        for (Schedulable at = claim; at.parent() != null; at = at.parent()) {
            Schedulable parent = at.parent();
            int before = 0;
            Schedulable first = null;
            for (Schedulable sibling : parent.children()) {
                if (sibling != at && sibling.pending() > 0 && !sibling.isBlocked() && sibling.key() < at.key()) {
                    before++;
                    first = first == null || sibling.key() < first.key() ? sibling : first;
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
                        at.standing(),
                        first.standing());
            }
        }
        return found;
    }

    private String words(long[] amount) {
        StringJoiner words = new StringJoiner(", ");
        for (int j = 0; j < amount.length; j++) {
            if (amount[j] != 0 || j < 2) {
                words.add((amount[j] == Long.MAX_VALUE ? "any" : String.valueOf(amount[j])) + " "
                        + vectors.names().get(j));
            }
        }
        return words.toString();
    }

    /** The application of an id in words; null if the words are no id. */
    static @Nullable ApplicationId id(String text) {
        try {
            return ApplicationId.fromString(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
