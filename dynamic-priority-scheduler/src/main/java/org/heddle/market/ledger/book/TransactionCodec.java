// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.book;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.IncomeSchedule;
import org.heddle.market.model.change.MarketRecord;

/**
 * The binary form of transactions, in the journal's format 1. A text is its length and its UTF-8 bytes; a list is its
 * size and its elements.
 *
 * <p>A transaction may end with sections: a byte that names the kind, the length, and the content. A version of Heddle
 * that does not know a kind skips it, and the first versions read no sections at all; so two versions can take the lead
 * from each other. The only kind is {@code A}, the applications of an epoch's bills in the order of the bills.
 */
public final class TransactionCodec {
    /** The limit of a list's size: with more elements, the bytes are not a transaction. */
    private static final int MOST = 10_000_000;

    private static final int APPLICATIONS = 'A';

    private TransactionCodec() {}

    public static void write(Transaction transaction, DataOutput out) throws IOException {
        out.writeLong(transaction.sequence());
        out.writeLong(transaction.atMillis());
        text(out, transaction.kind().name());
        text(out, transaction.text());
        out.writeInt(transaction.postings().size());
        for (Posting posting : transaction.postings()) {
            text(out, posting.account());
            out.writeLong(posting.nanos());
            out.writeLong(posting.balance());
        }
        out.writeInt(transaction.changes().size());
        for (LedgerChange change : transaction.changes()) {
            write(change, out);
        }
        EpochRecord epoch = transaction.epoch();
        out.writeBoolean(epoch != null);
        if (epoch != null) {
            write(epoch, out);
        }
        AuditEntry audit = transaction.audit();
        out.writeBoolean(audit != null);
        if (audit != null) {
            write(audit, out);
        }
        if (epoch != null
                && epoch.bills().stream().anyMatch(bill -> !bill.applications().isEmpty())) {
            ByteArrayOutputStream section = new ByteArrayOutputStream();
            writeApplications(epoch.bills(), new DataOutputStream(section));
            out.writeByte(APPLICATIONS);
            out.writeInt(section.size());
            out.write(section.toByteArray());
        }
    }

    /** Reads one transaction. The input ends after it. */
    public static Transaction read(DataInputStream in) throws IOException {
        long sequence = in.readLong();
        long at = in.readLong();
        Transaction.Kind kind = kind(text(in));
        String words = text(in);
        List<Posting> postings = new ArrayList<>();
        for (int left = size(in); left > 0; left--) {
            postings.add(new Posting(text(in), in.readLong(), in.readLong()));
        }
        List<LedgerChange> changes = new ArrayList<>();
        for (int left = size(in); left > 0; left--) {
            changes.add(readChange(in));
        }
        EpochRecord epoch = in.readBoolean() ? readEpoch(in) : null;
        AuditEntry audit = in.readBoolean() ? readAudit(in) : null;
        for (int kindOfSection = in.read(); kindOfSection >= 0; kindOfSection = in.read()) {
            byte[] section = bytes(in);
            if (kindOfSection == APPLICATIONS && epoch != null) {
                epoch = withApplications(epoch, new DataInputStream(new ByteArrayInputStream(section)));
            }
        }
        return new Transaction(sequence, at, kind, words, postings, changes, epoch, audit);
    }

    private static Transaction.Kind kind(String name) throws IOException {
        try {
            return Transaction.Kind.valueOf(name);
        } catch (IllegalArgumentException e) {
            throw new IOException("a transaction of kind " + name + " is not known to this version", e);
        }
    }

    private static void write(LedgerChange change, DataOutput out) throws IOException {
        if (change instanceof LedgerChange.QueueOpened opened) {
            out.writeByte('O');
            text(out, opened.queue());
        } else if (change instanceof LedgerChange.QueueClosed closed) {
            out.writeByte('C');
            text(out, closed.queue());
        } else if (change instanceof LedgerChange.RateSet set) {
            out.writeByte('S');
            text(out, set.queue());
            out.writeLong(set.rateNanos());
        } else if (change instanceof LedgerChange.IncomeSet set) {
            out.writeByte('I');
            write(set.schedule(), out);
            out.writeLong(set.nextDueMillis());
        } else if (change instanceof LedgerChange.IncomeRemoved removed) {
            out.writeByte('J');
            text(out, removed.id());
        } else if (change instanceof LedgerChange.RecordPut put) {
            out.writeByte('R');
            write(put.record(), out);
        }
    }

    private static LedgerChange readChange(DataInput in) throws IOException {
        byte tag = in.readByte();
        return switch (tag) {
            case 'O' -> new LedgerChange.QueueOpened(text(in));
            case 'C' -> new LedgerChange.QueueClosed(text(in));
            case 'S' -> new LedgerChange.RateSet(text(in), in.readLong());
            case 'I' -> new LedgerChange.IncomeSet(readIncome(in), in.readLong());
            case 'J' -> new LedgerChange.IncomeRemoved(text(in));
            case 'R' -> new LedgerChange.RecordPut(readRecord(in));
            default -> throw new IOException("a change of kind " + tag + " is not known to this version");
        };
    }

