// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.jdbc;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.epoch.Funds;
import org.heddle.market.ledger.book.EpochRecord;
import org.heddle.market.ledger.book.LedgerChange;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.Posting;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.ledger.book.TransactionCodec;
import org.heddle.market.ledger.journal.RecordFrames;
import org.heddle.market.ledger.query.Statements;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.IncomeSchedule;
import org.heddle.market.model.change.MarketRecord;
import org.heddle.market.model.change.StatementLine;

/** Books as rows and back. The account, income and record tables hold the present state, the others what happened. */
final class JdbcLedger {
    static final String AUDIT_COLUMNS =
            "sequence, at_millis, principal, origin, action, target, details, previous_hash, hash";
    static final String LINE_COLUMNS = "sequence, at_millis, kind, epoch, amount, balance, rate, slot_millis, words";

    private JdbcLedger() {}

    // ---- writing ----

    /** Moves the books on to a new state; 0 if they are not where they should be. */
    static int advance(Connection database, String cluster, long fence, long before, LedgerState book)
            throws SQLException {
        try (PreparedStatement update = database.prepareStatement("UPDATE heddle_books SET sequence = ?, epoch = ?,"
                + " unit_millis = ?, mint = ?, revenue = ?, waiver = ?, audit_sequence = ?, audit_hash = ?"
                + " WHERE cluster = ? AND fence = ? AND sequence = ?")) {
            set(
                    update,
                    book.sequence(),
                    book.epoch(),
                    book.unitMillis(),
                    book.mint(),
                    book.revenue(),
                    book.waiver(),
                    book.auditSequence(),
                    book.auditHash(),
                    cluster,
                    fence,
                    before);
            return update.executeUpdate();
        }
    }

    static void write(Connection database, String cluster, List<Transaction> batch, LedgerState book)
            throws SQLException {
        Set<String> queues = new TreeSet<>();
        Set<String> incomes = new TreeSet<>();
        Map<String, MarketRecord> records = new TreeMap<>();
        for (Transaction transaction : batch) {
            history(database, cluster, transaction);
            transaction.postings().stream()
                    .map(Posting::account)
                    .filter(account -> !Posting.isSystem(account))
                    .forEach(queues::add);
            EpochRecord epoch = transaction.epoch();
            if (epoch != null) {
                epoch.bills().forEach(bill -> queues.add(bill.queue()));
            }
            for (LedgerChange change : transaction.changes()) {
                note(change, queues, incomes, records);
            }
        }
        accounts(database, cluster, queues, book);
        for (String id : incomes) {
            income(database, cluster, id, book);
        }
        for (MarketRecord record : records.values()) {
            run(
                    database,
                    "DELETE FROM heddle_record WHERE cluster = ? AND kind = ? AND id = ?",
                    cluster,
                    record.kind(),
                    record.id());
            if (!record.isRemoval()) {
                run(
                        database,
                        "INSERT INTO heddle_record VALUES (?, ?, ?, ?)",
                        cluster,
                        record.kind(),
                        record.id(),
                        record.content());
            }
        }
    }

    private static void note(
            LedgerChange change, Set<String> queues, Set<String> incomes, Map<String, MarketRecord> records) {
        if (change instanceof LedgerChange.QueueOpened opened) {
            queues.add(opened.queue());
        } else if (change instanceof LedgerChange.QueueClosed closed) {
            queues.add(closed.queue());
        } else if (change instanceof LedgerChange.RateSet set) {
            queues.add(set.queue());
        } else if (change instanceof LedgerChange.IncomeSet set) {
            incomes.add(set.schedule().id());
        } else if (change instanceof LedgerChange.IncomeRemoved removed) {
            incomes.add(removed.id());
        } else if (change instanceof LedgerChange.RecordPut put) {
            records.put(put.record().kind() + '\n' + put.record().id(), put.record());
        }
    }

    private static void accounts(Connection database, String cluster, Set<String> queues, LedgerState book)
            throws SQLException {
        try (PreparedStatement delete =
                        database.prepareStatement("DELETE FROM heddle_account WHERE cluster = ? AND queue = ?");
                PreparedStatement insert =
                        database.prepareStatement("INSERT INTO heddle_account VALUES (?, ?, ?, ?, ?)")) {
            for (String queue : queues) {
                set(delete, cluster, queue);
                delete.addBatch();
                Funds has = book.find(queue);
                if (has != null) {
                    set(insert, cluster, queue, has.balanceNanos(), has.rateNanos(), has.remainder());
                    insert.addBatch();
                }
            }
            delete.executeBatch();
            insert.executeBatch();
        }
    }

