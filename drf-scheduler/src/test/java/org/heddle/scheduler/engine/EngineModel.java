// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.heddle.scheduler.policy.ShareOrders;
import org.jspecify.annotations.Nullable;

/**
 * An engine and, beside it, an independent account of the same cluster: what runs where, who asks for what, who may
 * have more. Applies the events of a {@link Scenario} to both and checks every choice that the engine makes; the books
 * are compared by {@link EngineInvariants}.
 *
 * <p>Over 400 lines because one short method for each kind of event, all on the same few tables, reads best in one
 * place.
 */
final class EngineModel {
    static final int RESOURCES = 3;
    private static final int NODES = 5;
    private static final int GROUPS = 9;
    private static final int APPS = 20;
    private static final int DEEPEST = 4;
    private static final long NONE = Long.MAX_VALUE;
    private static final String[] ORDERS = {"drf", "drf", "drf", "fifo"};
    private static final long[][] SIZES = {
        {1, 1, 0}, {2, 1, 0}, {1, 3, 0}, {0, 1, 0}, {1, 2, 1}, {4, 1, 0}, {1, 1, 1}, {5, 9, 0}
    };
    private static final long[][] ROOMS = {{8, 12, 2}, {16, 8, 0}, {6, 6, 4}, {10, 20, 1}, {3, 3, 0}};
    private static final long[] @Nullable [] LIMITS = {
        null, {5, NONE, NONE}, {NONE, 8, NONE}, {12, 12, 2}, {3, 3, 0}, {NONE, NONE, 1}
    };
    private static final double[][] WEIGHTS = {
        {1, 1, 1}, {1, 1, 1}, {2, 2, 2}, {3, 1, 1}, {0, 0, 0}, {1, 0.5, 2}, {0, 1, 1}
    };

    final ShareEngine engine;
    final List<Running> containers = new ArrayList<>();
    final List<String> log = new ArrayList<>();
    private final ShareOrders orders = new ShareOrders();
    private final @Nullable Node[] nodes = new @Nullable Node[NODES];
    private final @Nullable Member[] groups = new @Nullable Member[GROUPS];
    private final @Nullable Member[] apps = new @Nullable Member[APPS];
    private long nowMillis;

    /** A schedulable as the account knows it. */
    static final class Member {
        Schedulable schedulable;

        @Nullable
        Member parent;

        final Map<List<Long>, Long> asks = new LinkedHashMap<>();
        long @Nullable [] limit;

        Member(Schedulable schedulable, @Nullable Member parent) {
            this.schedulable = schedulable;
            this.parent = parent;
        }

        int depth() {
            return parent == null ? 0 : 1 + parent.depth();
        }
    }

    static final class Node {
        final long[] total;

        Node(long[] total) {
            this.total = total.clone();
        }
    }

    record Running(Member app, long[] size, Node node) {}

    EngineModel() {
        engine = new ShareEngine(RESOURCES, orders.create("drf", new SplittableRandom(1)), () -> true);
        groups[0] = new Member(engine.root(), null);
    }

    List<Member> members() {
        List<Member> all = new ArrayList<>();
        all.addAll(present(groups));
        all.addAll(present(apps));
        return all;
    }

    List<Member> apps() {
        return present(apps);
    }

    List<Node> nodes() {
        return present(nodes);
    }

    private static <T> List<T> present(@Nullable T[] all) {
        List<T> some = new ArrayList<>();
        for (T one : all) {
            if (one != null) {
                some.add(one);
            }
        }
        return some;
    }

    long[] free(Node node) {
        long[] free = node.total.clone();
        for (Running held : containers) {
            if (held.node == node) {
                add(free, held.size, -1);
            }
        }
        return free;
    }

