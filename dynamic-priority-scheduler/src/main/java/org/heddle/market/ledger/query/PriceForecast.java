// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.query;

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
import org.heddle.market.quote.JobEstimate;
import org.heddle.market.quote.JobForecast;
import org.heddle.market.quote.MarketConditions;
import org.heddle.market.quote.PriceSample;

/**
 * Price forecasts and quotes from the price history, with the one assumption that the price will move as it moved
 * before. Pure.
 *
 * <p>The forecast of a price is the present price plus a change that was observed over the same time in the past. A
 * quote takes the past prices of the other queues and computes the queue's share with its own rate.
 */
public final class PriceForecast {
    private static final double NANOS = 1e9;
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
     * @param highest the highest rate that the market takes
     */
    public static Quote quote(
            QuoteRequest request,
            MarketTerms terms,
            List<PricePoint> history,
            long others,
            long ownNow,
            long capacity,
            Credits balance,
            SpendingRate highest) {
        List<PriceSample> past = new ArrayList<>(history.size());
        for (PricePoint point : history) {
            double own = Math.min(ownNow, point.price().nanos());
            past.add(new PriceSample(
                    Math.max(1, point.millis()),
                    (point.price().nanos() - own) / NANOS,
                    point.capacity().toDouble(),
                    Math.max(0, point.capacity().toDouble() - point.used().toDouble())));
        }
        double slots = capacity / (double) Slots.NANOS;
        MarketConditions conditions = new MarketConditions(
                new PriceSample(terms.intervalMillis(), others / NANOS, slots, idle(past)),
                past,
                terms.rateUnitMillis(),
                terms.intervalMillis(),
                terms.charge() == ChargePolicy.NONE);
        double most = request.mostSlots().toDouble();
        long rate = request.rate().nanos();
        JobEstimate estimate = JobForecast.at(rate / NANOS, request.stages(), most, conditions);
        Credits bad = credits(estimate.cost().most());
        return new Quote(
                rate == 0 ? Share.NONE : new Share(rate, Math.addExact(others, rate)),
                credits(estimate.cost().middle()),
                credits(estimate.cost().least()),
                bad,
                duration(estimate.millis().middle()),
                duration(estimate.millis().least()),
                duration(estimate.millis().most()),
                balance.compareTo(bad) >= 0,
                needed(request, conditions, highest),
                history.size());
    }

    /** Nobody can rely on slots that are idle only at times. */
    private static double idle(List<PriceSample> past) {
        return past.stream().mapToDouble(PriceSample::idle).min().orElse(0);
    }

    private static Optional<SpendingRate> needed(
            QuoteRequest request, MarketConditions conditions, SpendingRate highest) {
        if (request.withinMillis() == 0) {
            return Optional.empty();
        }
        double rate = JobForecast.rateFor(
                (double) request.withinMillis(),
                request.stages(),
                request.mostSlots().toDouble(),
                conditions,
                highest.nanos() / NANOS);
        if (Double.isInfinite(rate)) {
            return Optional.empty();
        }
        return Optional.of(new SpendingRate((long) Math.ceil(rate * NANOS)));
    }

    /** To a millionth: a forecast has no exact nano-credits. */
    private static Credits credits(double amount) {
        return new Credits((long) Math.min(Long.MAX_VALUE, Math.round(amount * 1e6) * 1e3));
    }

    private static Optional<Duration> duration(double millis) {
        if (millis <= HORIZON.toMillis()) {
            return Optional.of(Duration.ofMillis((long) Math.ceil(millis)));
        }
        return Optional.empty();
    }
}
