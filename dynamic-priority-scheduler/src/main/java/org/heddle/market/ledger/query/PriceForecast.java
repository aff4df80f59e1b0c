// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.query;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.Share;
import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.status.ForecastPoint;
import org.heddle.market.model.status.PricePoint;
import org.heddle.market.model.status.Quote;
import org.heddle.market.model.status.QuoteRequest;
import org.heddle.market.model.terms.ChargePolicy;
import org.heddle.market.model.terms.MarketTerms;

/**
 * Price forecasts and quotes from the price history, with the one assumption that the price will move as it moved
 * before. Pure.
 *
 * <p>The forecast of a price is the present price plus a change that was observed over the same time in the past. A
 * quote takes the past prices of the other queues and computes the queue's share with its own rate.
 */
public final class PriceForecast {
    private static final Duration HORIZON = Duration.ofDays(365);

    private PriceForecast() {}

    public static List<ForecastPoint> forecast(
            List<PricePoint> history, long priceNow, Instant next, Duration horizon, int points, long intervalMillis) {
        List<ForecastPoint> forecast = new ArrayList<>();
        for (int i = 0; i < points; i++) {
            long ahead = horizon.toMillis() * (i + 1L) / points;
            int lag = (int) Math.min(Integer.MAX_VALUE, Math.max(1, ahead / intervalMillis));
            long[] changes = changes(history, lag);
            forecast.add(new ForecastPoint(
                    next.plusMillis(ahead),
                    price(priceNow, quantile(changes, 0.1)),
                    price(priceNow, quantile(changes, 0.5)),
                    price(priceNow, quantile(changes, 0.9))));
        }
        return forecast;
    }

    /** The changes of the price over a number of epochs; over as many as there are, if there are fewer. */
    private static long[] changes(List<PricePoint> history, int lag) {
        int step = Math.min(lag, Math.max(1, history.size() / 2));
        long[] changes = new long[Math.max(0, history.size() - step)];
        for (int i = 0; i < changes.length; i++) {
            changes[i] = history.get(i + step).price().nanos()
                    - history.get(i).price().nanos();
        }
        Arrays.sort(changes);
        return changes;
    }

    private static SpendingRate price(long now, long change) {
        return new SpendingRate(Math.max(0, now + change));
    }

    private static long quantile(long[] sorted, double part) {
        return sorted.length == 0 ? 0 : sorted[(int) Math.round(part * (sorted.length - 1))];
    }

    /**
     * A quote.
     *
     * @param others sum of the rates of the other queues that pay now
     * @param ownNow the queue's own rate, which is part of the past prices
     * @param capacity nano-slots
     */
    public static Quote quote(
            QuoteRequest request,
            MarketTerms terms,
            List<PricePoint> history,
            long others,
            long ownNow,
            long capacity,
            Credits balance) {
        long rate = request.rate().nanos();
        long[] past = new long[history.size()];
        double used = 0;
        for (int i = 0; i < past.length; i++) {
            PricePoint point = history.get(i);
            past[i] = Math.max(0, point.price().nanos() - ownNow);
            used += point.capacity().nanos() == 0
                    ? 0
                    : point.used().toDouble() / point.capacity().toDouble() / past.length;
        }
        Arrays.sort(past);
        long low = past.length == 0 ? others : Math.min(others, quantile(past, 0.05));
        long high = past.length == 0 ? others : Math.max(others, quantile(past, 0.95));
        Credits whole = cost(rate, request.slotMillis(), terms.rateUnitMillis());
        // Under the other policies, part of the work may run as excess for less.
        double idle = terms.charge() == ChargePolicy.ALL ? 0 : Math.max(0, Math.min(1, 1 - used));
        return new Quote(
                rate == 0 ? Share.NONE : new Share(rate, Math.addExact(others, rate)),
                whole,
                new Credits(Math.round(whole.nanos() * (1 - idle))),
                whole,
                duration(request, rate, others, capacity),
                duration(request, rate, low, capacity),
                duration(request, rate, high, capacity),
                balance.compareTo(whole) >= 0,
                history.size());
    }

    private static Credits cost(long rate, long slotMillis, long unitMillis) {
        BigInteger nanos = BigInteger.valueOf(rate)
                .multiply(BigInteger.valueOf(slotMillis))
                .divide(BigInteger.valueOf(unitMillis));
        return new Credits(nanos.min(BigInteger.valueOf(Long.MAX_VALUE)).longValue());
    }

    private static Optional<Duration> duration(QuoteRequest request, long rate, long others, long capacity) {
        if (rate == 0 || capacity == 0) {
            return Optional.empty();
        }
        double slots = (double) rate / ((double) others + rate) * capacity / Slots.NANOS;
        if (request.mostSlots().nanos() > 0) {
            slots = Math.min(slots, request.mostSlots().toDouble());
        }
        double millis = request.slotMillis() / slots;
        return millis <= HORIZON.toMillis()
                ? Optional.of(Duration.ofMillis((long) Math.ceil(millis)))
                : Optional.empty();
    }
}
