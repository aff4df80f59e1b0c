// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.simulate;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.epoch.EpochMeter;
import org.heddle.market.epoch.Funds;
import org.heddle.market.epoch.MarketOrder;
import org.heddle.market.epoch.MeteredQueue;
import org.heddle.market.epoch.QueueMeter;
import org.heddle.market.epoch.WeightUpdater;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.DueList;
import org.heddle.scheduler.engine.Lifetimes;
import org.heddle.scheduler.engine.Placer;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.policy.DrfOrder;
import org.heddle.scheduler.policy.FifoOrder;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of equal slots under a virtual clock. {@link EpochMeter} and {@link ShareEngine} are the ones that run in
 * the ResourceManager; here tasks take some slots for a given time and nothing fails. A queue works off its jobs one
 * after another. Deterministic; not thread-safe.
 *
 * <p>Slots are given out as soon as they are free, or, with {@link Nodes}, when their node has a heartbeat: then the
 * cluster has gaps between containers, as real ones have.
 */
public final class Simulator {
    private static final long[] ONE_SLOT = {1};
    private static final long LONGEST_PAUSE_MILLIS = 1_000;
    /** How long an ask is passed over before a node is held for it. */
    private static final long RESERVATION_MILLIS = 5_000;

    /**
     * The nodes of a cluster.
     *
     * @param count number of nodes; their heartbeats are spread over the heartbeat interval
     * @param slots of each node
     * @param heartbeatMillis slots are given out at the heartbeats of their node; 0: at once
     * @param launchMillis from the allocation of a container to the start of its task
     * @param reported whether the end of a container is known at the next heartbeat; if not, masters release containers
     *     at once, and the slot stays empty up to the heartbeat
     */
    public record Nodes(int count, long slots, long heartbeatMillis, long launchMillis, boolean reported) {}

    private final MarketTerms terms;
    private final ShareEngine engine;
    private final DueList due;
    private final EpochMeter meter;
    private final WeightUpdater weights;
    private final FifoOrder withinQueue = new FifoOrder();
    /** Whether the market sets the engine's weights. */
    private final boolean steers;

    private final Nodes nodes;
    private final List<long[]> free = new ArrayList<>();
    /** Ends of containers that wait for their node's heartbeat. */
    private final List<List<Runnable>> ended = new ArrayList<>();
    /** The nodes that are held for a large ask, and for which application. */
    private final Map<Integer, Schedulable> heldFor = new HashMap<>();
    /** What runs on each node. */
    private final List<List<Running>> running = new ArrayList<>();
    /** What ran on a held node when it began to be held. */
    private final Map<Integer, Set<Running>> before = new HashMap<>();
    /** While a held node is offered: how long what is placed there may live. */
    private long backfillMillis = -1;

    private final Map<String, Line> lines = new TreeMap<>();
    private final Map<Schedulable, Job> jobs = new HashMap<>();
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final List<Consumer<ClosedEpoch>> observers = new ArrayList<>();
    private long nowMillis;
    private long epoch;
    private long eventNumber;

    /**
     * @param terms the interval and all other rules
     * @param slots slots of the cluster
     */
    public Simulator(MarketTerms terms, long slots) {
        this(terms, new Nodes(1, slots, 0, 0, false), true);
    }

    public Simulator(MarketTerms terms, Nodes nodes) {
        this(terms, nodes, true);
    }

    /** The same cluster without a market, to compare with: rates are weights under the DRF scheduler's own order. */
    public static Simulator withoutMarket(MarketTerms terms, long slots) {
        return new Simulator(terms, new Nodes(1, slots, 0, 0, false), false);
    }

    private Simulator(MarketTerms terms, Nodes nodes, boolean steers) {
        this.terms = terms;
        this.nodes = nodes;
        this.steers = steers;
        this.engine = new ShareEngine(1, steers ? new MarketOrder() : new DrfOrder(), () -> true);
        this.due = new DueList(engine);
        this.meter = new EpochMeter(terms, ONE_SLOT, 0);
        this.weights = new WeightUpdater(engine, meter);
        long slots = nodes.count() * nodes.slots();
        engine.setCapacity(new long[] {slots}, nodes.count());
        meter.setCapacity(0, new long[] {slots});
        for (int node = 0; node < nodes.count(); node++) {
            int which = node;
            free.add(new long[] {nodes.slots()});
            running.add(new ArrayList<>());
            ended.add(new ArrayList<>());
            if (nodes.heartbeatMillis() > 0) {
                at(1 + node * nodes.heartbeatMillis() / nodes.count(), Rank.HEARTBEAT, () -> heartbeat(which));
            }
        }
    }

