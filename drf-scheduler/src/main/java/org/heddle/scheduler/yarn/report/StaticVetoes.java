// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.report;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerAppUtils;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.model.Waiting.Kind;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.node.ContainerAllocator;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What keeps a claim from being served however long it waits for its turn: limits, its blacklist, labels and
 * constraints, asks that are larger than any node. Whoever only waits until containers of others end has none of these.
 * Under the scheduler's lock.
 */
final class StaticVetoes {
    private static final Logger LOG = LoggerFactory.getLogger(StaticVetoes.class);

    /** The lock is not held for more looks at nodes than this: who is not reached counts as waiting for its turn. */
    private static final int MOST_LOOKS = 20_000;

    private final List<HeddleNode> nodes;
    private final ResourceVectors vectors;
    private final Map<Schedulable, String> found = new HashMap<>();
    private int looks;

    private StaticVetoes(List<HeddleNode> nodes, ResourceVectors vectors) {
        this.nodes = nodes;
        this.vectors = vectors;
    }

    /** Of all claims at and below this one that have such an obstacle, a few words each. */
    static Map<Schedulable, String> below(Schedulable root, List<HeddleNode> nodes, ResourceVectors vectors) {
        StaticVetoes obstacles = new StaticVetoes(nodes, vectors);
        obstacles.look(root);
        return obstacles.found;
    }

    /** What keeps an ask from a node even when that is empty; null if nothing does. */
    static @Nullable Kind between(
            HeddleAttempt attempt,
            SchedulerRequestKey key,
            ContainerSize shape,
            HeddleNode node,
            ResourceVectors vectors) {
        if (SchedulerAppUtils.isPlaceBlacklisted(attempt, node, LOG)) {
            return Kind.BLACKLISTED;
        }
        if (!ContainerAllocator.mayUse(attempt, key, node)) {
            return Kind.LABEL;
        }
        return shape.fits(vectors.of(node.getTotalResource())) ? null : Kind.TOO_LARGE;
    }

    /** The claim, this one or one above it, whose limit leaves no room for one more container; null if none. */
    static @Nullable Schedulable limited(Schedulable claim, ContainerSize shape) {
        Schedulable at = claim;
        while (at != null && !at.exceedsLimitWith(shape.need())) {
            at = at.parent();
        }
        return at;
    }

    /** A queue or a user in words. */
    static String nameOf(Schedulable limited) {
        return limited.owner() instanceof HeddleQueue queue
                ? "queue " + queue.getQueueName()
                : "user " + limited.name();
    }

    private void look(Schedulable claim) {
        if (claim.pending() == 0) {
            return;
        }
        if (claim.isLeaf()) {
            String obstacle = claim.owner() instanceof HeddleApplication application ? of(application) : null;
            if (obstacle != null) {
                found.put(claim, obstacle);
            }
            return;
        }
        Set<String> below = new TreeSet<>();
        boolean all = true;
        for (Schedulable child : claim.children()) {
            look(child);
            if (child.pending() > 0) {
                String obstacle = found.get(child);
                all &= obstacle != null;
                below.add(String.valueOf(obstacle));
            }
        }
        if (all && !below.isEmpty()) {
            found.put(claim, below.size() == 1 ? below.iterator().next() : "none of those below can be served");
        }
    }

    /** The obstacle of an application none of whose asks can be served; null if one can, or is not looked at. */
    private @Nullable String of(HeddleApplication application) {
        HeddleAttempt attempt = application.getCurrentAppAttempt();
        if (attempt == null || attempt.shapes().isEmpty()) {
            return null;
        }
        String first = null;
        for (Map.Entry<SchedulerRequestKey, ContainerSize> ask :
                attempt.shapes().entrySet()) {
            String obstacle = of(attempt, ask.getKey(), ask.getValue());
            if (obstacle == null) {
                return null;
            }
            first = first == null ? obstacle : first;
        }
        return first;
    }

    private @Nullable String of(HeddleAttempt attempt, SchedulerRequestKey key, ContainerSize shape) {
        Schedulable limited = limited(attempt.application().claim(), shape);
        if (limited != null) {
            return "at the limit of " + nameOf(limited);
        }
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        for (HeddleNode node : nodes) {
            Kind kind = ++looks > MOST_LOOKS ? null : between(attempt, key, shape, node, vectors);
            if (kind == null) {
                return null;
            }
            kinds.add(kind);
        }
        if (kinds.isEmpty()) {
            return "the cluster has no node that takes containers";
        }
        if (kinds.contains(Kind.TOO_LARGE)) {
            return "larger than any node that it may use";
        }
        return kinds.contains(Kind.LABEL)
                ? "no node has the label, or meets the constraints, that it asks for"
                : "all nodes are on its blacklist";
    }
}
