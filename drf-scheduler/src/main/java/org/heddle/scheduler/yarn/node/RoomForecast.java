// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.heddle.scheduler.engine.Lifetimes;
import org.heddle.scheduler.model.Vectors;
import org.heddle.scheduler.yarn.compat.ResourceVectors;

/**
 * Estimates when nodes will have room, from how long the containers of each queue and priority have lived lately.
 * Guarded by the scheduler's lock.
 */
final class RoomForecast {
    /** The wait for room that nothing can make free. */
    static final long NEVER = Long.MAX_VALUE / 4;

    private static final int MOST_KINDS = 1_000;

    private final ResourceVectors vectors;
    private final Lifetimes all = new Lifetimes();
    /** The kind of the container that ended last is the last one. */
    private final Map<Kind, Lifetimes> ofKind = new LinkedHashMap<>();

    /** Containers that live alike: frameworks ask for masters, maps and reduces at priorities of their own. */
    private record Kind(String queue, int priority) {
        static Kind of(RMContainer container) {
            return new Kind(
                    container.getQueueName(),
                    container.getContainer().getPriority().getPriority());
        }
    }

    /** A container on a node, and how long it is expected to run from now on. */
    private record Running(long[] size, long remainingMillis) {}

    RoomForecast(ResourceVectors vectors) {
        this.vectors = vectors;
    }

    /** A container has ended. */
    void ended(RMContainer container, long lifetimeMillis) {
        all.add(lifetimeMillis);
        Kind kind = Kind.of(container);
        Lifetimes lifetimes = ofKind.remove(kind);
        lifetimes = lifetimes == null ? new Lifetimes() : lifetimes;
        lifetimes.add(lifetimeMillis);
        ofKind.put(kind, lifetimes);
        if (ofKind.size() > MOST_KINDS) {
            ofKind.remove(ofKind.keySet().iterator().next());
        }
    }

    /** How long a container that is met running lives, from its start to its end; 0 if nothing is known. */
    long lifetimeMillis() {
        return all.ofRunningMillis();
    }

    /** The same of the containers that a queue asks for at a priority; 0 if none of them has ended lately. */
    long lifetimeMillis(String queue, int priority) {
        Lifetimes lifetimes = ofKind.get(new Kind(queue, priority));
        return lifetimes == null ? 0 : lifetimes.ofRunningMillis();
    }

    /**
     * How long a container is expected to run from now on. One that has run longer than the others of its kind is
     * expected to run as long again as it has exceeded them, and one of a kind of which none has ended longer than
     * those of others.
     */
    private long remainingMillis(Kind kind, long ageMillis) {
        Lifetimes lifetimes = ofKind.get(kind);
        if (lifetimes == null) {
            return 2 * Math.max(ageMillis, lifetimeMillis());
        }
        long lifetime = lifetimes.ofRunningMillis();
        return Math.max(Math.abs(lifetime - ageMillis), lifetime / 10);
    }

    /**
     * What a node would have free if only some of its containers stayed, per resource, and these containers.
     */
    record Outlook(HeddleNode node, long[] room, List<RMContainer> staying) {}

    Outlook outlook(HeddleNode node, Predicate<ContainerId> stays) {
        long[] room = vectors.room(node.getUnallocatedResource());
        List<RMContainer> staying = new ArrayList<>();
        for (RMContainer container : node.getCopiedListOfRunningContainers()) {
            if (stays.test(container.getContainerId())) {
                staying.add(container);
            } else {
                Vectors.add(room, vectors.of(container.getContainer().getResource()), 1);
            }
        }
        return new Outlook(node, room, staying);
    }

    /** When a node is expected to have so much room if nothing is placed there, in milliseconds from now. */
    long waitMillis(HeddleNode node, long[] need, long nowMillis) {
        return waitMillis(outlook(node, container -> true), need, nowMillis);
    }

    /** The same as if all others than those that stay had ended. */
    long waitMillis(Outlook outlook, long[] need, long nowMillis) {
        long[] room = outlook.room.clone();
        if (Vectors.fit(need, room)) {
            return 0;
        }
        List<Running> running = new ArrayList<>(outlook.staying.size());
        for (RMContainer container : outlook.staying) {
            running.add(running(outlook.node, container, nowMillis));
        }
        running.sort(Comparator.comparingLong(Running::remainingMillis));
        for (Running next : running) {
            Vectors.add(room, next.size, 1);
            if (Vectors.fit(need, room)) {
                return next.remainingMillis;
            }
        }
        return NEVER;
    }

    private Running running(HeddleNode node, RMContainer container, long nowMillis) {
        return new Running(
                vectors.of(container.getContainer().getResource()),
                remainingMillis(Kind.of(container), node.ageMillis(container.getContainerId(), nowMillis)));
    }
}