    /** A queue with its jobs and its money. */
    private static final class Line {
        final String name;
        final Schedulable schedulable;
        final QueueMeter queue;
        final Deque<Job> waiting = new ArrayDeque<>();
        final List<Job> finished = new ArrayList<>();
        final Lifetimes lifetimes = new Lifetimes();
        Funds funds = Funds.NONE;

        @Nullable
        Job current;

        Line(String name, Schedulable schedulable, QueueMeter queue) {
            this.name = name;
            this.schedulable = schedulable;
            this.queue = queue;
        }
    }

    /** So many tasks of equal size. */
    public static final class Job {
        private final String queue;
        private final long tasks;
        private final LongSupplier taskMillis;
        private final long[] size;
        private final boolean withMaster;
        private int masterNode = -1;
        private long ended;
        private long startMillis = -1;
        private long endMillis = -1;

        private Job(String queue, long tasks, LongSupplier taskMillis, long slots, boolean withMaster) {
            this.withMaster = withMaster;
            this.queue = queue;
            this.tasks = tasks;
            this.taskMillis = taskMillis;
            this.size = new long[] {slots};
        }

        public String queue() {
            return queue;
        }

        /** When it could first have run a task; -1 if it has not been its turn. */
        public long startMillis() {
            return startMillis;
        }

        /** When its last task ended; -1 if it has not. */
        public long endMillis() {
            return endMillis;
        }
    }

    /** A task, by its identity. */
    private static final class Running {
        final Line line;
        final long slots;
        final long sinceMillis;

        Running(Line line, long slots, long sinceMillis) {
            this.line = line;
            this.slots = slots;
            this.sinceMillis = sinceMillis;
        }
    }

