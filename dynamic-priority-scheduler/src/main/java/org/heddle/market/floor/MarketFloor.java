// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.floor;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.heddle.market.model.ChargePolicy;
import org.heddle.market.model.MarketTerms;
import org.heddle.market.model.Metering;
import org.heddle.market.model.QueueState;
import org.heddle.market.policy.Bid;
import org.heddle.market.policy.Bill;
import org.heddle.market.policy.Division;
import org.heddle.market.policy.Entitlements;
import org.heddle.market.policy.SlotScale;
import org.heddle.market.policy.SlotTime;
import org.heddle.market.policy.WideMath;
import org.jspecify.annotations.Nullable;

/**
 * The market while an epoch runs, and the step from one to the next. The same object serves the ResourceManager and the
 * simulator. Guarded by the scheduler's lock; times are of a monotonic clock, in milliseconds.
 *
 * <p>Previous-interval rule: at the boundary rates, balances and demand are frozen; both shares and charges of the epoch
 * that begins follow from them. What an entitlement is in slots follows the cluster when nodes come and go.
 */
public final class MarketFloor {
    private final MarketTerms terms;
    private final long[] standardSlot;
    private final TreeMap<String, FloorQueue> queues = new TreeMap<>();
    private final SlotTime capacityTime = new SlotTime();
    private List<FloorQueue> divided = List.of();
    private Division division = Division.EMPTY;
    private SlotScale scale = SlotScale.EMPTY;
    private long startMillis;
    private long meteredMillis;

    /**
     * @param standardSlot what one slot is, per resource; 0 for a resource that does not count
     * @param nowMillis the first epoch, without price, begins now
     */
    public MarketFloor(MarketTerms terms, long[] standardSlot, long nowMillis) {
        this.terms = terms;
        this.standardSlot = standardSlot.clone();
        this.startMillis = nowMillis;
        this.meteredMillis = nowMillis;
    }

    public MarketTerms terms() {
        return terms;
    }

    /** The queue of this name; made when first asked for. */
    public FloorQueue queue(String name, long nowMillis) {
        return queues.computeIfAbsent(name, absent -> new FloorQueue(absent, nowMillis));
    }

    public @Nullable FloorQueue find(String name) {
        return queues.get(name);
    }

    public Collection<FloorQueue> queues() {
        return Collections.unmodifiableCollection(queues.values());
    }

    /** Forgets a queue; what it has used in this epoch is not charged. */
    public void close(String name) {
        queues.remove(name);
    }

    /** What a queue holds has changed. */
    public void used(FloorQueue queue, long nowMillis, long[] usage) {
        queue.used(nowMillis, usage, scale);
    }

    /** The cluster has changed. */
    public void capacity(long nowMillis, long[] capacity) {
        advanceCapacity(nowMillis);
        scale = new SlotScale(capacity, standardSlot);
        for (FloorQueue queue : queues.values()) {
            queue.rescaled(nowMillis, scale, entitled(queue));
        }
    }

    /** Nano-slots of the cluster. */
    public long capacity() {
        return scale.slots();
    }

    public Division division() {
        return division;
    }

    public long startMillis() {
        return startMillis;
    }

    private long entitled(FloorQueue queue) {
        return queue.weight == 0 ? 0 : WideMath.mulDiv(queue.weight, scale.slots(), division.whole());
    }

    private void advanceCapacity(long nowMillis) {
        if (nowMillis > meteredMillis) {
            capacityTime.add(scale.slots(), nowMillis - meteredMillis);
            meteredMillis = nowMillis;
        }
    }

    /**
     * Begins an epoch like the one before; what was used in that one is charged to nobody.
     */
    public void repeat(long nowMillis) {
        advanceCapacity(nowMillis);
        capacityTime.clear();
        startMillis = nowMillis;
        for (FloorQueue queue : queues.values()) {
            queue.advance(nowMillis);
            queue.begin();
        }
    }

