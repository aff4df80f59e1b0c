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
 * The last published snapshot of the running epoch, which answers readers together with the ledger. The first reader
 * computes the derived values. Thread-safe.
 */
public final class PublishedSnapshot {
    private final @Nullable EpochSnapshot snapshot;
    private final long wallMillis;

    @GuardedBy("this")
    private boolean computed;

    private EpochReport report = EpochReport.EMPTY;
    private Map<String, EpochReport.Line> lines = Map.of();
    private Map<String, Long> whole = Map.of();
    private long used;

    /** @param wallMillis time of the snapshot */
    public PublishedSnapshot(@Nullable EpochSnapshot snapshot, long wallMillis) {
        this.snapshot = snapshot;
        this.wallMillis = wallMillis;
    }

    public static PublishedSnapshot nothing(long wallMillis) {
        return new PublishedSnapshot(null, wallMillis);
    }

    /** Computes the derived values, once; must be called before the other methods. */
    public synchronized void compute(Function<EpochSnapshot, EpochReport> reporter) {
        if (computed || snapshot == null) {
            return;
        }
        report = reporter.apply(snapshot);
        Map<String, EpochReport.Line> byName = new HashMap<>();
        List<String> divided = new ArrayList<>();
        for (EpochReport.Line line : report.lines()) {
            byName.put(line.queue(), line);
            used += line.used();
            if (line.index() >= 0) {
                divided.add(line.queue());
            }
        }
        lines = byName;
        whole = wholeSlots(report, divided);
        computed = true;
    }

    public MarketStatus status(
            MarketTerms terms,
            LedgerState ledger,
            long nowMillis,
            StoreState state,
            String problem,
            String unmeasured,
            long unbilledEpochs) {
        Instant start = Instant.ofEpochMilli(wallMillis - (report.nowMillis() - report.startMillis()));
        return new MarketStatus(
                terms,
                ledger.epoch() + 1,
                start,
                start.plusMillis(terms.intervalMillis()),
                Instant.ofEpochMilli(nowMillis),
                report.division().priceRate(),
                new Slots(report.capacity()),
                new Slots(used),
                new Credits(ledger.moneySupply()),
                new Credits(ledger.revenue() + ledger.waiver()),
                ledger.queueCount(),
                state,
                problem,
                unmeasured,
                unbilledEpochs,
                report.waste());
    }

    /** If a queue was removed during the epoch, the report does not have all parts of the division. */
    private static Map<String, Long> wholeSlots(EpochReport report, List<String> divided) {
        Map<String, Long> whole = new HashMap<>();
        if (divided.size() == report.division().weight().length) {
            long[] slots = WholeSlots.of(divided, report.division(), report.capacity());
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
        boolean isKnown = line.index() >= 0 && line.index() < report.division().weight().length;
        return new QueueStatus(
                name,
                new Credits(funds.balanceNanos()),
                new SpendingRate(funds.rateNanos()),
                new SpendingRate(pays ? line.rateNanos() : 0),
                isKnown ? report.division().share(line.index()) : Share.NONE,
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
        if (millis < Duration.ofDays(36_500).toMillis()) {
            return Optional.of(Duration.ofMillis((long) millis));
        }
        return Optional.empty();
    }
}
