// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.engine.Trial;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.QueuePreemptionSettings;
import org.heddle.scheduler.policy.ShareOrders;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of applications as Spark, Flink and MapReduce run them: a master and up to twenty executors, each of one to
 * four cores. Whoever is below its share is helped at once. What ends with a master ends here, whatever the choice
 * thought of; and shares are worked out from the containers alone.
 */
final class SparkLikeModel {
    private static final double ROUNDING = 1e-9;
    private static final int RESOURCES = 2;
    private static final QueuePreemptionSettings AT_ONCE =
            new QueuePreemptionSettings(Amounts.UNLIMITED, true, 0, 0, 1, 1);

    private final boolean sparesWork;
    private final SplittableRandom random;
    private final ShareOrders orders = new ShareOrders();
    private final ShareEngine engine;
    private final long[] capacity = new long[RESOURCES];
    private final List<Node> nodes = new ArrayList<>();
    private final List<App> apps = new ArrayList<>();
    private final List<Container> containers = new ArrayList<>();
    private long clock;
    private long containersMade;

    /** What has been preempted, and how many of these were masters. */
    long preempted;

    long masters;

    /** @param sparesWork whether the youngest containers go first */
    SparkLikeModel(long seed, boolean sparesWork) {
        this.sparesWork = sparesWork;
        random = new SplittableRandom(seed);
        engine = new ShareEngine(RESOURCES, orders.create("drf", random), () -> true);
        for (int i = random.nextInt(1, 5); i >= 0; i--) {
            long cores = random.nextInt(4, 17);
            nodes.add(new Node("node" + i, new long[] {cores * random.nextInt(1, 4), cores}));
        }
        for (Node node : nodes) {
            for (int j = 0; j < RESOURCES; j++) {
                capacity[j] += node.total[j];
            }
        }
        engine.setCapacity(capacity, nodes.size());
        for (int q = random.nextInt(2, 5); q > 0; q--) {
            Schedulable queue = group(engine.root(), "q" + q, "drf", random.nextInt(1, 4));
            for (int u = random.nextInt(1, 3); u > 0; u--) {
                Schedulable user = group(queue, "u" + u, "fifo", 1);
                for (int a = random.nextInt(1, 4); a > 0; a--) {
                    apps.add(new App(engine.addApplication(user, "a" + a, weights(1), 0)));
                }
            }
        }
    }

    private Schedulable group(Schedulable parent, String name, String order, double weight) {
        return engine.addGroup(parent, name, orders.create(order, random), weights(weight));
    }

    private static double[] weights(double weight) {
        return new double[] {weight, weight};
    }

    /**
     * Some containers end, some applications come and go, free room is filled, and those below their share are helped.
     */
    void round() {
        for (App app : apps) {
            if (random.nextInt(12) == 0) {
                app.startAnew();
            }
        }
        List<Container> running = new ArrayList<>(containers);
        for (int i = random.nextInt(3); i > 0 && !running.isEmpty(); i--) {
            Container ended = running.remove(random.nextInt(running.size()));
            if (!ended.master) {
                end(ended);
            }
        }
        for (Node node : nodes) {
            engine.offer(node.free(), 100, ++clock, (schedulable, gate) -> {
                for (ContainerSize containerSize : engine.asks(schedulable)) {
                    if (gate.admits(containerSize)) {
                        place(appOf(schedulable), containerSize.need(), node);
                        return containerSize;
                    }
                }
                return null;
            });
        }
        apps.forEach(App::ask);
        preempt();
    }

