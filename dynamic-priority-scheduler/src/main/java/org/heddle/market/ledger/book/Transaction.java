// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.book;

import java.util.List;
import org.heddle.market.model.change.AuditEntry;
import org.jspecify.annotations.Nullable;

/**
 * A unit that is written completely or not at all: an epoch, an income, or a requested change.
 *
 * @param sequence 1, 2, 3, ... without gaps
 * @param atMillis wall clock
 * @param kind its purpose
 * @param text for statements
 * @param postings add up to 0; those of an epoch follow from its bills and are not listed
 * @param changes all other changes
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

    /** The purpose of a transaction. The order is part of the file formats, so new kinds go to the end. */
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
        RECORD,
        REFUND
    }
}
