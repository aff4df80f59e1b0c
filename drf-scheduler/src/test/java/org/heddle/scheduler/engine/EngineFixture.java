// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.heddle.scheduler.policy.ShareOrders;
import org.jspecify.annotations.Nullable;

/** An engine with nodes, for tests: schedulables by path, nodes by number, every grant remembered. */
final class EngineFixture {
    private static final ShareOrders ORDERS = new ShareOrders();

    final ShareEngine engine;
    final List<long[]> free = new ArrayList<>();
    final long[] capacity;
    final Map<String, Schedulable> schedulables = new LinkedHashMap<>();
    /** Containers running: application, size, node. */
    final List<Container> containers = new ArrayList<>();

    private final Set<Schedulable> refused = new HashSet<>();
    final List<String> log = new ArrayList<>();
    long nowMillis;

    record Container(Schedulable application, long[] size, int node) {}

    EngineFixture(int nodes, long... perNode) {
        this(new ShareOrders(), nodes, perNode);
    }

    private EngineFixture(ShareOrders orders, int nodes, long... perNode) {
        this.capacity = new long[perNode.length];
        this.engine = new ShareEngine(perNode.length, orders.create("drf", new SplittableRandom(1)), () -> true);
        for (int i = 0; i < nodes; i++) {
            free.add(perNode.clone());
            for (int j = 0; j < perNode.length; j++) {
                capacity[j] += perNode[j];
            }
        }
        engine.setCapacity(capacity, nodes);
        schedulables.put("", engine.root());
    }

    EngineFixture group(String path) {
        return group(path, "drf", 1);
    }

    EngineFixture group(String path, String order, double weight) {
        Schedulable parent = schedulable(parentOf(path));
        schedulables.put(
                path, engine.addGroup(parent, path, ORDERS.create(order, new SplittableRandom(1)), weights(weight)));
        return this;
    }

    EngineFixture app(String path) {
        return app(path, 1);
    }

    EngineFixture app(String path, double weight) {
        schedulables.put(path, engine.addApplication(schedulable(parentOf(path)), path, weights(weight), 0));
        return this;
    }

    private static String parentOf(String path) {
        int dot = path.lastIndexOf('.');
        return dot < 0 ? "" : path.substring(0, dot);
    }

    private double[] weights(double weight) {
        double[] all = new double[capacity.length];
        Arrays.fill(all, weight);
        return all;
    }

    EngineFixture ask(String app, long count, long... need) {
        Schedulable schedulable = schedulable(app);
        long before = 0;
        for (ContainerSize containerSize : engine.asks(schedulable)) {
            if (Arrays.equals(containerSize.need, need)) {
                before = engine.asked(schedulable, containerSize);
            }
        }
        engine.setAsk(schedulable, need, before + count);
        return this;
    }

    /** Sets the most that a schedulable may hold. */
    EngineFixture limit(String path, long... most) {
        engine.setLimit(schedulable(path), most);
        return this;
    }

    /** Adds a container to what an application holds, without taking room from a node. */
    EngineFixture hold(String app, long... amount) {
        engine.hold(schedulable(app), amount);
        return this;
    }

    Schedulable schedulable(String path) {
        Schedulable schedulable = schedulables.get(path);
        if (schedulable == null) {
            throw new IllegalArgumentException("no schedulable " + path);
        }
        return schedulable;
    }

    /** Offers one node once; how many containers were placed. */
    int offer(int node) {
        return offer(node, Integer.MAX_VALUE);
    }

    int offer(int node, int most) {
        return engine.offer(free.get(node), most, ++nowMillis, (app, gate) -> place(app, gate, node));
    }

    /** Refuses everything to an application, whatever room there is. */
    EngineFixture refuse(String app) {
        refused.add(schedulable(app));
        return this;
    }

    private @Nullable ContainerSize place(Schedulable app, Placer.Gate gate, int node) {
        if (refused.contains(app)) {
            app.holdBack(true);
            return null;
        }
        for (ContainerSize containerSize : engine.asks(app)) {
            if (gate.admits(containerSize)) {
                containers.add(new Container(app, containerSize.need, node));
                log.add(app.name + Arrays.toString(containerSize.need) + "@" + node);
                return containerSize;
            }
        }
        return null;
    }

    /** Offers every node, one container at a time, until nothing fits. */
    EngineFixture fill() {
        boolean placed = true;
        while (placed) {
            placed = false;
            for (int node = 0; node < free.size(); node++) {
                placed |= offer(node, 1) > 0;
            }
        }
        return this;
    }

    void end(Container container) {
        containers.remove(container);
        engine.release(container.application, container.size);
        long[] room = free.get(container.node);
        for (int j = 0; j < room.length; j++) {
            room[j] += container.size[j];
        }
        log.add("end " + container.application.name + Arrays.toString(container.size));
    }

    long running(String path) {
        return schedulable(path).running;
    }

    /** Part of a resource that a schedulable holds. */
    double part(String path, int resource) {
        return (double) schedulable(path).usage[resource] / capacity[resource];
    }

    double dominantShare(String path) {
        return org.heddle.scheduler.policy.DominantShare.of(schedulable(path).usage, capacity);
    }

    FairShares fairShares() {
        return FairShares.of(engine, ORDERS);
    }
}
