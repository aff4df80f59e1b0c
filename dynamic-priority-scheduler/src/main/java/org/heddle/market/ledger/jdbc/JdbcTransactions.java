// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.epoch.Funds;
import org.heddle.market.ledger.book.EpochRecord;
import org.heddle.market.ledger.book.LedgerChange;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.Posting;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.ledger.query.Statements;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.IncomeSchedule;
import org.heddle.market.model.change.MarketRecord;
import org.heddle.market.model.change.StatementLine;
import org.jspecify.annotations.Nullable;

/** Writes transactions: rows for the history, and the rows of the present state that they change. */
final class JdbcTransactions {
    private static final String ACCOUNT = Sql.insert("heddle_account", "cluster, queue, balance, rate, remainder");
    private static final String EPOCH = Sql.insert(
            "heddle_epoch", "cluster, number, start_millis, unit_millis, millis, price, capacity, used, paying");
    private static final String POSTING = Sql.insert("heddle_posting", "cluster, sequence, posting, account, nanos");
    private static final String LINE = Sql.insert(
            "heddle_line",
            "cluster, sequence, line, queue, at_millis, kind, epoch, amount, balance, rate, "
                    + "slot_millis, words, remainder");
    private static final String APPLICATION = Sql.insert(
            "heddle_application",
            "cluster, sequence, queue, application, at_millis, name, user_name, slot_millis, charge");
    private static final String SCHEDULE = Sql.insert(
            "heddle_income_schedule", "cluster, id, total, every_millis, start_millis, cap, next_due_millis");
    private static final String WEIGHT = Sql.insert("heddle_income_weight", "cluster, id, queue, weight");
    private static final String RECORD = Sql.insert("heddle_record", "cluster, kind, id, content");
    private static final String AUDIT = Sql.insert(
            "heddle_audit",
            "cluster, sequence, at_millis, principal, origin, action, target, details, previous_hash, " + "hash");

    private JdbcTransactions() {}

    /** Sets the ledger to a new state; 0 if its leader or its last transaction is another one. */
    static int advance(Connection database, String cluster, long fence, long before, LedgerState ledger)
            throws SQLException {
        return Sql.run(
                database,
                "UPDATE heddle_ledger SET sequence = ?, epoch = ?, unit_millis = ?, mint = ?, revenue = ?,"
                        + " waiver = ?, audit_sequence = ?, audit_hash = ? WHERE cluster = ? AND fence = ? AND"
                        + " sequence = ?",
                ledger.sequence(),
                ledger.epoch(),
                ledger.unitMillis(),
                ledger.mint(),
                ledger.revenue(),
                ledger.waiver(),
                ledger.auditSequence(),
                ledger.auditHash(),
                cluster,
                fence,
                before);
    }