    void apply(Scenario.Event event) {
        int who = event.who();
        int what = event.what();
        int amount = event.amount();
        Member app = apps[who % APPS];
        Node node = nodes[who % NODES];
        switch (event.kind()) {
            case ADD_NODE -> setNode(who % NODES, new Node(ROOMS[what % ROOMS.length]), node == null);
            case REMOVE_NODE -> setNode(who % NODES, null, node != null);
            case RESIZE_NODE -> resizeNode(node, ROOMS[what % ROOMS.length]);
            case ADD_GROUP -> addGroup(who % GROUPS, groupOrRoot(what), amount);
            case REMOVE_GROUP -> removeGroup(who % GROUPS);
            case ADD_APP -> addApp(who % APPS, groupOrRoot(what), amount);
            case REMOVE_APP -> removeApp(who % APPS);
            case ASK -> ask(app, SIZES[what % SIZES.length], 1 + amount % 12);
            case WITHDRAW -> ask(app, SIZES[what % SIZES.length], 0);
            case OFFER -> offer(node, what % 4 == 0 ? 1 : Integer.MAX_VALUE, new Pass(node, amount, 0, 0));
            case OFFER_TO_THE_RELUCTANT -> offer(node, Integer.MAX_VALUE, new Pass(node, amount, 0.4, 0));
            case OFFER_TO_THE_FAILING -> offer(node, Integer.MAX_VALUE, new Pass(node, amount, 0.1, 0.3));
            case END -> end(containers.isEmpty() ? null : containers.get((who * 100 + what) % containers.size()));
            case GRANT -> grant(app, nodes[what % NODES], SIZES[amount % SIZES.length]);
            case MOVE -> move(app, groupOrRoot(what));
            case HOLD -> hold(app, nodes[what % NODES], SIZES[amount % SIZES.length]);
            case RESIZE_CONTAINER ->
                resize(containers.isEmpty() ? null : containers.get(who % containers.size()), what);
            case WEIGHT -> weigh(who % 3 == 0 ? groups[what % GROUPS] : apps[what % APPS], amount);
            case PRIORITY -> prioritize(app, amount % 3);
            case LIMIT ->
                limit(who % 2 == 0 ? groups[what % GROUPS] : apps[what % APPS], LIMITS[amount % LIMITS.length]);
            case ORDER -> order(groups[who % GROUPS], ORDERS[what % ORDERS.length]);
            case TRY -> attempt(new SplittableRandom(who * 100L + what), 1 + amount % 6);
        }
    }

    private Member groupOrRoot(int what) {
        Member group = groups[what % GROUPS];
        return group == null ? Objects.requireNonNull(groups[0]) : group;
    }

    private void setNode(int slot, @Nullable Node node, boolean allowed) {
        if (allowed) {
            Node gone = nodes[slot];
            for (Running held : List.copyOf(containers)) {
                if (held.node == gone) {
                    end(held);
                }
            }
            nodes[slot] = node;
            recount();
        }
    }

    private void resizeNode(@Nullable Node node, long[] total) {
        if (node != null) {
            System.arraycopy(total, 0, node.total, 0, RESOURCES);
            recount();
        }
    }

    private void recount() {
        long[] capacity = new long[RESOURCES];
        nodes().forEach(node -> add(capacity, node.total, 1));
        engine.setCapacity(capacity, nodes().size());
    }

    private void addGroup(int slot, Member parent, int amount) {
        if (groups[slot] == null && parent.depth() < DEEPEST) {
            String order = ORDERS[amount / 10 % ORDERS.length];
            Schedulable schedulable = engine.addGroup(
                    parent.schedulable,
                    "g" + slot,
                    orders.create(order, new SplittableRandom(1)),
                    WEIGHTS[amount % WEIGHTS.length]);
            groups[slot] = new Member(schedulable, parent);
        }
    }

    private void removeGroup(int slot) {
        Member group = groups[slot];
        if (slot > 0 && group != null && members().stream().noneMatch(member -> member.parent == group)) {
            engine.remove(group.schedulable);
            groups[slot] = null;
        }
    }

    private void addApp(int slot, Member parent, int amount) {
        if (apps[slot] == null) {
            double[] weight = WEIGHTS[amount % WEIGHTS.length];
            apps[slot] =
                    new Member(engine.addApplication(parent.schedulable, "a" + slot, weight, amount / 10 % 3), parent);
        }
    }

    private void removeApp(int slot) {
        Member app = apps[slot];
        if (app != null) {
            for (long[] size : SIZES) {
                ask(app, size, 0);
            }
            for (Running held : List.copyOf(containers)) {
                if (held.app == app) {
                    end(held);
                }
            }
            engine.remove(app.schedulable);
            apps[slot] = null;
        }
    }

    private void ask(@Nullable Member app, long[] size, long count) {
        if (app != null) {
            ContainerSize containerSize = engine.setAsk(app.schedulable, size, count);
            assertThat(containerSize == null).isEqualTo(count == 0);
            if (count == 0) {
                app.asks.remove(key(size));
            } else {
                app.asks.put(key(size), count);
            }
        }
    }