    private void preempt() {
        engine.renew();
        List<Starvation> due = new StarvationTracker().due(engine.root(), schedulable -> AT_ONCE, clock);
        List<Promise> promises = new ArrayList<>();
        List<Container> marked = new ArrayList<>();
        Trial trial = engine.trial();
        try {
            VictimSelector choice = new VictimSelector(engine.root(), trial, sparesWork);
            for (Starvation starvation : due) {
                for (boolean masterToo : new boolean[] {false, true}) {
                    help(starvation, choice, trial, masterToo, promises, marked);
                }
            }
        } finally {
            trial.revert();
        }
        // Nothing is placed before all has ended, as long as grace periods last longer than a round.
        marked.forEach(this::kill);
        for (Promise promise : promises) {
            for (int i = 0; i < promise.count; i++) {
                for (ContainerSize containerSize : engine.asks(promise.app.schedulable)) {
                    if (Arrays.equals(containerSize.need(), promise.need)) {
                        engine.grant(promise.app.schedulable, containerSize);
                        place(promise.app, promise.need, promise.node);
                    }
                }
            }
        }
        apps.forEach(App::ask);
    }

    private void help(
            Starvation starvation,
            VictimSelector choice,
            Trial trial,
            boolean mastersToo,
            List<Promise> promises,
            List<Container> marked) {
        Schedulable next = engine.nextBelow(starvation.schedulable());
        if (next == null || starvation.isSettled()) {
            return;
        }
        App app = appOf(next);
        ContainerSize containerSize = engine.asks(next).get(0);
        long asked = engine.asked(next, containerSize)
                - promises.stream()
                        .filter(promise -> promise.app == app)
                        .mapToLong(Promise::count)
                        .sum();
        List<CandidateNode> candidates =
                nodes.stream().map(node -> node.candidate(promises, marked)).toList();
        VictimSet proposal = asked <= 0
                ? null
                : choice.choose(starvation, next, containerSize.need(), (int) asked, candidates, mastersToo);
        if (proposal == null || proposal.marked().isEmpty()) {
            return;
        }
        for (VictimCandidate held : proposal.marked()) {
            marked.add((Container) held.tag());
            trial.release(held.owner(), held.size());
        }
        Node node = (Node) proposal.node().tag();
        Promise promise = new Promise(app, node, containerSize.need(), proposal.count());
        assertFair(starvation, marked, promises, promise, proposal.marked());
        promises.add(promise);
        for (int i = 0; i < proposal.count(); i++) {
            trial.hold(next, containerSize.need());
        }
    }

    /**
     * No master goes before the rest of its application; and nobody who loses is below its entitlement then, or it
     * still has as large a part of it as the beneficiary.
     */
    private void assertFair(
            Starvation starvation,
            List<Container> marked,
            List<Promise> before,
            Promise now,
            List<VictimCandidate> losses) {
        List<Container> left = new ArrayList<>(containers);
        left.removeAll(marked);
        for (Container master : marked) {
            if (master.master) {
                assertThat(left).as("what ends with %s", master).noneMatch(other -> other.app == master.app);
            }
        }
        List<Promise> promised = new ArrayList<>(before);
        promised.add(now);
        for (VictimCandidate loss : losses) {
            Schedulable side = childOfCommon(starvation.schedulable(), loss.owner());
            double least = Math.min(1, share(side, left, promised));
            for (Schedulable at = loss.owner(); at != null && !isBelow(side, at); at = at.parent()) {
                if (at.parent() != null && at.parent().entitlesChildren()) {
                    assertThat(share(at, left, promised))
                            .as("%s after losses for %s, which has %s then", at, starvation.schedulable(), least)
                            .isGreaterThanOrEqualTo(least - ROUNDING);
                }
            }
        }
    }

    /** The last on the way up from one schedulable that the other is not below. */
    private static Schedulable childOfCommon(Schedulable schedulable, Schedulable other) {
        Schedulable at = schedulable;
        while (at.parent() != null && !isBelow(other, at.parent())) {
            at = at.parent();
        }
        return at;
    }

    /** Part of its entitlement that a schedulable holds. Everybody has at least a master that runs or is asked for. */
    private double share(Schedulable schedulable, List<Container> running, List<Promise> promised) {
        double part = 1;
        for (Schedulable at = schedulable; at.parent() != null; at = at.parent()) {
            double all = at.parent().children().stream()
                    .mapToDouble(child -> child.weight(0))
                    .sum();
            part *= at.weight(0) / all;
        }
        double most = 0;
        for (int j = 0; j < RESOURCES; j++) {
            long held = 0;
            for (Container container : running) {
                held += isBelow(container.app.schedulable, schedulable) ? container.size[j] : 0;
            }
            for (Promise promise : promised) {
                held += isBelow(promise.app.schedulable, schedulable) ? promise.count * promise.need[j] : 0;
            }
            most = Math.max(most, held / (capacity[j] * part));
        }
        return most;
    }

