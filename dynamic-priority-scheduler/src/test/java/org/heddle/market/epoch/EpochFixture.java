// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import java.util.Map;
import java.util.TreeMap;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.terms.MarketTerms;

/**
 * An epoch meter with funds and a manual clock; it has one resource with one unit for each slot, unless a test sets
 * vectors.
 */
final class EpochFixture {
    final EpochMeter meter;
    final Map<String, Funds> purses = new TreeMap<>();
    long now;

    EpochFixture(MarketTerms terms, long slots) {
        this(terms, new long[] {1}, slots);
    }

    EpochFixture(MarketTerms terms, long[] slot, long... capacity) {
        meter = new EpochMeter(terms, slot, 0);
        meter.setCapacity(0, capacity);
    }

    EpochFixture queue(String name, String rate, String budget) {
        purses.put(
                name,
                new Funds(
                        Credits.parse(budget).nanos(), SpendingRate.parse(rate).nanos(), 0));
        meter.queue(name, now);
        return this;
    }

    EpochFixture rate(String name, String rate) {
        Funds has = purse(name);
        purses.put(name, new Funds(has.balanceNanos(), SpendingRate.parse(rate).nanos(), has.remainder()));
        return this;
    }

    EpochFixture pay(String name, String amount) {
        Funds has = purse(name);
        purses.put(
                name, new Funds(has.balanceNanos() + Credits.parse(amount).nanos(), has.rateNanos(), has.remainder()));
        return this;
    }

    /** Holds so much from now on, and waits for this many containers. */
    EpochFixture uses(String name, long pending, long... usage) {
        QueueMeter queue = meter.queue(name, now);
        meter.setUsage(queue, now, usage);
        queue.setDemand(usage[0] > 0 ? 1 : 0, pending);
        return this;
    }

    EpochFixture after(long millis) {
        now += millis;
        return this;
    }

    ClosedEpoch turn() {
        ClosedEpoch closed = meter.rollOver(now, name -> purses.getOrDefault(name, Funds.NONE), true);
        for (ClosedEpoch.Line bill : closed.bills()) {
            Funds has = purse(bill.queue());
            purses.put(
                    bill.queue(),
                    new Funds(has.balanceNanos() - bill.chargeNanos(), has.rateNanos(), bill.remainder()));
        }
        return closed;
    }

    private Funds purse(String name) {
        return purses.getOrDefault(name, Funds.NONE);
    }

    String balance(String name) {
        return new Credits(purse(name).balanceNanos()).toString();
    }

    /** Slots that a queue is entitled to. */
    String entitled(String name) {
        return new org.heddle.market.model.amount.Slots(meter.queue(name, now).entitledNanos()).toString();
    }

    static String charged(ClosedEpoch closed, String queue) {
        return closed.bills().stream()
                .filter(line -> line.queue().equals(queue))
                .map(line -> new Credits(line.chargeNanos()).toString())
                .findFirst()
                .orElse("0");
    }
}
