// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.heddle.scheduler.policy.ShareOrders;
import org.jspecify.annotations.Nullable;

/** An engine with nodes, for tests: claims by path, nodes by number, every grant remembered. */
final class EngineFixture {
    private static final ShareOrders ORDERS = new ShareOrders();

    final ShareEngine engine;
    final List<long[]> free = new ArrayList<>();
    final long[] capacity;
    final Map<String, Schedulable> claims = new LinkedHashMap<>();
    /** Containers running: application, size, node. */
    final List<Container> containers = new ArrayList<>();

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
        claims.put("", engine.root());
    }

    EngineFixture group(String path) {
        return group(path, "drf", 1);
    }

    EngineFixture group(String path, String order, double weight) {
        Schedulable parent = claim(parentOf(path));
        claims.put(path, engine.addGroup(parent, path, ORDERS.create(order, new SplittableRandom(1)), weights(weight)));
        return this;
    }

    EngineFixture app(String path) {
        return app(path, 1);
    }

    EngineFixture app(String path, double weight) {
        claims.put(path, engine.addApplication(claim(parentOf(path)), path, weights(weight), 0));
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
        Schedulable claim = claim(app);
        long before = 0;
        for (ContainerSize shape : engine.asks(claim)) {
            if (Arrays.equals(shape.need, need)) {
                before = engine.asked(claim, shape);
            }
        }
        engine.setAsk(claim, need, before + count);
        return this;
    }

    Schedulable claim(String path) {
        Schedulable claim = claims.get(path);
        if (claim == null) {
            throw new IllegalArgumentException("no claim " + path);
        }
        return claim;
    }

    /** Offers one node once; how many containers were placed. */
    int offer(int node) {
        return offer(node, Integer.MAX_VALUE);
    }

    int offer(int node, int most) {
        return engine.offer(free.get(node), most, ++nowMillis, (app, gate) -> place(app, gate, node));
    }

    private @Nullable ContainerSize place(Schedulable app, Placer.Gate gate, int node) {
        for (ContainerSize shape : engine.asks(app)) {
            if (gate.admits(shape)) {
                containers.add(new Container(app, shape.need, node));
                log.add(app.name + Arrays.toString(shape.need) + "@" + node);
                return shape;
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
        return claim(path).running;
    }

    /** Part of a resource that a claim holds. */
    double part(String path, int resource) {
        return (double) claim(path).usage[resource] / capacity[resource];
    }

    double dominantShare(String path) {
        return org.heddle.scheduler.policy.DominantShare.of(claim(path).usage, capacity);
    }

    FairShares fairShares() {
        return FairShares.of(engine, ORDERS);
    }
}