    private static boolean isBelow(Schedulable schedulable, @Nullable Schedulable ancestor) {
        for (Schedulable at = schedulable; at != null; at = at.parent()) {
            if (at == ancestor) {
                return true;
            }
        }
        return false;
    }

    // ---- containers ----

    private void place(App app, long[] size, Node node) {
        containers.add(new Container(app, size, app.master == null, node, containersMade++));
        if (app.master == null) {
            app.master = containers.get(containers.size() - 1);
        }
    }

    private void end(Container container) {
        containers.remove(container);
        engine.release(container.app.schedulable, container.size);
    }

    /** As YARN does it: with its master all that an attempt has goes, and the application asks for another master. */
    private void kill(Container container) {
        preempted++;
        if (container.master) {
            masters++;
            container.app.restart();
        } else if (containers.contains(container)) {
            end(container);
        }
    }

    private App appOf(Schedulable schedulable) {
        return apps.stream()
                .filter(app -> app.schedulable == schedulable)
                .findFirst()
                .orElseThrow();
    }

    private record Promise(App app, Node node, long[] need, int count) {}

    private record Container(App app, long[] size, boolean master, Node node, long sequence) {}

    private final class Node {
        private final String name;
        private final long[] total;

        Node(String name, long[] total) {
            this.name = name;
            this.total = total;
        }

        long[] free() {
            long[] free = total.clone();
            for (Container container : containers) {
                for (int j = 0; container.node == this && j < RESOURCES; j++) {
                    free[j] -= container.size[j];
                }
            }
            return free;
        }

        CandidateNode candidate(List<Promise> promises, List<Container> marked) {
            long[] free = free();
            for (int j = 0; j < RESOURCES; j++) {
                for (Promise promise : promises) {
                    free[j] -= promise.node == this ? promise.count * promise.need[j] : 0;
                }
                for (Container container : marked) {
                    free[j] += container.node == this ? container.size[j] : 0;
                }
            }
            List<VictimCandidate> held = containers.stream()
                    .filter(container -> container.node == this && !marked.contains(container))
                    .map(container -> new VictimCandidate(
                            container.app.schedulable,
                            container.size,
                            container.master,
                            container.master,
                            container.master ? 0 : 10,
                            container.sequence,
                            containersMade - container.sequence,
                            (double) container.size[1] / capacity[1],
                            container))
                    .toList();
            return new CandidateNode(name, free, held, this);
        }
    }

    private final class App {
        private final Schedulable schedulable;
        private @Nullable Container master;
        private int executors;
        private long[] size = {1, 1};
        private long[] masterSize = {1, 1};

        App(Schedulable schedulable) {
            this.schedulable = schedulable;
            startAnew();
        }

        /** Another application of the same user. */
        void startAnew() {
            executors = random.nextInt(1, 21);
            size = new long[] {random.nextInt(1, 5), random.nextInt(1, 5)};
            masterSize = new long[] {random.nextInt(1, 5), random.nextInt(1, 4)};
            restart();
        }

        void restart() {
            for (Container container : List.copyOf(containers)) {
                if (container.app == this) {
                    end(container);
                }
            }
            master = null;
            ask();
        }

        void ask() {
            long running = containers.stream()
                    .filter(container -> container.app == this && !container.master)
                    .count();
            for (ContainerSize containerSize : engine.asks(schedulable)) {
                engine.setAsk(schedulable, containerSize.need(), 0);
            }
            long[] need = master == null ? masterSize : size;
            engine.setAsk(schedulable, need, master == null ? 1 : executors - running);
        }
    }
}
