// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import java.util.List;
import java.util.function.Function;
import org.heddle.market.model.status.PreemptionWaste;
import org.heddle.market.model.status.QueueState;
import org.heddle.market.model.terms.ChargePolicy;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.policy.Bid;
import org.heddle.market.policy.Bill;
import org.heddle.market.policy.Division;
import org.heddle.market.policy.Entitlements;
import org.heddle.market.policy.SlotTime;

/**
 * A copy of the running epoch, taken under the scheduler's lock: raw values only, so that copying is fast. {@link
 * #report} computes the rest without the lock.
 */
public record EpochSnapshot(
        MarketTerms terms,
        Division division,
        long capacity,
        long startMillis,
        long nowMillis,
        List<Line> lines,
        PreemptionWaste waste) {
    /** One queue; bids use {@code mostUsed}, bills use {@code charged}. */
    public record Line(
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

    /** Computes the report; needs no lock. */
    public EpochReport report(Function<String, Funds> funds) {
        List<EpochReport.Line> reported = lines.stream()
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
        return new EpochReport(division, capacity, startMillis, nowMillis, reported, waste);
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

    /** The cost of the epoch for a queue so far, without the parts that are known only at its end. */
    private long accrued(Line line) {
        if (paysFor(line)) {
            return Bill.of(line.rateNanos(), line.charged(), terms.rateUnitMillis(), 0)
                    .nanos();
        }
        return 0;
    }

    /** A queue that was idle when the epoch began is entitled to nothing: all its use is excess. */
    private boolean paysFor(Line line) {
        return line.state() == QueueState.PAYING
                || (line.state() == QueueState.IDLE && terms.charge() != ChargePolicy.NONE);
    }
}
