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
import org.heddle.scheduler.yarn.node.Feasibility;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.scheduler.yarn.node.Veto;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.jspecify.annotations.Nullable;

/**
 * The obstacle of a queue, user or application: a limit, or a static veto on every node. Under the scheduler's lock.
 */
final class StaticVetoes {
    /** At most so many tests of nodes under the lock; an application that is not tested has no obstacle. */
    private static final int MOST_LOOKS = 20_000;

    private final List<HeddleNode> nodes;
    private final Feasibility feasibility;
    private final ShareEngine engine;
    private final Map<Schedulable, String> found = new HashMap<>();
    private int looks;

    private StaticVetoes(List<HeddleNode> nodes, Feasibility feasibility, ShareEngine engine) {
        this.nodes = nodes;
        this.feasibility = feasibility;
        this.engine = engine;
    }

    /** The obstacle of each queue, user and application that has one, in a few words. */
    static Map<Schedulable, String> below(ShareEngine engine, List<HeddleNode> nodes, Feasibility feasibility) {
        StaticVetoes obstacles = new StaticVetoes(nodes, feasibility, engine);
        obstacles.look(engine.root());
        return obstacles.found;
    }

    /** Names a queue or a user. */
    static String nameOf(Schedulable limited) {
        return limited.owner() instanceof HeddleQueue queue
                ? "queue " + queue.getQueueName()
                : (limited.isLeaf() ? "application " : "user ") + limited.name();
    }

    private void look(Schedulable schedulable) {
        if (schedulable.pending() == 0) {
            return;
        }
        if (schedulable.isLeaf()) {
            String obstacle = schedulable.owner() instanceof HeddleApplication application ? of(application) : null;
            if (obstacle != null) {
                found.put(schedulable, obstacle);
            }
            return;
        }
        Set<String> below = new TreeSet<>();
        boolean all = true;
        for (Schedulable child : schedulable.children()) {
            look(child);
            if (child.pending() > 0) {
                String obstacle = found.get(child);
                all &= obstacle != null;
                below.add(String.valueOf(obstacle));
            }
        }
        if (all && !below.isEmpty()) {
            found.put(schedulable, below.size() == 1 ? below.iterator().next() : "none of those below can be served");
        }
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
        Schedulable limited =
                engine.limiting(attempt.application().schedulable(), ask.size().need());
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
        return vetoes.contains(Veto.LABEL)
                ? "no node has the label, or meets the constraints, that it asks for"
                : "all nodes are on its blacklist";
    }
}
