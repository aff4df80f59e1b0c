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

/** The binary form of a whole state, in the snapshot's format 1. */
public final class LedgerStateCodec {
    private LedgerStateCodec() {}

    public static void write(LedgerState ledger, DataOutput out) throws IOException {
        out.writeLong(ledger.sequence());
        out.writeLong(ledger.epoch());
        out.writeLong(ledger.unitMillis());
        out.writeLong(ledger.mint());
        out.writeLong(ledger.revenue());
        out.writeLong(ledger.waiver());
        out.writeLong(ledger.auditSequence());
        TransactionCodec.text(out, ledger.auditHash());
        SortedMap<String, Funds> queues = ledger.queues();
        out.writeInt(queues.size());
        for (Map.Entry<String, Funds> each : queues.entrySet()) {
            TransactionCodec.text(out, each.getKey());
            out.writeLong(each.getValue().balanceNanos());
            out.writeLong(each.getValue().rateNanos());
            out.writeLong(each.getValue().remainder());
        }
        out.writeInt(ledger.incomes().size());
        for (LedgerState.Income income : ledger.incomes().values()) {
            TransactionCodec.write(income.schedule(), out);
            out.writeLong(income.nextDueMillis());
        }
        List<MarketRecord> records = new ArrayList<>();
        for (SortedMap<String, MarketRecord> ofKind : ledger.records().values()) {
            records.addAll(ofKind.values());
        }
        out.writeInt(records.size());
        for (MarketRecord record : records) {
            TransactionCodec.write(record, out);
        }
        List<AuditEntry> requests = List.copyOf(ledger.requests().values());
        out.writeInt(requests.size());
        for (AuditEntry request : requests) {
            TransactionCodec.write(request, out);
        }
    }

    public static LedgerState read(DataInput in) throws IOException {
        LedgerState ledger = new LedgerState();
        ledger.restore(in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong());
        ledger.restoreAudit(in.readLong(), TransactionCodec.text(in));
        for (int left = TransactionCodec.size(in); left > 0; left--) {
            ledger.restoreQueue(TransactionCodec.text(in), new Funds(in.readLong(), in.readLong(), in.readLong()));
        }
        for (int left = TransactionCodec.size(in); left > 0; left--) {
            ledger.restoreIncome(new LedgerState.Income(TransactionCodec.readIncome(in), in.readLong()));
        }
        for (int left = TransactionCodec.size(in); left > 0; left--) {
            ledger.restoreRecord(TransactionCodec.readRecord(in));
        }
        for (int left = TransactionCodec.size(in); left > 0; left--) {
            ledger.remember(TransactionCodec.readAudit(in));
        }
        return ledger;
    }
}