    static void write(Connection database, String cluster, List<Transaction> batch, LedgerState ledger)
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
        accounts(database, cluster, queues, ledger);
        for (String id : incomes) {
            income(database, cluster, id, ledger.incomes().get(id));
        }
        for (MarketRecord record : records.values()) {
            record(database, cluster, record);
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

    // ---- the present state ----

    private static void accounts(Connection database, String cluster, Set<String> queues, LedgerState ledger)
            throws SQLException {
        try (PreparedStatement delete =
                        database.prepareStatement("DELETE FROM heddle_account WHERE cluster = ? AND queue = ?");
                PreparedStatement insert = database.prepareStatement(ACCOUNT)) {
            for (String queue : queues) {
                Sql.add(delete, cluster, queue);
                Funds has = ledger.find(queue);
                if (has != null) {
                    Sql.add(insert, cluster, queue, has.balanceNanos(), has.rateNanos(), has.remainder());
                }
            }
            delete.executeBatch();
            insert.executeBatch();
        }
    }

    /** Replaces an income; null removes it. */
    static void income(Connection database, String cluster, String id, LedgerState.@Nullable Income income)
            throws SQLException {
        Sql.run(database, "DELETE FROM heddle_income_schedule WHERE cluster = ? AND id = ?", cluster, id);
        Sql.run(database, "DELETE FROM heddle_income_weight WHERE cluster = ? AND id = ?", cluster, id);
        if (income == null) {
            return;
        }
        IncomeSchedule schedule = income.schedule();
        Sql.run(
                database,
                SCHEDULE,
                cluster,
                id,
                schedule.total().nanos(),
                schedule.every().toMillis(),
                schedule.start().toEpochMilli(),
                schedule.cap().nanos(),
                income.nextDueMillis());
        try (PreparedStatement insert = database.prepareStatement(WEIGHT)) {
            for (Map.Entry<String, Long> weight : schedule.weights().entrySet()) {
                Sql.add(insert, cluster, id, weight.getKey(), weight.getValue());
            }
            insert.executeBatch();
        }
    }

    private static void record(Connection database, String cluster, MarketRecord record) throws SQLException {
        Sql.run(
                database,
                "DELETE FROM heddle_record WHERE cluster = ? AND kind = ? AND id = ?",
                cluster,
                record.kind(),
                record.id());
        if (!record.isRemoval()) {
            Sql.run(database, RECORD, cluster, record.kind(), record.id(), record.content());
        }
    }

    // ---- the history ----

    private static void history(Connection database, String cluster, Transaction transaction) throws SQLException {
        List<Posting> postings = new ArrayList<>(transaction.postings());
        Map<String, Long> remainders = new HashMap<>();
        EpochRecord epoch = transaction.epoch();
        if (epoch != null) {
            epoch(database, cluster, epoch);
            applications(database, cluster, transaction, epoch);
            for (ClosedEpoch.Line bill : epoch.bills()) {
                remainders.put(bill.queue(), bill.remainder());
                postings.add(new Posting(bill.queue(), -bill.chargeNanos(), bill.balanceNanos()));
                postings.add(new Posting(Posting.REVENUE, bill.chargeNanos(), 0));
            }
        }
        postings(database, cluster, transaction.sequence(), postings);
        lines(database, cluster, transaction, remainders);
        AuditEntry audit = transaction.audit();
        if (audit != null) {
            Sql.run(
                    database,
                    AUDIT,
                    cluster,
                    audit.sequence(),
                    audit.at().toEpochMilli(),
                    audit.principal(),
                    audit.origin(),
                    audit.action(),
                    audit.target(),
                    AuditDetails.toJson(audit.details()),
                    audit.previousHash(),
                    audit.hash());
        }
    }

    private static void epoch(Connection database, String cluster, EpochRecord epoch) throws SQLException {
        ClosedEpoch closed = epoch.closed();
        Sql.run(
                database,
                EPOCH,
                cluster,
                epoch.number(),
                epoch.startMillis(),
                epoch.unitMillis(),
                closed.millis(),
                closed.price(),
                closed.capacity(),
                closed.used(),
                (long) closed.paying());
    }

    private static void applications(Connection database, String cluster, Transaction transaction, EpochRecord epoch)
            throws SQLException {
        try (PreparedStatement insert = database.prepareStatement(APPLICATION)) {
            for (ClosedEpoch.Line bill : epoch.bills()) {
                for (ClosedEpoch.ApplicationCharge charge : bill.applications()) {
                    Sql.add(
                            insert,
                            cluster,
                            transaction.sequence(),
                            bill.queue(),
                            charge.application(),
                            transaction.atMillis(),
                            charge.name(),
                            charge.user(),
                            charge.slotMillis(),
                            charge.chargeNanos());
                }
            }
            insert.executeBatch();
        }
    }

    private static void postings(Connection database, String cluster, long sequence, List<Posting> postings)
            throws SQLException {
        try (PreparedStatement insert = database.prepareStatement(POSTING)) {
            for (int i = 0; i < postings.size(); i++) {
                Posting posting = postings.get(i);
                Sql.add(insert, cluster, sequence, (long) i, posting.account(), posting.nanos());
            }
            insert.executeBatch();
        }
    }

    private static void lines(
            Connection database, String cluster, Transaction transaction, Map<String, Long> remainders)
            throws SQLException {
        try (PreparedStatement insert = database.prepareStatement(LINE)) {
            long number = 0;
            for (Statements.Entry entry : Statements.of(transaction)) {
                StatementLine line = entry.line();
                Sql.add(
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
            }
            insert.executeBatch();
        }
    }
}
