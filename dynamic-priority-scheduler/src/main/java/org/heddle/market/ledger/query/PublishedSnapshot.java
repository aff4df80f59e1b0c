// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.query;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.heddle.market.epoch.EpochReport;
import org.heddle.market.epoch.EpochSnapshot;
import org.heddle.market.epoch.Funds;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.Share;
import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.status.MarketStatus;
import org.heddle.market.model.status.QueueState;
import org.heddle.market.model.status.QueueStatus;
import org.heddle.market.model.status.StoreState;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.policy.WholeSlots;
import org.jspecify.annotations.Nullable;

/**
 * How the floor stood when it was last looked at, for those who ask; with what the books say, it answers them. Worked out
 * when the first asks, in that one's thread. Thread-safe.
 */
public final class PublishedSnapshot {
    private final @Nullable EpochSnapshot cut;
    private final long wallMillis;

    @GuardedBy("this")
    private boolean workedOut;

    private EpochReport view = EpochReport.EMPTY;
    private Map<String, EpochReport.Line> lines = Map.of();
    private Map<String, Long> whole = Map.of();
    private long used;

    /** @param wallMillis when it was looked at */
    public PublishedSnapshot(@Nullable EpochSnapshot cut, long wallMillis) {
        this.cut = cut;
        this.wallMillis = wallMillis;
    }

    public static PublishedSnapshot nothing(long wallMillis) {
        return new PublishedSnapshot(null, wallMillis);
    }

    /** To be called before anything else; whoever comes second waits for the first. */
    public synchronized void workOut(Function<EpochSnapshot, EpochReport> drawing) {
        if (workedOut || cut == null) {
            return;
        }
        view = drawing.apply(cut);
        Map<String, EpochReport.Line> byName = new HashMap<>();
        List<String> divided = new ArrayList<>();
        for (EpochReport.Line line : view.lines()) {
            byName.put(line.queue(), line);
            used += line.used();
            if (line.index() >= 0) {
                divided.add(line.queue());
            }
        }
        lines = byName;
        whole = wholeSlots(view, divided);
        workedOut = true;
    }

    public MarketStatus status(
            MarketTerms terms,
            LedgerState book,
            long nowMillis,
            StoreState state,
            String problem,
            long unbilledEpochs) {
        Instant start = Instant.ofEpochMilli(wallMillis - (view.nowMillis() - view.startMillis()));
        return new MarketStatus(
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
                book.queueCount(),
                state,
                problem,
                unbilledEpochs);
    }

    /** A queue may have gone since the boundary: then the view does not show all that was divided. */
    private static Map<String, Long> wholeSlots(EpochReport view, List<String> divided) {
        Map<String, Long> whole = new HashMap<>();
        if (divided.size() == view.division().weight().length) {
            long[] slots = WholeSlots.of(divided, view.division(), view.capacity());
            for (int i = 0; i < slots.length; i++) {
                whole.put(divided.get(i), slots[i]);
            }
        }
        return whole;
    }

    public QueueStatus queue(MarketTerms terms, String name, Funds funds) {
        EpochReport.Line line = lines.get(name);
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
                whole.getOrDefault(name, 0L),
                new Slots(line.used()),
                line.running(),
                line.pending(),
                line.state(),
                new Credits(Math.min(line.accrued(), funds.balanceNanos())),
                runway(terms, funds, line));
    }

    private static Optional<Duration> runway(MarketTerms terms, Funds funds, EpochReport.Line line) {
        double perMilli = (double) funds.rateNanos() * line.used() / Slots.NANOS / terms.rateUnitMillis();
        double millis = perMilli == 0 ? Double.POSITIVE_INFINITY : funds.balanceNanos() / perMilli;
        return millis < Duration.ofDays(36_500).toMillis()
                ? Optional.of(Duration.ofMillis((long) millis))
                : Optional.empty();
    }
}
