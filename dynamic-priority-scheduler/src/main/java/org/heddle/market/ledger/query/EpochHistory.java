// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.query;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.market.ledger.book.EpochRecord;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.status.BalancePoint;
import org.heddle.market.model.status.PricePoint;

/**
 * Recent prices and balances, in bounded memory: a number of epochs, and a number of balances for each queue. If a
 * queue has too many balances, every other old one is dropped. Thread-safe.
 */
public final class EpochHistory {
    private static final int EPOCHS = 20_000;
    private static final int BALANCES = 1_000;

    private final Deque<PricePoint> prices = new ArrayDeque<>();
    private final Map<String, List<BalancePoint>> balances = new HashMap<>();

    public synchronized void add(EpochRecord epoch) {
        prices.addLast(new PricePoint(
                epoch.number(),
                1,
                Instant.ofEpochMilli(epoch.startMillis()),
                epoch.closed().millis(),
                new SpendingRate(epoch.closed().price()),
                new Slots(epoch.closed().capacity()),
                new Slots(epoch.closed().used()),
                new Credits(epoch.revenue()),
                epoch.closed().paying()));
        if (prices.size() > EPOCHS) {
            prices.removeFirst();
        }
        Instant end = Instant.ofEpochMilli(epoch.startMillis() + epoch.closed().millis());
        epoch.bills().forEach(bill -> balance(bill.queue(), end, bill.balanceNanos()));
    }

    public synchronized void balance(String queue, Instant at, long nanos) {
        List<BalancePoint> points = balances.computeIfAbsent(queue, name -> new ArrayList<>());
        points.add(new BalancePoint(at, new Credits(nanos)));
        if (points.size() > BALANCES) {
            balances.put(queue, new ArrayList<>(everyOther(points, BALANCES / 2)));
        }
    }

    public synchronized void forget(String queue) {
        balances.remove(queue);
    }

    private static List<BalancePoint> everyOther(List<BalancePoint> points, int old) {
        List<BalancePoint> kept = new ArrayList<>();
        for (int i = 0; i < points.size(); i++) {
            if (i >= old || i % 2 == 0) {
                kept.add(points.get(i));
            }
        }
        return kept;
    }

    /** The end of the last epoch; {@code Instant.MAX} if none is known. */
    public synchronized Instant until() {
        if (prices.isEmpty()) {
            return Instant.MAX;
        }
        return prices.getLast().start().plusMillis(prices.getLast().millis());
    }

    public synchronized List<PricePoint> prices(Instant from, Instant to, int most) {
        List<PricePoint> within = new ArrayList<>();
        for (PricePoint point : prices) {
            if (!point.start().isBefore(from) && point.start().isBefore(to)) {
                within.add(point);
            }
        }
        int together = Math.max(1, -Math.floorDiv(-within.size(), Math.max(1, most)));
        if (together == 1) {
            return within;
        }
        List<PricePoint> merged = new ArrayList<>();
        for (int i = 0; i < within.size(); i += together) {
            merged.add(merge(within.subList(i, Math.min(within.size(), i + together))));
        }
        return merged;
    }

    private static PricePoint merge(List<PricePoint> points) {
        double price = 0;
        double capacity = 0;
        double used = 0;
        long millis = 0;
        long revenue = 0;
        int paying = 0;
        for (PricePoint point : points) {
            double weight = Math.max(1, point.millis());
            millis += point.millis();
            price += point.price().nanos() * weight;
            capacity += point.capacity().nanos() * weight;
            used += point.used().nanos() * weight;
            revenue += point.revenue().nanos();
            paying = Math.max(paying, point.payingQueues());
        }
        double all = points.stream()
                .mapToDouble(point -> Math.max(1, point.millis()))
                .sum();
        PricePoint first = points.get(0);
        return new PricePoint(
                first.firstEpoch(),
                points.stream().mapToInt(PricePoint::epochs).sum(),
                first.start(),
                millis,
                new SpendingRate(Math.round(price / all)),
                new Slots(Math.round(capacity / all)),
                new Slots(Math.round(used / all)),
                new Credits(revenue),
                paying);
    }

    public synchronized List<BalancePoint> balances(String queue, Instant from, Instant to, int most) {
        List<BalancePoint> within = new ArrayList<>();
        for (BalancePoint point : balances.getOrDefault(queue, List.of())) {
            if (!point.at().isBefore(from) && point.at().isBefore(to)) {
                within.add(point);
            }
        }
        int step = Math.max(1, -Math.floorDiv(-within.size(), Math.max(1, most)));
        if (step == 1) {
            return within;
        }
        List<BalancePoint> thinned = new ArrayList<>();
        for (int i = step - 1; i < within.size(); i += step) {
            thinned.add(within.get(i));
        }
        return thinned;
    }
}