    /**
     * Ends the epoch and begins the next.
     *
     * @param funds what the books say of a queue, bills of earlier epochs included
     * @param billed whether the bills will be written; if not, nothing is taken from balances
     */
    public ClosedEpoch turn(long nowMillis, Function<String, Funds> funds, boolean billed) {
        ClosedEpoch closed = end(nowMillis, funds);
        TreeMap<String, Long> charges = new TreeMap<>();
        if (billed) {
            closed.bills().forEach(line -> charges.put(line.queue(), line.chargeNanos()));
        }
        begin(nowMillis, queue -> {
            Funds before = funds.apply(queue);
            return new Funds(
                    before.balanceNanos() - charges.getOrDefault(queue, 0L), before.rateNanos(), before.remainder());
        });
        return closed;
    }

    private ClosedEpoch end(long nowMillis, Function<String, Funds> funds) {
        advanceCapacity(nowMillis);
        long millis = Math.max(0, nowMillis - startMillis);
        SlotTime usedTime = new SlotTime();
        SlotTime withinTime = new SlotTime();
        for (FloorQueue queue : queues.values()) {
            queue.advance(nowMillis);
            if (terms.metering() == Metering.SAMPLE) {
                queue.sample(millis);
            }
            queue.meanUsed = mean(queue.usedTime(), millis);
            usedTime.add(queue.usedTime());
            withinTime.add(queue.withinTime());
        }
        long[] repaid = Carry.settle(queues.values(), terms);
        List<ClosedEpoch.Line> bills = new ArrayList<>();
        int i = 0;
        for (FloorQueue queue : queues.values()) {
            long late = repaid[i++];
            if (queue.state == QueueState.PAYING
                    && (late > 0 || !queue.usedTime().isZero())) {
                bills.add(bill(queue, late, withinTime, funds.apply(queue.name())));
            }
        }
        return new ClosedEpoch(
                millis, division.price(), mean(capacityTime, millis), mean(usedTime, millis), division.paying(), bills);
    }

    /** A queue that was idle at the boundary is entitled to nothing: all that it uses is excess. */
    private boolean paysFor(FloorQueue queue) {
        return queue.state == QueueState.PAYING
                || (queue.state == QueueState.IDLE && terms.charge() != ChargePolicy.NONE);
    }

    private static long mean(SlotTime time, long millis) {
        if (millis == 0) {
            return 0;
        }
        return time.fits()
                ? time.nanoSlotMillis() / millis
                : time.exact().divide(BigInteger.valueOf(millis)).longValue();
    }

    private ClosedEpoch.Line bill(FloorQueue queue, long late, SlotTime allWithin, Funds funds) {
        SlotTime charged = charged(queue, late, allWithin);
        Bill bill = Bill.of(queue.rateNanos, charged, terms.rateUnitMillis(), funds.remainder());
        long charge = Math.min(bill.nanos(), funds.balanceNanos());
        return new ClosedEpoch.Line(
                queue.name(),
                queue.rateNanos,
                charged.slotMillis(),
                charge,
                bill.nanos() - charge,
                bill.remainder(),
                funds.balanceNanos() - charge);
    }

    private SlotTime charged(FloorQueue queue, long late, SlotTime allWithin) {
        if (terms.charge() == ChargePolicy.ALL) {
            return queue.usedTime();
        }
        SlotTime charged = new SlotTime();
        charged.add(queue.withinTime());
        charged.add(late, 1);
        if (terms.charge() == ChargePolicy.MARKET && !capacityTime.isZero()) {
            BigInteger excess =
                    queue.usedTime().exact().subtract(charged.exact()).max(BigInteger.ZERO);
            BigInteger priced =
                    excess.multiply(allWithin.exact().min(capacityTime.exact())).divide(capacityTime.exact());
            charged.add(priced.min(BigInteger.valueOf(Long.MAX_VALUE)).longValue(), 1);
        }
        return charged;
    }

