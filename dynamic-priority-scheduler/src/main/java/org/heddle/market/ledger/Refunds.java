// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.heddle.market.ledger.LedgerWriter.Draft;
import org.heddle.market.ledger.book.LedgerChange;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.ledger.query.LedgerHistory;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.change.LostAttempt;
import org.heddle.market.model.change.LostAttempt.Due;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.MarketRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives back what containers cost that the cluster ended. The transaction of the epoch in which they ended notes them;
 * when it is stored, the refund of an application is the transaction that removes the notes. So each is paid once,
 * whenever the process ends. Thread-safe.
 */
final class Refunds {
    private static final Logger LOG = LoggerFactory.getLogger(Refunds.class);

    private final LedgerWriter writer;
    private final LedgerHistory history;
    private final LongSupplier wallMillis;
    private final ConcurrentLinkedQueue<LostAttempt> lost = new ConcurrentLinkedQueue<>();
    private volatile long firstEpoch = 1;

    Refunds(LedgerWriter writer, LedgerHistory history, LongSupplier wallMillis) {
        this.writer = writer;
        this.history = history;
        this.wallMillis = wallMillis;
    }

    /** This process takes the lead. */
    void begin() {
        firstEpoch = writer.read(LedgerState::epoch) + 1;
    }

    /** A container that ended in the epoch that ends now. Takes no lock. */
    void add(LostAttempt attempt) {
        lost.add(attempt);
    }

    /** The notes for the transaction of an epoch. */
    List<LedgerChange> noted(LedgerState ahead) {
        List<LedgerChange> notes = new ArrayList<>();
        for (LostAttempt next = lost.poll(); next != null; next = lost.poll()) {
            if (ahead.find(next.queue()) != null) {
                notes.add(new LedgerChange.RecordPut(new Due(next, firstEpoch, ahead.epoch() + 1).record()));
            }
        }
        return notes;
    }

    /** Pays all that is noted; the epochs that charged it are in the history. Does not wait for the store. */
    void pay() {
        List<MarketRecord> records = writer.read(
                ledger -> List.copyOf(ledger.records(LostAttempt.KIND).values()));
        Map<String, List<Due>> byApplication = new TreeMap<>();
        for (MarketRecord record : records) {
            try {
                Due due = Due.parse(record);
                String key = due.attempt().queue() + '\n' + due.attempt().application() + '\n' + due.last();
                byApplication.computeIfAbsent(key, each -> new ArrayList<>()).add(due);
            } catch (IllegalArgumentException e) {
                LOG.error("A refund is not paid: {}", e.getMessage());
            }
        }
        for (List<Due> due : byApplication.values()) {
            long nanos = history.cost(due);
            writer.post((ahead, state, waiting) -> transaction(ahead, due, nanos));
        }
    }

    private @Nullable Transaction transaction(LedgerState ahead, List<Due> due, long nanos) {
        List<LedgerChange> removals = new ArrayList<>();
        int preempted = 0;
        for (Due each : due) {
            String container = each.attempt().container();
            if (!ahead.records(LostAttempt.KIND).containsKey(container)) {
                return null; // paid, and not yet stored
            }
            removals.add(new LedgerChange.RecordPut(new MarketRecord(LostAttempt.KIND, container, "")));
            preempted += each.attempt().preempted() ? 1 : 0;
        }
        LostAttempt first = due.get(0).attempt();
        String text = first.application() + ": " + words(due.size() - preempted, preempted);
        Draft draft = new Draft(Transaction.Kind.RECORD, text, List.of(), List.of(), 0);
        if (nanos > 0 && ahead.find(first.queue()) != null) {
            try {
                draft = LedgerOperations.refund(first.queue(), new Credits(nanos), text)
                        .draft(ahead);
            } catch (MarketException e) {
                LOG.error("The refund for {} is not paid: {}", text, e.getMessage());
            }
        }
        return new Transaction(
                ahead.sequence() + 1,
                wallMillis.getAsLong(),
                draft.kind(),
                draft.text(),
                draft.postings(),
                removals,
                null,
                null);
    }

    private static String words(int lost, int preempted) {
        List<String> words = new ArrayList<>();
        if (lost > 0) {
            words.add(lost + (lost == 1 ? " container" : " containers") + " lost");
        }
        if (preempted > 0) {
            words.add(preempted + (preempted == 1 ? " container" : " containers") + " preempted");
        }
        return String.join(", ", words);
    }
}
