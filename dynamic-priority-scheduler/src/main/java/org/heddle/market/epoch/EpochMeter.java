// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.heddle.market.model.status.PreemptionLimit;
import org.heddle.market.model.status.PreemptionWaste;
import org.heddle.market.model.status.QueueState;
import org.heddle.market.model.terms.ChargePolicy;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.policy.Bid;
import org.heddle.market.policy.Bill;
import org.heddle.market.policy.Division;
import org.heddle.market.policy.Entitlements;
import org.heddle.market.policy.SlotScale;
import org.heddle.market.policy.SlotTime;
import org.heddle.market.policy.WideMath;
import org.jspecify.annotations.Nullable;

/**
 * Measures the running epoch and computes the next one. The ResourceManager and the simulator of the tests use the same
 * class. Guarded by the scheduler's lock; all times are milliseconds of a monotonic clock.
 *
 * <p>Previous-interval rule: rates, balances and demand are read when an epoch begins. The shares and the charges of
 * that epoch follow from these values. The number of slots of a share changes when nodes are added or removed.
 */
public final class EpochMeter {
    /** Lags are brought up to date about once a second. */
    private static final double SHORTEST_HORIZON_MILLIS = 1_000;
    /** Limit of the applications in the record of one epoch, in all queues together. */
    private static final int MOST_APPLICATIONS = 1_000;

    private final MarketTerms terms;
    private final long[] standardSlot;
    private final TreeMap<String, QueueMeter> queues = new TreeMap<>();
    /** The queues as a list: an epoch change reads all of them several times. */
    private @Nullable List<QueueMeter> ordered;

    private final SlotTime capacityTime = new SlotTime();
    private final VirtualTime virtualTime;
    /**
     * The longest of the queues' mean lifetimes of containers; 0 if nothing is known. A queue of which nothing is known
     * yet is judged by it: if its containers were taken for short ones, many small queues would get their first long
     * container too early at the same time, and a large queue would lose the sum.
     */
    private double longestLifetimeMillis;

    private final SlotTime allUsed = new SlotTime();
    private final SlotTime preemptedTime = new SlotTime();
    private long preempted;
    private PreemptionLimit preemptionLimit = PreemptionLimit.NONE;

    private Division division = Division.EMPTY;
    private SlotScale scale = SlotScale.EMPTY;
    private long startMillis;
    private long meteredMillis;

    /**
     * @param standardSlot the size of one slot, per resource; 0 for a resource that does not count
     * @param nowMillis start of the first epoch, which has no price
     */
    public EpochMeter(MarketTerms terms, long[] standardSlot, long nowMillis) {
        this.terms = terms;
        this.standardSlot = standardSlot.clone();
        this.startMillis = nowMillis;
        this.meteredMillis = nowMillis;
        this.virtualTime = new VirtualTime(nowMillis);
    }

    public MarketTerms terms() {
        return terms;
    }

    /** The meter of a queue; created at the first call. */
    public QueueMeter queue(String name, long nowMillis) {
        QueueMeter present = queues.get(name);
        if (present == null) {
            virtualTime.advance(nowMillis);
            present = new QueueMeter(name, virtualTime);
            queues.put(name, present);
            ordered = null;
        }
        return present;
    }

    public @Nullable QueueMeter find(String name) {
        return queues.get(name);
    }

    /** Removes a queue; its use in this epoch is not charged. */
    public void remove(String name) {
        queues.remove(name);
        ordered = null;
        sumCompetitors();
    }

    private List<QueueMeter> all() {
        List<QueueMeter> known = ordered;
        if (known == null) {
            known = new ArrayList<>(queues.values());
            ordered = known;
        }
        return known;
    }

    /** Sets the resources that a queue holds now. */
    public void setUsage(QueueMeter queue, long nowMillis, long[] usage) {
        virtualTime.advance(nowMillis);
        queue.setUsage(nowMillis, usage, scale);
    }

    /**
     * A container was preempted: what it had used is lost.
     *
     * @param usage what it held, per resource
     * @param heldMillis since it was allocated
     */
    public void preempted(long[] usage, long heldMillis) {
        preempted++;
        preemptedTime.add(scale.used(usage), Math.max(0, heldMillis));
    }

    /** Sets how much work preemption may still lose; the meter only reports it. */
    public void setPreemptionLimit(PreemptionLimit limit) {
        preemptionLimit = limit;
    }

    /** What preemption cost so far. */
    public PreemptionWaste waste() {
        return new PreemptionWaste(preempted, preemptedTime.slotMillis(), allUsed.slotMillis(), preemptionLimit);
    }