    private void begin(long nowMillis, Function<String, Funds> funds) {
        startMillis = nowMillis;
        capacityTime.clear();
        divided = new ArrayList<>(queues.values());
        List<Bid> bids = new ArrayList<>(divided.size());
        for (FloorQueue queue : divided) {
            Funds has = funds.apply(queue.name());
            queue.rateNanos = has.rateNanos();
            bids.add(bid(queue, has));
        }
        division = Entitlements.divide(bids, scale.slots(), terms);
        for (int i = 0; i < divided.size(); i++) {
            FloorQueue queue = divided.get(i);
            queue.begin();
            queue.state = division.state()[i];
            queue.weight = division.weight()[i];
            queue.entitled(entitled(queue));
        }
    }

    /** Tasks may end at the boundary itself, so that what is used now says little of the interval to come. */
    private static Bid bid(FloorQueue queue, Funds has) {
        long used = Math.max(queue.usedNanos(), queue.meanUsed);
        return new Bid(queue.name(), has.rateNanos(), has.balanceNanos(), queue.wants(), used);
    }

    /**
     * The weight by which a queue is to be served: what it is entitled to and what it is owed, over one interval. In credits
     * of its rate, or in slots, but the same for all queues; 0 for a queue that does not pay or owes more than it is
     * entitled to.
     */
    public double weight(FloorQueue queue) {
        if (queue.weight == 0) {
            return 0;
        }
        if (queue.carry == 0) {
            return queue.weight / 1e9;
        }
        double owed = (double) queue.carry / terms.intervalMillis();
        double scaled = scale.slots() == 0 ? 0 : owed * division.whole() / scale.slots();
        return Math.max(0, (queue.weight + scaled) / 1e9);
    }

    /** Whether somebody has come since the boundary who would pay. */
    public boolean hasNewcomer(Function<String, Funds> funds) {
        for (FloorQueue queue : queues.values()) {
            if (queue.state != QueueState.PAYING && alone(queue, funds) == QueueState.PAYING) {
                return true;
            }
        }
        return false;
    }

    /** A copy for pages, metered up to now. */
    public FloorView view(long nowMillis, Function<String, Funds> funds) {
        List<FloorView.Line> lines = new ArrayList<>(queues.size());
        int i = 0;
        for (FloorQueue queue : queues.values()) {
            queue.advance(nowMillis);
            while (i < divided.size() && divided.get(i).name().compareTo(queue.name()) < 0) {
                i++;
            }
            int index = i < divided.size() && divided.get(i) == queue ? i : -1;
            lines.add(new FloorView.Line(
                    queue.name(),
                    index,
                    stateNow(queue, funds),
                    queue.rateNanos,
                    queue.entitledNanos(),
                    queue.usedNanos(),
                    queue.running(),
                    queue.pending(),
                    accrued(queue)));
        }
        return new FloorView(division, scale.slots(), startMillis, nowMillis, lines);
    }

    private QueueState stateNow(FloorQueue queue, Function<String, Funds> funds) {
        if (queue.state == QueueState.PAYING) {
            return QueueState.PAYING;
        }
        QueueState alone = alone(queue, funds);
        return alone == QueueState.PAYING ? QueueState.NEWCOMER : alone;
    }

    /** How a queue would stand if an epoch began now, as far as that depends on itself. */
    private QueueState alone(FloorQueue queue, Function<String, Funds> funds) {
        Bid bid = bid(queue, funds.apply(queue.name()));
        return Entitlements.divide(List.of(bid), scale.slots(), terms).state()[0];
    }

    /** What the epoch has cost a queue so far, without what is settled at its end only. */
    private long accrued(FloorQueue queue) {
        if (!paysFor(queue)) {
            return 0;
        }
        SlotTime time = terms.charge() == ChargePolicy.ALL ? queue.usedTime() : queue.withinTime();
        return Bill.of(queue.rateNanos, time, terms.rateUnitMillis(), 0).nanos();
    }
}