    public static void write(IncomeSchedule schedule, DataOutput out) throws IOException {
        text(out, schedule.id());
        out.writeLong(schedule.total().nanos());
        out.writeLong(schedule.every().toMillis());
        out.writeInt(schedule.weights().size());
        for (Map.Entry<String, Long> each : schedule.weights().entrySet()) {
            text(out, each.getKey());
            out.writeLong(each.getValue());
        }
        out.writeLong(schedule.start().toEpochMilli());
        out.writeLong(schedule.cap().nanos());
    }

    public static IncomeSchedule readIncome(DataInput in) throws IOException {
        String id = text(in);
        Credits total = new Credits(in.readLong());
        Duration every = Duration.ofMillis(in.readLong());
        Map<String, Long> weights = new TreeMap<>();
        for (int left = size(in); left > 0; left--) {
            weights.put(text(in), in.readLong());
        }
        return new IncomeSchedule(
                id, total, every, weights, Instant.ofEpochMilli(in.readLong()), new Credits(in.readLong()));
    }

    public static void write(MarketRecord record, DataOutput out) throws IOException {
        text(out, record.kind());
        text(out, record.id());
        text(out, record.content());
    }

    static MarketRecord readRecord(DataInput in) throws IOException {
        return new MarketRecord(text(in), text(in), text(in));
    }

    private static void write(EpochRecord epoch, DataOutput out) throws IOException {
        ClosedEpoch closed = epoch.closed();
        out.writeLong(epoch.number());
        out.writeLong(epoch.startMillis());
        out.writeLong(epoch.unitMillis());
        out.writeLong(closed.millis());
        out.writeLong(closed.price());
        out.writeLong(closed.capacity());
        out.writeLong(closed.used());
        out.writeInt(closed.paying());
        out.writeInt(closed.bills().size());
        for (ClosedEpoch.Line line : closed.bills()) {
            text(out, line.queue());
            out.writeLong(line.rateNanos());
            out.writeLong(line.slotMillis());
            out.writeLong(line.chargeNanos());
            out.writeLong(line.waiverNanos());
            out.writeLong(line.remainder());
            out.writeLong(line.balanceNanos());
        }
    }

    private static EpochRecord readEpoch(DataInput in) throws IOException {
        long number = in.readLong();
        long start = in.readLong();
        long unit = in.readLong();
        long millis = in.readLong();
        long price = in.readLong();
        long capacity = in.readLong();
        long used = in.readLong();
        int paying = in.readInt();
        List<ClosedEpoch.Line> bills = new ArrayList<>();
        for (int left = size(in); left > 0; left--) {
            bills.add(new ClosedEpoch.Line(
                    text(in),
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    List.of()));
        }
        return new EpochRecord(number, start, unit, new ClosedEpoch(millis, price, capacity, used, paying, bills));
    }

    private static void writeApplications(List<ClosedEpoch.Line> bills, DataOutput out) throws IOException {
        for (ClosedEpoch.Line bill : bills) {
            out.writeInt(bill.applications().size());
            for (ClosedEpoch.ApplicationCharge charge : bill.applications()) {
                text(out, charge.application());
                text(out, charge.name());
                text(out, charge.user());
                out.writeLong(charge.slotMillis());
                out.writeLong(charge.chargeNanos());
            }
        }
    }

    private static EpochRecord withApplications(EpochRecord epoch, DataInput in) throws IOException {
        List<ClosedEpoch.Line> bills = new ArrayList<>();
        for (ClosedEpoch.Line bill : epoch.bills()) {
            List<ClosedEpoch.ApplicationCharge> charges = new ArrayList<>();
            for (int left = size(in); left > 0; left--) {
                charges.add(
                        new ClosedEpoch.ApplicationCharge(text(in), text(in), text(in), in.readLong(), in.readLong()));
            }
            bills.add(bill.with(charges));
        }
        return epoch.with(epoch.closed().with(bills));
    }

    public static void write(AuditEntry audit, DataOutput out) throws IOException {
        out.writeLong(audit.sequence());
        out.writeLong(audit.at().toEpochMilli());
        text(out, audit.principal());
        text(out, audit.origin());
        text(out, audit.action());
        text(out, audit.target());
        out.writeInt(audit.details().size());
        for (Map.Entry<String, String> each : audit.details().entrySet()) {
            text(out, each.getKey());
            text(out, each.getValue());
        }
        text(out, audit.previousHash());
        text(out, audit.hash());
    }

    static AuditEntry readAudit(DataInput in) throws IOException {
        long sequence = in.readLong();
        Instant at = Instant.ofEpochMilli(in.readLong());
        String principal = text(in);
        String origin = text(in);
        String action = text(in);
        String target = text(in);
        Map<String, String> details = new TreeMap<>();
        for (int left = size(in); left > 0; left--) {
            details.put(text(in), text(in));
        }
        return new AuditEntry(sequence, at, principal, origin, action, target, details, text(in), text(in));
    }

    public static void text(DataOutput out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    public static String text(DataInput in) throws IOException {
        return new String(bytes(in), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(DataInput in) throws IOException {
        byte[] bytes = new byte[size(in)];
        in.readFully(bytes);
        return bytes;
    }

    public static int size(DataInput in) throws IOException {
        int size = in.readInt();
        if (size < 0 || size > MOST) {
            throw new IOException("a list of " + size + " elements is too long; the bytes are damaged");
        }
        return size;
    }
}
