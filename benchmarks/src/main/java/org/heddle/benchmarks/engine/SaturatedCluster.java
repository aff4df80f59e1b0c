// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.engine;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.Placer;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.policy.DrfOrder;
import org.heddle.scheduler.policy.ServedWork;
import org.heddle.scheduler.policy.ShareOrders;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;

/**
 * A full cluster. All users ask for more: ten queues, users in them, applications of each, four container sizes, 1,000
 * nodes of 128 GiB (131,072 MiB) and 32 cores. {@link #turnOver()} ends one container and offers its node; {@link
 * #idle()} offers a full node.
 */
final class SaturatedCluster {
    private static final int NODES = 1000;
    private static final int QUEUES = 10;
    private static final long[] NODE = {131_072, 32};
    private static final long[][] SIZES = {{4096, 1}, {2048, 2}, {8192, 1}, {4096, 4}};
    private static final long PLENTY = 1_000_000_000L;

    private final ShareEngine engine = new ShareEngine(2, new DrfOrder(), () -> true);
    private final IdentityHashMap<Schedulable, ContainerSize> asked = new IdentityHashMap<>();
    private final Placer first = this::place;
    private final long[] none = {0, 0};
    private final long[][] free = new long[NODES][];
    /** A ring of the containers that run, oldest first: application, size and node. */
    private Schedulable[] owner = new Schedulable[1024];

    private ContainerSize[] sizes = new ContainerSize[1024];
    private int[] node = new int[1024];
    private int oldest;
    private int running;
    private int at;
    private long nowMillis;

    /** @param order of the applications of each user */
    SaturatedCluster(int users, int applicationsOfEach, String order) {
        engine.setCapacity(new long[] {NODES * NODE[0], NODES * NODE[1]}, NODES);
        List<Schedulable> queues = new ArrayList<>();
        for (int q = 0; q < QUEUES; q++) {
            queues.add(engine.addGroup(engine.root(), "q" + q, new DrfOrder(), new double[] {1 + q % 3, 1 + q % 3}));
        }
        for (int u = 0; u < users; u++) {
            Schedulable user = engine.addGroup(
                    queues.get(u % QUEUES),
                    "u" + u,
                    new ShareOrders().create(order, new SplittableRandom(u)),
                    new double[] {1, 1});
            for (int a = 0; a < applicationsOfEach; a++) {
                Schedulable application = engine.addApplication(
                        user,
                        "a" + u + "-" + a,
                        new double[] {1, 1},
                        0,
                        new ServedWork(Clocks.SYSTEM::millis, engine::dominantShare));
                asked.put(application, engine.setAsk(application, SIZES[u / QUEUES % SIZES.length], PLENTY));
            }
        }
        for (at = 0; at < NODES; at++) {
            free[at] = NODE.clone();
            engine.offer(free[at], Integer.MAX_VALUE, nowMillis, first);
        }
    }

    int running() {
        return running;
    }

    /** One heartbeat that ends a container and allocates its resources anew; the number of containers allocated. */
    int turnOver() {
        int slot = oldest;
        oldest = (oldest + 1) % owner.length;
        running--;
        at = node[slot];
        for (int j = 0; j < NODE.length; j++) {
            free[at][j] += sizes[slot].need(j);
        }
        engine.release(owner[slot], sizeOf(sizes[slot]));
        return engine.offer(free[at], Integer.MAX_VALUE, ++nowMillis, first);
    }

    /** One heartbeat of a full node. */
    int idle() {
        return engine.offer(none, Integer.MAX_VALUE, ++nowMillis, first);
    }

    private static long[] sizeOf(ContainerSize asked) {
        for (long[] size : SIZES) {
            if (asked.need(0) == size[0] && asked.need(1) == size[1]) {
                return size;
            }
        }
        throw new IllegalStateException("no application asks for " + asked);
    }

    private @Nullable ContainerSize place(Schedulable application, Placer.Gate gate) {
        ContainerSize chosen = asked.get(application);
        if (chosen == null || !gate.admits(chosen)) {
            return null;
        }
        if (running == owner.length) {
            grow();
        }
        int slot = (oldest + running) % owner.length;
        owner[slot] = application;
        sizes[slot] = chosen;
        node[slot] = at;
        running++;
        return chosen;
    }

    private void grow() {
        Schedulable[] owners = new Schedulable[2 * running];
        ContainerSize[] newSizes = new ContainerSize[2 * running];
        int[] nodes = new int[2 * running];
        for (int i = 0; i < running; i++) {
            int slot = (oldest + i) % running;
            owners[i] = owner[slot];
            newSizes[i] = sizes[slot];
            nodes[i] = node[slot];
        }
        owner = owners;
        sizes = newSizes;
        node = nodes;
        oldest = 0;
    }
}
