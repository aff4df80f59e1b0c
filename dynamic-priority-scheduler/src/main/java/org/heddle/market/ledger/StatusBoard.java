// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.heddle.market.floor.FloorView;
import org.heddle.market.floor.Funds;
import org.heddle.market.model.Credits;
import org.heddle.market.model.MarketStatus;
import org.heddle.market.model.MarketTerms;
import org.heddle.market.model.QueueState;
import org.heddle.market.model.QueueStatus;
import org.heddle.market.model.Share;
import org.heddle.market.model.Slots;
import org.heddle.market.model.SpendingRate;
import org.heddle.market.model.StoreState;
import org.heddle.market.policy.WholeSlots;
import org.jspecify.annotations.Nullable;

/** Puts together what the books and the floor say, for those who ask. */
record StatusBoard(MarketStatus base, List<QueueStatus> queues) {

    static StatusBoard of(
            MarketTerms terms,
            Book book,
            FloorView view,
            long viewWallMillis,
            long nowMillis,
            StoreState state,
            String problem) {
        Map<String, FloorView.Line> lines = new TreeMap<>();
        List<String> divided = new ArrayList<>();
        long used = 0;
        for (FloorView.Line line : view.lines()) {
            lines.put(line.queue(), line);
            used += line.used();
            if (line.index() >= 0) {
                divided.add(line.queue());
            }
        }
        Map<String, Long> whole = wholeSlots(view, divided);
        List<QueueStatus> queues = new ArrayList<>();
        book.queues()
                .forEach((name, funds) ->
                        queues.add(queue(terms, name, funds, lines.get(name), view, whole.getOrDefault(name, 0L))));
        Instant start = Instant.ofEpochMilli(viewWallMillis - (view.nowMillis() - view.startMillis()));
        MarketStatus base = new MarketStatus(
                terms,
                book.epoch() + 1,
                start,
                start.plusMillis(terms.intervalMillis()),
                Instant.ofEpochMilli(nowMillis),
                view.division().priceRate(),
                new Slots(view.capacity()),
                new Slots(used),
                new Credits(book.moneySupply()),
                new Credits(book.revenue() + book.waiver()),
                book.queues().size(),
                state,
                problem,
                0);
        return new StatusBoard(base, queues);
    }

    /** A queue may have gone since the boundary: then the view does not show all that was divided. */
    private static Map<String, Long> wholeSlots(FloorView view, List<String> divided) {
        Map<String, Long> whole = new TreeMap<>();
        if (divided.size() == view.division().weight().length) {
            long[] slots = WholeSlots.of(divided, view.division(), view.capacity());
            for (int i = 0; i < slots.length; i++) {
                whole.put(divided.get(i), slots[i]);
            }
        }
        return whole;
    }

    private static QueueStatus queue(
            MarketTerms terms, String name, Funds funds, FloorView.@Nullable Line line, FloorView view, long whole) {
        if (line == null) {
            return new QueueStatus(
                    name,
                    new Credits(funds.balanceNanos()),
                    new SpendingRate(funds.rateNanos()),
                    SpendingRate.ZERO,
                    Share.NONE,
                    Slots.ZERO,
                    0,
                    Slots.ZERO,
                    0,
                    0,
                    funds.rateNanos() == 0 ? QueueState.NO_RATE : QueueState.IDLE,
                    Credits.ZERO,
                    Optional.empty());
        }
        boolean pays = line.state() == QueueState.PAYING;
        return new QueueStatus(
                name,
                new Credits(funds.balanceNanos()),
                new SpendingRate(funds.rateNanos()),
                new SpendingRate(pays ? line.rateNanos() : 0),
                line.index() >= 0 && line.index() < view.division().weight().length
                        ? view.division().share(line.index())
                        : Share.NONE,
                new Slots(line.entitled()),
                whole,
                new Slots(line.used()),
                line.running(),
                line.pending(),
                line.state(),
                new Credits(Math.min(line.accrued(), funds.balanceNanos())),
                runway(terms, funds, line));
    }

    private static Optional<Duration> runway(MarketTerms terms, Funds funds, FloorView.Line line) {
        double perMilli = (double) funds.rateNanos() * line.used() / Slots.NANOS / terms.rateUnitMillis();
        double millis = perMilli == 0 ? Double.POSITIVE_INFINITY : funds.balanceNanos() / perMilli;
        return millis < Duration.ofDays(36_500).toMillis()
                ? Optional.of(Duration.ofMillis((long) millis))
                : Optional.empty();
    }

    MarketStatus status(long unbilledEpochs) {
        return new MarketStatus(
                base.terms(),
                base.epoch(),
                base.epochStart(),
                base.nextEpoch(),
                base.now(),
                base.price(),
                base.capacity(),
                base.used(),
                base.moneySupply(),
                base.revenue(),
                base.queues(),
                base.store(),
                base.storeProblem(),
                unbilledEpochs);
    }
}
