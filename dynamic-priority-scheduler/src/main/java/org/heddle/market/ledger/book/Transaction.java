// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.book;

import java.util.List;
import org.heddle.market.model.change.AuditEntry;
import org.jspecify.annotations.Nullable;

/**
 * What is written at once or not at all: an epoch, an income, or a change that somebody asked for.
 *
 * @param sequence 1, 2, 3, ... without gaps
 * @param atMillis wall clock
 * @param kind what it is for
 * @param text in words, for statements
 * @param postings add up to 0; those of an epoch follow from its bills and are not listed
 * @param changes everything else
 * @param epoch the epoch that it closes, for {@code EPOCH}
 * @param audit its entry in the audit, for all but {@code EPOCH} and {@code INCOME}
 */
public record Transaction(
        long sequence,
        long atMillis,
        Kind kind,
        String text,
        List<Posting> postings,
        List<LedgerChange> changes,
        @Nullable EpochRecord epoch,
        @Nullable AuditEntry audit) {
    public Transaction {
        postings = List.copyOf(postings);
        changes = List.copyOf(changes);
    }

    /** What a transaction is for; the order is part of the formats, so that new kinds go to the end. */
    public enum Kind {
        EPOCH,
        INCOME,
        DEPOSIT,
        WITHDRAWAL,
        TRANSFER,
        OPENING,
        CLOSING,
        RATE,
        SCHEDULE,
        RECORD
    }
}