    /** Nano-slots of resources. */
    public long slots(long[] usage) {
        return scale.used(usage);
    }

    /** The present relation of resources and slots. */
    SlotScale scale() {
        return scale;
    }

    /** Sets the resources of the cluster. */
    public void setCapacity(long nowMillis, long[] capacity) {
        advanceCapacity(nowMillis);
        scale = new SlotScale(capacity, standardSlot);
        virtualTime.advance(nowMillis);
        for (QueueMeter queue : all()) {
            queue.rescaled(nowMillis, scale);
            entitle(queue);
        }
    }

    /** Brings lags up to now; call it before demands are set, and {@link #demandsAreSet} after that. */
    public void advance(long nowMillis) {
        virtualTime.advance(nowMillis);
        longestLifetimeMillis = 0;
        for (QueueMeter queue : all()) {
            queue.lag().beforeChange();
            double lives = queue.lifetime().lives(queue.usedNanos());
            if (lives > 0) {
                longestLifetimeMillis =
                        Math.max(longestLifetimeMillis, queue.lifetime().used() / lives);
            }
        }
    }

    /** The demands of all queues are set: what a queue took before others asked displaced nobody. */
    public void demandsAreSet() {
        double speed = virtualTime.speed();
        for (QueueMeter queue : all()) {
            queue.lag().afterChange(speed);
        }
    }

    private void entitle(QueueMeter queue) {
        long nanos = entitled(queue);
        queue.setEntitled(nanos, queue.limit(terms, nanos, longestLifetimeMillis));
    }