    private record Event(long atMillis, Rank rank, long number, Runnable what) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(atMillis, other.atMillis);
            int byRank = byTime != 0 ? byTime : rank.compareTo(other.rank);
            return byRank != 0 ? byRank : Long.compare(number, other.number);
        }
    }

    /**
     * What happens at one instant happens in this order: tasks end, money moves, the epoch turns, nodes are offered.
     */
    private enum Rank {
        TASK_END,
        ACTION,
        EPOCH_END,
        HEARTBEAT
    }

    private void at(long millis, Rank rank, Runnable what) {
        events.add(new Event(millis, rank, eventNumber++, what));
    }

    public Simulator queue(String name, String rate, String budget) {
        double weight = steers ? 0 : SpendingRate.parse(rate).nanos();
        Schedulable schedulable = engine.addGroup(engine.root(), name, withinQueue, new double[] {weight});
        QueueMeter queue = meter.queue(name, nowMillis);
        schedulable.setMeter(new MeteredQueue(meter, queue, () -> nowMillis));
        Line line = new Line(name, schedulable, queue);
        line.funds = new Funds(
                Credits.parse(budget).nanos(), SpendingRate.parse(rate).nanos(), 0);
        lines.put(name, line);
        return this;
    }

    /** Hands in a job; it begins when the queue's earlier ones have ended. */
    public Job submit(String queue, long tasks, long taskMillis) {
        return submit(queue, tasks, () -> taskMillis, 1);
    }

    /**
     * The same with tasks of any size.
     *
     * @param taskMillis called for each task when it starts
     * @param slots of each task
     */
    public Job submit(String queue, long tasks, LongSupplier taskMillis, long slots) {
        return submit(new Job(queue, tasks, taskMillis, slots, false));
    }

    /** The same with an ApplicationMaster, which holds a container of the tasks' size until the last task has ended. */
    public Job submitWithMaster(String queue, long tasks, LongSupplier taskMillis) {
        return submit(new Job(queue, tasks, taskMillis, 1, true));
    }

    private Job submit(Job job) {
        Line line = line(job.queue);
        line.waiting.add(job);
        beginNext(line);
        return job;
    }

    /** Does something at a time to come. */
    public Simulator at(long millis, Runnable action) {
        at(millis, Rank.ACTION, action);
        return this;
    }

    public void setSpending(String queue, String rate) {
        Line line = line(queue);
        line.funds =
                new Funds(line.funds.balanceNanos(), SpendingRate.parse(rate).nanos(), line.funds.remainder());
    }

    /** Sets a queue's balance, whatever it was. */
    public void setBudget(String queue, String budget) {
        Line line = line(queue);
        line.funds = new Funds(Credits.parse(budget).nanos(), line.funds.rateNanos(), line.funds.remainder());
    }

    /** Calls somebody with every epoch that ends, after its bills have been paid. */
    public Simulator observe(Consumer<ClosedEpoch> observer) {
        observers.add(observer);
        return this;
    }

    public long nowMillis() {
        return nowMillis;
    }

    /** Boundaries passed. */
    public long epoch() {
        return epoch;
    }

    public Credits balance(String queue) {
        return new Credits(line(queue).funds.balanceNanos());
    }

    /** Containers that a queue holds now. */
    public long running(String queue) {
        return line(queue).schedulable.running();
    }

    /** Slots that a queue holds now. */
    public long held(String queue) {
        return line(queue).schedulable.usage(0);
    }

    public EpochMeter meter() {
        return meter;
    }

    public List<Job> finished(String queue) {
        return List.copyOf(line(queue).finished);
    }

    private Line line(String queue) {
        Line line = lines.get(queue);
        if (line == null) {
            throw new IllegalArgumentException("no queue " + queue + " here; there are " + lines.keySet());
        }
        return line;
    }

    /** The first epoch begins now, and nothing was scheduled before it. Runs for a time. */
    public Simulator run(long untilMillis) {
        if (epoch == 0) {
            turn();
        }
        while (!events.isEmpty() && events.peek().atMillis <= untilMillis) {
            step();
        }
        nowMillis = Math.max(nowMillis, untilMillis);
        return this;
    }

    /** Runs until every job has ended. */
    public Simulator runToEnd(long mostMillis) {
        if (epoch == 0) {
            turn();
        }
        while (!events.isEmpty() && isBusy() && events.peek().atMillis <= mostMillis) {
            step();
        }
        return this;
    }

    private boolean isBusy() {
        return lines.values().stream().anyMatch(line -> line.current != null);
    }

    /** Everything that happens at one instant, and then the free slots are given out. */
    private void step() {
        nowMillis = events.element().atMillis;
        while (!events.isEmpty() && events.element().atMillis == nowMillis) {
            events.remove().what.run();
        }
        if (nodes.heartbeatMillis() == 0) {
            offer(0);
        }
    }

    private void turn() {
        settleEpoch();
        at(nowMillis + terms.intervalMillis(), Rank.EPOCH_END, this::turn);
        if (epoch == 1) {
            if (nodes.heartbeatMillis() == 0) {
                offer(0);
            }
            tick();
        }
    }

    /** As the ResourceManager does between two epochs, about once a second. */
    private void tick() {
        updateDemand();
        updatePlaces();
        at(nowMillis + Math.min(LONGEST_PAUSE_MILLIS, terms.intervalMillis()), Rank.ACTION, this::tick);
    }

    private void updatePlaces() {
        if (steers) {
            lines.values().forEach(line -> weights.updatePlace(line.schedulable));
        }
    }

    private void heartbeat(int node) {
        ended.get(node).forEach(Runnable::run);
        ended.get(node).clear();
        offer(node);
        at(nowMillis + nodes.heartbeatMillis(), Rank.HEARTBEAT, () -> heartbeat(node));
    }

    private void updateDemand() {
        meter.advance(nowMillis);
        for (Line line : lines.values()) {
            line.queue.setDemand(line.schedulable.running(), line.schedulable.pending());
        }
        meter.demandsAreSet();
    }

    private void settleEpoch() {
        updateDemand();
        epoch++;
        ClosedEpoch closed = meter.rollOver(nowMillis, name -> line(name).funds, true);
        for (ClosedEpoch.Line bill : closed.bills()) {
            Line line = line(bill.queue());
            line.funds =
                    new Funds(line.funds.balanceNanos() - bill.chargeNanos(), line.funds.rateNanos(), bill.remainder());
        }
        if (steers) {
            lines.values().forEach(line -> weights.update(line.schedulable, line.queue, withinQueue));
            updatePlaces();
        }
        observers.forEach(observer -> observer.accept(closed));
    }

    private void beginNext(Line line) {
        Job next = line.current == null ? line.waiting.poll() : null;
        if (next == null) {
            return;
        }
        line.current = next;
        next.startMillis = nowMillis;
        Schedulable schedulable =
                engine.addApplication(line.schedulable, line.name + "#" + eventNumber++, new double[] {1}, 0);
        jobs.put(schedulable, next);
        engine.setAsk(schedulable, next.size, next.tasks + (next.withMaster ? 1 : 0));
    }

    /** Gives out the free slots of a node; a node that is held for a large ask waits until it fits. */
    private void offer(int node) {
        Schedulable waiting = heldFor.get(node);
        if (waiting != null) {
            if (free.get(node)[0] < sizeOf(waiting)) {
                backfill(node, sizeOf(waiting));
                return;
            }
            heldFor.remove(node);
            Schedulable next = engine.nextWithUnlimitedRoom();
            if (next == null || sizeOf(next) < sizeOf(waiting)) {
                ContainerSize size = engine.asks(waiting).get(0);
                start(waiting, node);
                free.get(node)[0] -= size.need(0);
                engine.grant(waiting, size);
            }
        }
        if (nodes.heartbeatMillis() > 0) {
            due.refresh(nowMillis);
        }
        engine.offer(
                free.get(node), Integer.MAX_VALUE, nowMillis, (application, gate) -> place(application, gate, node));
        if (nodes.heartbeatMillis() > 0 && heldFor.size() < Math.max(1, nodes.count() / 20)) {
            consider(node);
        }
    }

    private void hold(int node, Schedulable application) {
        if (heldFor.putIfAbsent(node, application) == null) {
            before.put(node, new HashSet<>(running.get(node)));
        }
    }

    /** As {@code Backfill}: what ends before a held node has the room that it is held for may use it until then. */
    private void backfill(int node, long need) {
        backfillMillis = waitMillis(node, need);
        if (backfillMillis > 0) {
            engine.offerKept(free.get(node), Integer.MAX_VALUE, (application, gate) -> place(application, gate, node));
        }
        backfillMillis = -1;
    }

    /** As {@code RoomForecast}. */
    private long waitMillis(int node, long need) {
        long room = free.get(node)[0];
        List<long[]> waits = new ArrayList<>();
        for (Running task : running.get(node)) {
            if (before.getOrDefault(node, Set.of()).contains(task)) {
                waits.add(new long[] {remainingMillis(task), task.slots});
            } else {
                room += task.slots;
            }
        }
        waits.sort(Comparator.comparingLong(wait -> wait[0]));
        for (int i = 0; i < waits.size() && room < need; i++) {
            room += waits.get(i)[1];
            if (room >= need) {
                return waits.get(i)[0];
            }
        }
        return 0;
    }

    private long remainingMillis(Running task) {
        long lifetime = task.line.lifetimes.ofRunningMillis();
        long age = nowMillis - task.sinceMillis;
        return lifetime == 0 ? 2 * age : Math.max(Math.abs(lifetime - age), lifetime / 10);
    }

    /** As {@code NodeReservations} does. */
    private void consider(int node) {
        Schedulable next = engine.nextWithUnlimitedRoom();
        if (next != null
                && !heldFor.containsValue(next)
                && sizeOf(next) > 1
                && engine.asks(next).get(0).isPassedOver(nowMillis, RESERVATION_MILLIS)) {
            hold(node, next);
        }
    }

    private long sizeOf(Schedulable application) {
        return engine.asks(application).get(0).need(0);
    }

    /** Whether the room of the node is left to one who is due, as {@code DueRoom} does. */
    private boolean isLeft(Schedulable application, ContainerSize size, int node) {
        return due.isAhead(application, size.need(), free.get(node), (one, wanted) -> wanted.need(0) <= nodes.slots());
    }

    private @Nullable ContainerSize place(Schedulable application, Placer.Gate gate, int node) {
        if (backfillMillis >= 0 && !livesNoLongerThan(application, backfillMillis)) {
            return null;
        }
        for (ContainerSize size : engine.asks(application)) {
            if (jobs.containsKey(application)
                    && gate.admits(size)
                    && (backfillMillis >= 0 || !isLeft(application, size, node))) {
                start(application, node);
                return size;
            }
        }
        return null;
    }

    private void start(Schedulable application, int node) {
        Job job = Objects.requireNonNull(jobs.get(application));
        if (job.withMaster && job.masterNode < 0) {
            job.masterNode = node;
            return;
        }
        long ends = nowMillis + nodes.launchMillis() + job.taskMillis.getAsLong();
        Running task = new Running(line(job.queue), job.size[0], nowMillis);
        running.get(node).add(task);
        Runnable end = () -> taskEnded(application, job, node, task);
        at(ends, Rank.TASK_END, nodes.reported() ? () -> ended.get(node).add(end) : end);
    }

    private boolean livesNoLongerThan(Schedulable application, long millis) {
        Job job = Objects.requireNonNull(jobs.get(application));
        long lifetime = line(job.queue).lifetimes.ofRunningMillis();
        return lifetime > 0 && lifetime <= millis && (!job.withMaster || job.masterNode >= 0);
    }

    private void taskEnded(Schedulable application, Job job, int node, Running task) {
        running.get(node).remove(task);
        task.line.lifetimes.add(nowMillis - task.sinceMillis);
        engine.release(application, job.size);
        free.get(node)[0] += job.size[0];
        job.ended++;
        if (job.ended == job.tasks) {
            job.endMillis = nowMillis;
            if (job.withMaster) {
                engine.release(application, job.size);
                free.get(job.masterNode)[0] += job.size[0];
            }
            engine.remove(application);
            jobs.remove(application);
            Line line = line(job.queue);
            line.current = null;
            line.finished.add(job);
            beginNext(line);
        }
    }
}