    private void hold(@Nullable Member app, @Nullable Node node, long[] size) {
        if (app != null && node != null && fits(size, free(node))) {
            engine.hold(app.schedulable, size);
            containers.add(new Running(app, size, node));
        }
    }

    private void grant(@Nullable Member app, @Nullable Node node, long[] size) {
        if (app != null && node != null && fits(size, free(node))) {
            for (ContainerSize containerSize : engine.asks(app.schedulable)) {
                if (Arrays.equals(containerSize.need, size)) {
                    engine.grant(app.schedulable, containerSize);
                    book(app, size, node);
                }
            }
        }
    }

    private void book(Member app, long[] size, Node node) {
        containers.add(new Running(app, size, node));
        app.asks.compute(key(size), (any, count) -> count == null || count == 1 ? null : count - 1);
        log.add(app.schedulable.name + Arrays.toString(size) + "@"
                + Arrays.asList(nodes).indexOf(node));
    }

    private void move(@Nullable Member app, Member parent) {
        if (app != null) {
            app.schedulable = engine.move(app.schedulable, parent.schedulable);
            app.parent = parent;
        }
    }

    private void end(@Nullable Running held) {
        if (held != null) {
            containers.remove(held);
            engine.release(held.app.schedulable, held.size);
            log.add("end " + held.app.schedulable.name + Arrays.toString(held.size));
        }
    }

    private void resize(@Nullable Running held, int what) {
        if (held != null) {
            long[] delta = SIZES[what % SIZES.length];
            if (fits(delta, free(held.node))) {
                long[] size = held.size.clone();
                add(size, delta, 1);
                engine.resize(held.app.schedulable, delta);
                containers.set(containers.indexOf(held), new Running(held.app, size, held.node));
            }
        }
    }

    private void weigh(@Nullable Member member, int amount) {
        if (member != null && member.parent != null) {
            engine.setWeight(member.schedulable, WEIGHTS[amount % WEIGHTS.length]);
        }
    }

    private void prioritize(@Nullable Member app, int priority) {
        if (app != null) {
            engine.setPriority(app.schedulable, priority);
        }
    }

    private void limit(@Nullable Member member, long @Nullable [] limit) {
        if (member != null && member.parent != null) {
            member.limit = limit;
            engine.setLimit(member.schedulable, limit);
        }
    }

    private void order(@Nullable Member group, String order) {
        if (group != null) {
            engine.setOrder(group.schedulable, orders.create(order, new SplittableRandom(1)));
        }
    }

    /** Apply and undo: not one bit of the books may differ, nor the next choice for any container size. */
    private void attempt(SplittableRandom random, int changes) {
        if (apps().isEmpty()) {
            return;
        }
        Schedulable next = engine.nextWithUnlimitedRoom();
        List<String> before = EngineInvariants.bits(this);
        Trial trial = engine.trial();
        List<Running> running = new ArrayList<>(containers);
        for (int i = 0; i < changes; i++) {
            if (!running.isEmpty() && random.nextBoolean()) {
                Running held = running.remove(random.nextInt(running.size()));
                trial.release(held.app.schedulable, held.size);
            } else {
                Member app = apps().get(random.nextInt(apps().size()));
                trial.hold(app.schedulable, SIZES[random.nextInt(SIZES.length)]);
            }
        }
        trial.revert();
        assertThat(EngineInvariants.bits(this)).as("apply and undo").isEqualTo(before);
        EngineInvariants.check(this);
        assertThat(engine.nextWithUnlimitedRoom())
                .as("choice after apply and undo")
                .isSameAs(next);
    }

    private void offer(@Nullable Node node, int most, Pass pass) {
        if (node == null) {
            return;
        }
        long[] before = free(node);
        long[] left = before.clone();
        int count = containers.size();
        try {
            int placed = engine.offer(left, most, nowMillis += 100, pass);
            assertThat(placed).isEqualTo(containers.size() - count).isLessThanOrEqualTo(most);
            assertThat(left).as("free room, counted down by the engine").isEqualTo(free(node));
        } catch (Refusal expected) {
            assertThat(pass.failureChance).isPositive();
        }
        for (int j = 0; j < RESOURCES; j++) {
            assertThat(free(node)[j]).as("node over-allocated").isGreaterThanOrEqualTo(Math.min(0, before[j]));
        }
        if (most == Integer.MAX_VALUE && pass.refusalChance == 0) {
            for (Member app : apps()) {
                for (List<Long> size : app.asks.keySet()) {
                    assertThat(pass.mayHave(app, array(size)))
                            .as("%s could still have %s", app.schedulable, size)
                            .isFalse();
                }
            }
        }
    }

