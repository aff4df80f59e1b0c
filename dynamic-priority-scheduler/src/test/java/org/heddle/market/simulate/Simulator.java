// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.simulate;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.epoch.EpochMeter;
import org.heddle.market.epoch.Funds;
import org.heddle.market.epoch.MarketOrder;
import org.heddle.market.epoch.QueueMeter;
import org.heddle.market.epoch.WeightUpdater;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.Placer;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.policy.DrfOrder;
import org.heddle.scheduler.policy.FifoOrder;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of equal slots under a virtual clock. {@link EpochMeter} and {@link ShareEngine} are the ones that run in the
 * ResourceManager; here tasks take one slot for a given time and nothing fails. A queue works off its jobs one after
 * another. Deterministic; not thread-safe.
 */
public final class Simulator {
    private static final long[] ONE_SLOT = {1};

    private final MarketTerms terms;
    private final ShareEngine engine;
    private final EpochMeter meter;
    private final WeightUpdater weights;
    private final FifoOrder withinQueue = new FifoOrder();
    /** Whether the market sets the engine's weights. */
    private final boolean steers;

    private final long[] free;
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
        this(terms, slots, true);
    }

    /** The same cluster without a market, to compare with: rates are weights under the DRF scheduler's own order. */
    public static Simulator withoutMarket(MarketTerms terms, long slots) {
        return new Simulator(terms, slots, false);
    }

    private Simulator(MarketTerms terms, long slots, boolean steers) {
        this.terms = terms;
        this.steers = steers;
        this.engine = new ShareEngine(1, steers ? new MarketOrder() : new DrfOrder(), () -> true);
        this.meter = new EpochMeter(terms, ONE_SLOT, 0);
        this.weights = new WeightUpdater(engine, meter);
        this.free = new long[] {slots};
        engine.setCapacity(new long[] {slots}, 1);
        meter.setCapacity(0, new long[] {slots});
    }

    /** A queue with its jobs and its money. */
    private static final class Line {
        final String name;
        final Schedulable schedulable;
        final QueueMeter queue;
        final Deque<Job> waiting = new ArrayDeque<>();
        final List<Job> finished = new ArrayList<>();
        Funds funds = Funds.NONE;

        @Nullable
        Job current;

        Line(String name, Schedulable schedulable, QueueMeter queue) {
            this.name = name;
            this.schedulable = schedulable;
            this.queue = queue;
        }
    }

    /** So many tasks of one slot and equal length. */
    public static final class Job {
        private final String queue;
        private final long tasks;
        private final long taskMillis;
        private long ended;
        private long startMillis = -1;
        private long endMillis = -1;

        private Job(String queue, long tasks, long taskMillis) {
            this.queue = queue;
            this.tasks = tasks;
            this.taskMillis = taskMillis;
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

    private record Event(long atMillis, Rank rank, long number, Runnable what) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(atMillis, other.atMillis);
            int byRank = byTime != 0 ? byTime : rank.compareTo(other.rank);
            return byRank != 0 ? byRank : Long.compare(number, other.number);
        }
    }

    /** What happens at one instant happens in this order: tasks end, money moves, the epoch turns. */
    private enum Rank {
        TASK_END,
        ACTION,
        EPOCH_END
    }

    private void at(long millis, Rank rank, Runnable what) {
        events.add(new Event(millis, rank, eventNumber++, what));
    }

    public Simulator queue(String name, String rate, String budget) {
        double weight = steers ? 0 : SpendingRate.parse(rate).nanos();
        Schedulable schedulable = engine.addGroup(engine.root(), name, withinQueue, new double[] {weight});
        QueueMeter queue = meter.queue(name, nowMillis);
        schedulable.setMeter(usage -> meter.setUsage(queue, nowMillis, usage));
        Line line = new Line(name, schedulable, queue);
        line.funds = new Funds(
                Credits.parse(budget).nanos(), SpendingRate.parse(rate).nanos(), 0);
        lines.put(name, line);
        return this;
    }

    /** Hands in a job; it begins when the queue's earlier ones have ended. */
    public Job submit(String queue, long tasks, long taskMillis) {
        Job job = new Job(queue, tasks, taskMillis);
        Line line = line(queue);
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
        if (terms.earlyEpoch() && nowMillis - meter.startMillis() >= terms.minIntervalMillis() && meterHasNewcomer()) {
            settleEpoch();
        }
        offer();
    }

    private boolean meterHasNewcomer() {
        updateDemand();
        return meter.hasNewcomer(name -> line(name).funds);
    }

    private void turn() {
        settleEpoch();
        at(nowMillis + terms.intervalMillis(), Rank.EPOCH_END, this::turn);
        if (epoch == 1) {
            offer();
        }
    }

    private void updateDemand() {
        for (Line line : lines.values()) {
            line.queue.setDemand(line.schedulable.running(), line.schedulable.pending());
        }
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
        engine.setAsk(schedulable, ONE_SLOT, next.tasks);
    }

    private void offer() {
        engine.offer(free, Integer.MAX_VALUE, nowMillis, this::place);
    }

    private @Nullable ContainerSize place(Schedulable application, Placer.Gate gate) {
        Job job = jobs.get(application);
        for (ContainerSize size : engine.asks(application)) {
            if (job != null && gate.admits(size)) {
                at(nowMillis + job.taskMillis, Rank.TASK_END, () -> taskEnded(application, job));
                return size;
            }
        }
        return null;
    }

    private void taskEnded(Schedulable application, Job job) {
        engine.release(application, ONE_SLOT);
        free[0]++;
        job.ended++;
        if (job.ended == job.tasks) {
            job.endMillis = nowMillis;
            engine.remove(application);
            jobs.remove(application);
            Line line = line(job.queue);
            line.current = null;
            line.finished.add(job);
            beginNext(line);
        }
    }
}
