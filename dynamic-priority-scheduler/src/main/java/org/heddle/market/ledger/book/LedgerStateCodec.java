// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.book;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.heddle.market.epoch.Funds;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.MarketRecord;

/** A whole book as bytes, in the snapshot's format 1. */
public final class LedgerStateCodec {
    private LedgerStateCodec() {}

    public static void write(LedgerState book, DataOutput out) throws IOException {
        out.writeLong(book.sequence());
        out.writeLong(book.epoch());
        out.writeLong(book.unitMillis());
        out.writeLong(book.mint());
        out.writeLong(book.revenue());
        out.writeLong(book.waiver());
        out.writeLong(book.auditSequence());
        TransactionCodec.text(out, book.auditHash());
        SortedMap<String, Funds> queues = book.queues();
        out.writeInt(queues.size());
        for (Map.Entry<String, Funds> each : queues.entrySet()) {
            TransactionCodec.text(out, each.getKey());
            out.writeLong(each.getValue().balanceNanos());
            out.writeLong(each.getValue().rateNanos());
            out.writeLong(each.getValue().remainder());
        }
        out.writeInt(book.incomes().size());
        for (LedgerState.Income income : book.incomes().values()) {
            TransactionCodec.write(income.schedule(), out);
            out.writeLong(income.nextDueMillis());
        }
        List<MarketRecord> records = new ArrayList<>();
        for (SortedMap<String, MarketRecord> ofKind : book.records().values()) {
            records.addAll(ofKind.values());
        }
        out.writeInt(records.size());
        for (MarketRecord record : records) {
            TransactionCodec.write(record, out);
        }
        List<AuditEntry> requests = List.copyOf(book.requests().values());
        out.writeInt(requests.size());
        for (AuditEntry request : requests) {
            TransactionCodec.write(request, out);
        }
    }

    public static LedgerState read(DataInput in) throws IOException {
        LedgerState book = new LedgerState();
        book.restore(in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong());
        book.restoreAudit(in.readLong(), TransactionCodec.text(in));
        for (int left = TransactionCodec.size(in); left > 0; left--) {
            book.restoreQueue(TransactionCodec.text(in), new Funds(in.readLong(), in.readLong(), in.readLong()));
        }
        for (int left = TransactionCodec.size(in); left > 0; left--) {
            book.restoreIncome(new LedgerState.Income(TransactionCodec.readIncome(in), in.readLong()));
        }
        for (int left = TransactionCodec.size(in); left > 0; left--) {
            book.restoreRecord(TransactionCodec.readRecord(in));
        }
        for (int left = TransactionCodec.size(in); left > 0; left--) {
            book.remember(TransactionCodec.readAudit(in));
        }
        return book;
    }
}