    private static void income(Connection database, String cluster, String id, LedgerState book) throws SQLException {
        run(database, "DELETE FROM heddle_income WHERE cluster = ? AND id = ?", cluster, id);
        LedgerState.Income income = book.incomes().get(id);
        if (income != null) {
            IncomeSchedule schedule = income.schedule();
            run(
                    database,
                    "INSERT INTO heddle_income VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    cluster,
                    id,
                    schedule.total().nanos(),
                    schedule.every().toMillis(),
                    packed(schedule),
                    schedule.start().toEpochMilli(),
                    schedule.cap().nanos(),
                    income.nextDueMillis());
        }
    }

    private static void history(Connection database, String cluster, Transaction transaction) throws SQLException {
        EpochRecord epoch = transaction.epoch();
        List<Posting> postings = new ArrayList<>(transaction.postings());
        Map<String, Long> remainders = new HashMap<>();
        if (epoch != null) {
            ClosedEpoch closed = epoch.closed();
            run(
                    database,
                    "INSERT INTO heddle_epoch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    cluster,
                    epoch.number(),
                    epoch.startMillis(),
                    epoch.unitMillis(),
                    closed.millis(),
                    closed.price(),
                    closed.capacity(),
                    closed.used(),
                    (long) closed.paying());
            for (ClosedEpoch.Line bill : epoch.bills()) {
                remainders.put(bill.queue(), bill.remainder());
                postings.add(new Posting(bill.queue(), -bill.chargeNanos(), bill.balanceNanos()));
                postings.add(new Posting(Posting.REVENUE, bill.chargeNanos(), 0));
            }
        }
        try (PreparedStatement insert =
                database.prepareStatement("INSERT INTO heddle_posting VALUES (?, ?, ?, ?, ?)")) {
            for (int i = 0; i < postings.size(); i++) {
                Posting posting = postings.get(i);
                set(insert, cluster, transaction.sequence(), (long) i, posting.account(), posting.nanos());
                insert.addBatch();
            }
            insert.executeBatch();
        }
        try (PreparedStatement insert =
                database.prepareStatement("INSERT INTO heddle_line VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            long number = 0;
            for (Statements.Entry entry : Statements.of(transaction)) {
                StatementLine line = entry.line();
                set(
                        insert,
                        cluster,
                        line.sequence(),
                        number++,
                        entry.queue(),
                        line.at().toEpochMilli(),
                        line.kind().name(),
                        line.epoch(),
                        line.amount().nanos(),
                        line.balance().nanos(),
                        line.rate().nanos(),
                        line.slotMillis(),
                        line.text(),
                        remainders.getOrDefault(entry.queue(), 0L));
                insert.addBatch();
            }
            insert.executeBatch();
        }
        AuditEntry audit = transaction.audit();
        if (audit != null) {
            run(
                    database,
                    "INSERT INTO heddle_audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    cluster,
                    audit.sequence(),
                    audit.at().toEpochMilli(),
                    audit.principal(),
                    audit.origin(),
                    audit.action(),
                    audit.target(),
                    packed(audit.details()),
                    audit.previousHash(),
                    audit.hash());
        }
    }

    private static void run(Connection database, String statement, Object... values) throws SQLException {
        try (PreparedStatement prepared = database.prepareStatement(statement)) {
            set(prepared, values);
            prepared.executeUpdate();
        }
    }

    private static void set(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }

    // ---- reading ----

    static LedgerState load(Connection database, String cluster) throws SQLException, IOException {
        LedgerState book = new LedgerState();
        try (PreparedStatement ask = database.prepareStatement("SELECT sequence, epoch, unit_millis, mint, revenue,"
                + " waiver, audit_sequence, audit_hash FROM heddle_books WHERE cluster = ?")) {
            set(ask, cluster);
            try (ResultSet row = ask.executeQuery()) {
                if (row.next()) {
                    book.restore(
                            row.getLong(1),
                            row.getLong(2),
                            row.getLong(3),
                            row.getLong(4),
                            row.getLong(5),
                            row.getLong(6));
                    book.restoreAudit(row.getLong(7), row.getString(8));
                }
            }
        }
        each(
                database,
                "SELECT queue, balance, rate, remainder FROM heddle_account WHERE cluster = ?",
                cluster,
                row -> book.restoreQueue(row.getString(1), new Funds(row.getLong(2), row.getLong(3), row.getLong(4))));
        each(
                database,
                "SELECT weights, next_due FROM heddle_income WHERE cluster = ?",
                cluster,
                row -> book.restoreIncome(new LedgerState.Income(schedule(row.getString(1)), row.getLong(2))));
        each(
                database,
                "SELECT kind, id, content FROM heddle_record WHERE cluster = ?",
                cluster,
                row -> book.restoreRecord(new MarketRecord(row.getString(1), row.getString(2), row.getString(3))));
        List<AuditEntry> newestFirst = new ArrayList<>();
        each(
                database,
                "SELECT " + AUDIT_COLUMNS + " FROM heddle_audit WHERE cluster = ? ORDER BY sequence DESC LIMIT "
                        + LedgerState.REMEMBERED_REQUESTS,
                cluster,
                row -> newestFirst.add(audit(row)));
        for (int i = newestFirst.size() - 1; i >= 0; i--) {
            book.remember(newestFirst.get(i));
        }
        return book;
    }

    /** Takes one row. */
    private interface Row {
        void take(ResultSet row) throws SQLException, IOException;
    }

    private static void each(Connection database, String query, String cluster, Row to)
            throws SQLException, IOException {
        try (PreparedStatement ask = database.prepareStatement(query)) {
            set(ask, cluster);
            try (ResultSet rows = ask.executeQuery()) {
                while (rows.next()) {
                    to.take(rows);
                }
            }
        }
    }

    static AuditEntry audit(ResultSet row) throws SQLException, IOException {
        return new AuditEntry(
                row.getLong(1),
                Instant.ofEpochMilli(row.getLong(2)),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                unpacked(row.getString(7)),
                row.getString(8),
                row.getString(9));
    }

    static StatementLine line(ResultSet row) throws SQLException {
        return new StatementLine(
                row.getLong(1),
                Instant.ofEpochMilli(row.getLong(2)),
                StatementLine.Kind.valueOf(row.getString(3)),
                row.getLong(4),
                new Credits(row.getLong(5)),
                new Credits(row.getLong(6)),
                new SpendingRate(row.getLong(7)),
                row.getLong(8),
                row.getString(9));
    }

    static void epochs(Connection database, String cluster, long fromMillis, Consumer<EpochRecord> to)
            throws SQLException {
        Map<Long, List<ClosedEpoch.Line>> bills = new HashMap<>();
        try (PreparedStatement ask =
                database.prepareStatement("SELECT epoch, queue, rate, slot_millis, amount, balance,"
                        + " remainder FROM heddle_line WHERE cluster = ? AND at_millis >= ? AND kind = 'CHARGE'")) {
            set(ask, cluster, fromMillis);
            try (ResultSet row = ask.executeQuery()) {
                while (row.next()) {
                    bills.computeIfAbsent(row.getLong(1), number -> new ArrayList<>())
                            .add(new ClosedEpoch.Line(
                                    row.getString(2),
                                    row.getLong(3),
                                    row.getLong(4),
                                    -row.getLong(5),
                                    0,
                                    row.getLong(7),
                                    row.getLong(6)));
                }
            }
        }
        try (PreparedStatement ask = database.prepareStatement(
                "SELECT number, start_millis, unit_millis, millis, price,"
                        + " capacity, used, paying FROM heddle_epoch WHERE cluster = ? AND start_millis >= ? ORDER BY number")) {
            set(ask, cluster, fromMillis);
            try (ResultSet row = ask.executeQuery()) {
                while (row.next()) {
                    long number = row.getLong(1);
                    to.accept(new EpochRecord(
                            number,
                            row.getLong(2),
                            row.getLong(3),
                            new ClosedEpoch(
                                    row.getLong(4),
                                    row.getLong(5),
                                    row.getLong(6),
                                    row.getLong(7),
                                    row.getInt(8),
                                    bills.getOrDefault(number, List.of()))));
                }
            }
        }
    }

    // ---- what fits no column: as the journal writes it ----

    private static String packed(IncomeSchedule schedule) {
        return pack(out -> TransactionCodec.write(schedule, out));
    }

    private static IncomeSchedule schedule(String packed) throws IOException {
        return TransactionCodec.readIncome(unpack(packed));
    }

    private static String packed(Map<String, String> details) {
        return pack(out -> {
            out.writeInt(details.size());
            for (Map.Entry<String, String> each : details.entrySet()) {
                TransactionCodec.text(out, each.getKey());
                TransactionCodec.text(out, each.getValue());
            }
        });
    }

    private static Map<String, String> unpacked(String packed) throws IOException {
        DataInputStream in = unpack(packed);
        Map<String, String> details = new TreeMap<>();
        for (int left = TransactionCodec.size(in); left > 0; left--) {
            details.put(TransactionCodec.text(in), TransactionCodec.text(in));
        }
        return details;
    }

    private static String pack(RecordFrames.Content content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            content.to(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new IllegalStateException("memory does not fail to be written", e);
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    private static DataInputStream unpack(String packed) {
        return new DataInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(packed)));
    }
}