    private void sumCompetitors() {
        virtualTime.clearSums();
        for (QueueMeter queue : all()) {
            queue.lag().joinAgain();
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

    private long entitled(QueueMeter queue) {
        return queue.weight == 0 ? 0 : WideMath.mulDiv(queue.weight, scale.slots(), division.whole());
    }

    private void advanceCapacity(long nowMillis) {
        if (nowMillis > meteredMillis) {
            capacityTime.add(scale.slots(), nowMillis - meteredMillis);
            meteredMillis = nowMillis;
        }
    }

    /**
     * Ends the epoch and begins the next one.
     *
     * @param funds a queue's funds in the ledger, after the bills of earlier epochs
     * @param divides whether queues that pay have shares in the next one; if not, nobody pays there
     */
    public ClosedEpoch rollOver(long nowMillis, Function<String, Funds> funds, boolean divides) {
        ClosedEpoch closed = end(nowMillis, funds);
        begin(nowMillis, divides);
        return closed;
    }

    private ClosedEpoch end(long nowMillis, Function<String, Funds> funds) {
        advanceCapacity(nowMillis);
        virtualTime.advance(nowMillis);
        long millis = Math.max(0, nowMillis - startMillis);
        SlotTime usedTime = new SlotTime();
        SlotTime dueTime = new SlotTime();
        for (QueueMeter queue : all()) {
            queue.advance(nowMillis);
            queue.applications().advance(nowMillis);
            queue.meanUsed = mean(queue.usedTime(), millis);
            usedTime.add(queue.usedTime());
            dueTime.add(queue.dueTime());
        }
        allUsed.add(usedTime);
        List<ClosedEpoch.Line> bills = new ArrayList<>(queues.size());
        for (QueueMeter queue : all()) {
            queue.funds = funds.apply(queue.name());
            queue.chargedNanos = 0;
            if (queue.state == QueueState.PAYING && !queue.usedTime().isZero()) {
                ClosedEpoch.Line bill = bill(queue, dueTime, queue.funds);
                queue.chargedNanos = bill.chargeNanos();
                bills.add(bill);
            }
            queue.carryOwed(queue.limit(terms, queue.entitledNanos(), longestLifetimeMillis));
        }
        return new ClosedEpoch(
                millis,
                division.price(),
                mean(capacityTime, millis),
                mean(usedTime, millis),
                division.paying(),
                ApplicationLimit.apply(bills, MOST_APPLICATIONS));
    }

    private static long mean(SlotTime time, long millis) {
        if (millis == 0) {
            return 0;
        }
        if (time.fits()) {
            return time.nanoSlotMillis() / millis;
        }
        return time.exact().divide(BigInteger.valueOf(millis)).longValue();
    }

    private ClosedEpoch.Line bill(QueueMeter queue, SlotTime allDue, Funds funds) {
        SlotTime charged = charged(queue, allDue);
        Bill bill = Bill.of(queue.rateNanos, charged, terms.rateUnitMillis(), funds.remainder());
        long charge = Math.min(bill.nanos(), funds.balanceNanos());
        return new ClosedEpoch.Line(
                queue.name(),
                queue.rateNanos,
                charged.slotMillis(),
                charge,
                bill.nanos() - charge,
                bill.remainder(),
                funds.balanceNanos() - charge,
                queue.applications().divide(charge));
    }

    private SlotTime charged(QueueMeter queue, SlotTime allDue) {
        if (terms.charge() == ChargePolicy.ALL) {
            return queue.usedTime();
        }
        SlotTime charged = queue.dueTime();
        if (terms.charge() == ChargePolicy.MARKET && !capacityTime.isZero()) {
            charged.add(priced(queue.usedTime(), charged, allDue), 1);
        }
        return charged;
    }

    /** Use beyond the charged slot-time, times the part of the cluster that queues pay their own rate for. */
    private long priced(SlotTime used, SlotTime charged, SlotTime allDue) {
        if (used.fits() && charged.fits() && capacityTime.fits()) {
            long excess = Math.max(0, used.nanoSlotMillis() - charged.nanoSlotMillis());
            long whole = capacityTime.nanoSlotMillis();
            return WideMath.share(excess, Math.min(allDue.nanoSlotMillis(), whole), whole);
        }
        BigInteger excess = used.exact().subtract(charged.exact()).max(BigInteger.ZERO);
        BigInteger priced =
                excess.multiply(allDue.exact().min(capacityTime.exact())).divide(capacityTime.exact());
        return priced.min(BigInteger.valueOf(Long.MAX_VALUE)).longValue();
    }

    private void begin(long nowMillis, boolean divides) {
        startMillis = nowMillis;
        capacityTime.clear();
        all().forEach(queue -> queue.lag().beforeChange());
        List<QueueMeter> divided = all();
        List<Bid> bids = new ArrayList<>(divided.size());
        for (QueueMeter queue : all()) {
            Funds before = divides ? queue.funds : Funds.NONE;
            long balance = divides ? before.balanceNanos() - queue.chargedNanos : 0;
            queue.rateNanos = before.rateNanos();
            bids.add(bid(queue, before.rateNanos(), balance));
        }
        division = Entitlements.divide(bids, scale.slots(), terms);
        for (int i = 0; i < divided.size(); i++) {
            QueueMeter queue = divided.get(i);
            queue.begin();
            queue.index = i;
            queue.state = division.state()[i];
            queue.weight = division.weight()[i];
            entitle(queue);
        }
        sumCompetitors();
        demandsAreSet();
    }

    /** Tasks may end exactly when an epoch ends, so current use alone is a poor estimate for the next epoch. */
    private static Bid bid(QueueMeter queue, long rateNanos, long balanceNanos) {
        long used = Math.max(queue.usedNanos(), queue.meanUsed);
        return new Bid(queue.name(), rateNanos, balanceNanos, queue.wants(), used);
    }

    /**
     * A queue's weight for the scheduler: its entitlement in credits of the rate, or in slots; 0 if it does not pay.
     */
    public double weight(QueueMeter queue) {
        return queue.weight / 1e9;
    }

    /**
     * Nano-slots that a queue should hold now: its entitlement plus its lag, divided by the time over which lags are
     * repaid. This is a lifetime of its containers ({@link ContainerLifetime}). 0 or less if its debt is too large.
     */
    double target(QueueMeter queue) {
        double horizon = Math.max(SHORTEST_HORIZON_MILLIS, queue.lifetimeMillis(longestLifetimeMillis));
        return queue.lag().share() + queue.lag().now() / horizon;
    }

    /** Virtual milliseconds until a queue has no debt; 0 if it has none. */
    double debtMillis(QueueMeter queue) {
        double share = queue.lag().share();
        return share > 0 ? Math.max(0, -queue.lag().now()) / share : 0;
    }

    /** A copy of all values that pages need, measured up to now; derived values are computed later by the reader. */
    public EpochSnapshot snapshot(long nowMillis) {
        List<EpochSnapshot.Line> lines = new ArrayList<>(queues.size());
        for (QueueMeter queue : all()) {
            queue.advance(nowMillis);
            SlotTime charged = terms.charge() == ChargePolicy.ALL ? queue.usedTime() : queue.dueTime();
            lines.add(new EpochSnapshot.Line(
                    queue.name(),
                    queue.index,
                    queue.state,
                    queue.rateNanos,
                    queue.entitledNanos(),
                    queue.usedNanos(),
                    Math.max(queue.usedNanos(), queue.meanUsed),
                    queue.running(),
                    queue.pending(),
                    charged.copy()));
        }
        return new EpochSnapshot(terms, division, scale.slots(), startMillis, nowMillis, lines, waste());
    }
}
