// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import java.util.List;
import java.util.function.Function;
import org.heddle.market.model.status.QueueState;
import org.heddle.market.model.terms.ChargePolicy;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.policy.Bid;
import org.heddle.market.policy.Bill;
import org.heddle.market.policy.Division;
import org.heddle.market.policy.Entitlements;
import org.heddle.market.policy.SlotTime;

/**
 * What was copied of the running epoch under the scheduler's lock: raw figures, so that it is quick. What follows from
 * them is worked out by {@link #view}, by whoever wants to look.
 */
public final class EpochSnapshot {
    private final MarketTerms terms;
    private final Division division;
    private final long capacity;
    private final long startMillis;
    private final long nowMillis;
    private final List<Line> lines;

    EpochSnapshot(
            MarketTerms terms, Division division, long capacity, long startMillis, long nowMillis, List<Line> lines) {
        this.terms = terms;
        this.division = division;
        this.capacity = capacity;
        this.startMillis = startMillis;
        this.nowMillis = nowMillis;
        this.lines = lines;
    }

    /** One queue; {@code mostUsed} and {@code charged} are what bids and bills are made of. */
    record Line(
            String queue,
            int index,
            QueueState state,
            long rateNanos,
            long entitled,
            long used,
            long mostUsed,
            long running,
            long pending,
            SlotTime charged) {}

    /** The whole picture; needs no lock. */
    public EpochReport view(Function<String, Funds> funds) {
        List<EpochReport.Line> shown = lines.stream()
                .map(line -> new EpochReport.Line(
                        line.queue(),
                        line.index(),
                        stateNow(line, funds),
                        line.rateNanos(),
                        line.entitled(),
                        line.used(),
                        line.running(),
                        line.pending(),
                        accrued(line)))
                .toList();
        return new EpochReport(division, capacity, startMillis, nowMillis, shown);
    }

    private QueueState stateNow(Line line, Function<String, Funds> funds) {
        if (line.state() == QueueState.PAYING) {
            return QueueState.PAYING;
        }
        Funds has = funds.apply(line.queue());
        boolean wants = line.running() > 0 || line.pending() > 0;
        Bid bid = new Bid(line.queue(), has.rateNanos(), has.balanceNanos(), wants, line.mostUsed());
        QueueState alone = Entitlements.alone(bid, capacity, terms);
        return alone == QueueState.PAYING ? QueueState.NEWCOMER : alone;
    }

    /** What the epoch has cost a queue so far, without what is settled at its end only. */
    private long accrued(Line line) {
        return paysFor(line)
                ? Bill.of(line.rateNanos(), line.charged(), terms.rateUnitMillis(), 0)
                        .nanos()
                : 0;
    }

    /** A queue that was idle at the boundary is entitled to nothing: all that it uses is excess. */
    private boolean paysFor(Line line) {
        return line.state() == QueueState.PAYING
                || (line.state() == QueueState.IDLE && terms.charge() != ChargePolicy.NONE);
    }
}