    /** Thrown by a failing placer. */
    private static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** A placer that knows by its own reckoning whose turn it is. */
    private final class Pass implements Placer {
        private final @Nullable Node node;
        private final SplittableRandom random;
        private final double refusalChance;
        private final double failureChance;
        private final Set<Member> refused = new HashSet<>();

        Pass(@Nullable Node node, long seed, double refusalChance, double failureChance) {
            this.node = node;
            this.random = new SplittableRandom(seed);
            this.refusalChance = refusalChance;
            this.failureChance = failureChance;
        }

        @Override
        public @Nullable ContainerSize place(Schedulable application, Gate gate) {
            Member app = apps().stream()
                    .filter(one -> one.schedulable == application)
                    .findFirst()
                    .orElseThrow();
            assertThat(application).as("whose turn it is").isSameAs(expected().schedulable);
            List<ContainerSize> admitted = new ArrayList<>();
            for (ContainerSize containerSize : engine.asks(application)) {
                assertThat(gate.admits(containerSize))
                        .as("gate for %s", containerSize)
                        .isEqualTo(mayHave(app, containerSize.need));
                if (gate.admits(containerSize)) {
                    admitted.add(containerSize);
                }
            }
            if (random.nextDouble() < failureChance) {
                throw new Refusal();
            }
            if (random.nextDouble() < refusalChance) {
                refused.add(app);
                return null;
            }
            ContainerSize containerSize = admitted.get(random.nextInt(admitted.size()));
            book(app, containerSize.need, Objects.requireNonNull(node));
            return containerSize;
        }

        /** Naive: all eligible applications, then level by level the eligible child of the smallest tier and key. */
        private Member expected() {
            List<Member> eligible = new ArrayList<>();
            for (Member app : apps()) {
                if (app.asks.keySet().stream().anyMatch(size -> mayHave(app, array(size)))) {
                    eligible.add(app);
                }
            }
            assertThat(eligible).as("somebody can use the node").isNotEmpty();
            Schedulable at = engine.root();
            while (!at.isLeaf()) {
                Schedulable parent = at;
                at = eligible.stream()
                        .map(app -> childOf(parent, app.schedulable))
                        .filter(Objects::nonNull)
                        .min(Comparator.comparingLong(Schedulable::tier)
                                .thenComparingDouble(Schedulable::key)
                                .thenComparingLong(schedulable -> schedulable.sequence))
                        .orElseThrow();
            }
            Schedulable chosen = at;
            return eligible.stream()
                    .filter(app -> app.schedulable == chosen)
                    .findFirst()
                    .orElseThrow();
        }

        private static @Nullable Schedulable childOf(Schedulable parent, Schedulable below) {
            Schedulable at = below;
            while (at.parent != null && at.parent != parent) {
                at = at.parent;
            }
            return at.parent == null ? null : at;
        }

        boolean mayHave(Member app, long[] size) {
            if (refused.contains(app)
                    || !app.asks.containsKey(key(size))
                    || !fits(size, free(Objects.requireNonNull(node)))) {
                return false;
            }
            for (Member at = app; at != null; at = at.parent) {
                long[] limit = at.limit;
                for (int j = 0; limit != null && j < RESOURCES; j++) {
                    if (size[j] > 0 && usage(at)[j] + size[j] > limit[j]) {
                        return false;
                    }
                }
            }
            return true;
        }
    }

    /** What a member holds, by the account. */
    long[] usage(Member member) {
        long[] usage = new long[RESOURCES];
        for (Running held : containers) {
            for (Member at = held.app; at != null; at = at.parent) {
                if (at == member) {
                    add(usage, held.size, 1);
                }
            }
        }
        return usage;
    }

    static List<Long> key(long[] size) {
        return Arrays.stream(size).boxed().toList();
    }

    private static long[] array(List<Long> size) {
        return size.stream().mapToLong(Long::longValue).toArray();
    }

    static void add(long[] sum, long[] amount, int sign) {
        for (int j = 0; j < RESOURCES; j++) {
            sum[j] += sign * amount[j];
        }
    }

    private static boolean fits(long[] size, long[] free) {
        for (int j = 0; j < RESOURCES; j++) {
            if (size[j] > free[j]) {
                return false;
            }
        }
        return true;
    }
}
