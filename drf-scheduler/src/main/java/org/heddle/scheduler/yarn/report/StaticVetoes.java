// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.report;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.yarn.app.Ask;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.app.Veto;
import org.heddle.scheduler.yarn.node.Feasibility;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.jspecify.annotations.Nullable;

/**
 * The obstacle of a queue, user or application: a limit, or a static veto on every node. Under the scheduler's lock.
 *
 * <p>A look tests a part of many applications, and the next look the next part; what was found of the others holds for
 * a while.
 */
final class StaticVetoes {
    /** At most so many applications are tested under the lock at once: each is some cache misses. */
    static final int MOST_APPLICATIONS = 2_000;

    /** At most so many tests of nodes, when applications have obstacles on all of them. */
    private static final int MOST_LOOKS = 20_000;

    /** An older result does not count: it may be about another cluster by now. */
    static final long REMEMBERED_MILLIS = 30_000;

    private final Feasibility feasibility;
    private final ShareEngine engine;
    private final int mostApplications;
    private Map<Schedulable, Found> found = new HashMap<>();
    /** The place of the first application to test at the next look; 0 if the last one tested all. */
    private int next;

    /** What one application cannot get over, and when that was tested. */
    private record Found(String obstacle, long atMillis) {}

    /** @param mostApplications tested at each look */
    StaticVetoes(ShareEngine engine, Feasibility feasibility, int mostApplications) {
        this.feasibility = feasibility;
        this.engine = engine;
        this.mostApplications = mostApplications;
    }

    /** The obstacle of each queue, user and application that has one, in a few words. */
    Map<Schedulable, String> look(List<HeddleNode> nodes, long nowMillis) {
        Look look = new Look(nodes, nowMillis);
        look.below(engine.root());
        next = next + look.tested < look.place ? next + look.tested : 0;
        found = look.remembered;
        return look.obstacles;
    }

    /** Names a queue or a user. */
    static String nameOf(Schedulable limited) {
        if (limited.owner() instanceof HeddleQueue queue) {
            return "queue " + queue.getQueueName();
        }
        return (limited.isLeaf() ? "application " : "user ") + limited.name();
    }

    private final class Look {
        final Map<Schedulable, String> obstacles = new HashMap<>();
        final Map<Schedulable, Found> remembered = new HashMap<>();
        /** Applications that it has come to. */
        int place;

        int tested;
        private final List<HeddleNode> nodes;
        private final long nowMillis;
        private int looks;

        Look(List<HeddleNode> nodes, long nowMillis) {
            this.nodes = nodes;
            this.nowMillis = nowMillis;
        }

        void below(Schedulable schedulable) {
            if (schedulable.pending() == 0) {
                return;
            }
            if (schedulable.isLeaf()) {
                Found now = application(schedulable);
                if (now != null) {
                    remembered.put(schedulable, now);
                    obstacles.put(schedulable, now.obstacle);
                }
                return;
            }
            Set<String> below = new TreeSet<>();
            boolean all = true;
            for (Schedulable child : schedulable.children()) {
                below(child);
                if (child.pending() > 0) {
                    String obstacle = obstacles.get(child);
                    all &= obstacle != null;
                    below.add(String.valueOf(obstacle));
                }
            }
            if (all && !below.isEmpty()) {
                obstacles.put(
                        schedulable, below.size() == 1 ? below.iterator().next() : "none of those below can be served");
            }
        }

        /** What was found now, or lately; null for nothing. */
        private @Nullable Found application(Schedulable schedulable) {
            boolean isItsTurn = place++ >= next && tested < mostApplications && looks <= MOST_LOOKS;
            String obstacle =
                    isItsTurn && schedulable.owner() instanceof HeddleApplication application ? of(application) : null;
            boolean isCutShort = looks > MOST_LOOKS && tested > 0;
            if (!isItsTurn || isCutShort) {
                Found before = found.get(schedulable);
                return before != null && nowMillis - before.atMillis < REMEMBERED_MILLIS ? before : null;
            }
            tested++;
            return obstacle == null ? null : new Found(obstacle, nowMillis);
        }

        /** The obstacle of an application if none of its asks can be served; null if one can, or was not tested. */
        private @Nullable String of(HeddleApplication application) {
            HeddleAttempt attempt = application.getCurrentAppAttempt();
            if (attempt == null || attempt.asks().isEmpty()) {
                return null;
            }
            String first = null;
            for (Ask ask : attempt.asks()) {
                String obstacle = of(attempt, ask);
                if (obstacle == null) {
                    return null;
                }
                first = first == null ? obstacle : first;
            }
            return first;
        }

        private @Nullable String of(HeddleAttempt attempt, Ask ask) {
            Schedulable limited = engine.limiting(
                    attempt.application().schedulable(), ask.size().need());
            if (limited != null) {
                return "at the limit of " + nameOf(limited);
            }
            Set<Veto> vetoes = EnumSet.noneOf(Veto.class);
            for (HeddleNode node : nodes) {
                Veto veto = ++looks > MOST_LOOKS ? null : feasibility.testEmptyOrLent(attempt, ask, node);
                if (veto == null) {
                    return null;
                }
                if (veto != Veto.NOT_RUNNING) {
                    vetoes.add(veto);
                }
            }
            if (vetoes.isEmpty()) {
                return "the cluster has no node that takes containers";
            }
            if (vetoes.contains(Veto.TOO_LARGE)) {
                return "larger than any node that it may use";
            }
            if (vetoes.contains(Veto.LABEL)) {
                return "no node has the label, or meets the constraints, that it asks for";
            }
            return "all nodes are on its blacklist";
        }
    }
}
