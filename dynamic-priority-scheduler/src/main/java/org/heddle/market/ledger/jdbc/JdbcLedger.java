// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.jdbc;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.epoch.Funds;
import org.heddle.market.ledger.book.EpochRecord;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.query.ApplicationCosts;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.IncomeSchedule;
import org.heddle.market.model.change.MarketRecord;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.change.StatementRange;

/** Reads the ledger from its rows: the present state, the epochs, the audit and the statements. */
final class JdbcLedger {
    private static final String AUDIT_COLUMNS =
            "sequence, at_millis, principal, origin, action, target, details, previous_hash, hash";

    private JdbcLedger() {}

    static LedgerState load(Connection database, String cluster) throws SQLException, IOException {
        LedgerState ledger = new LedgerState();
        Sql.each(
                database,
                row -> {
                    ledger.restore(
                            row.getLong(1),
                            row.getLong(2),
                            row.getLong(3),
                            row.getLong(4),
                            row.getLong(5),
                            row.getLong(6));
                    ledger.restoreAudit(row.getLong(7), row.getString(8));
                },
                "SELECT sequence, epoch, unit_millis, mint, revenue, waiver, audit_sequence, audit_hash"
                        + " FROM heddle_ledger WHERE cluster = ?",
                cluster);
        Sql.each(
                database,
                row -> ledger.restoreQueue(row.getString(1), new Funds(row.getLong(2), row.getLong(3), row.getLong(4))),
                "SELECT queue, balance, rate, remainder FROM heddle_account WHERE cluster = ?",
                cluster);
        incomes(database, cluster).forEach(ledger::restoreIncome);
        Sql.each(
                database,
                row -> ledger.restoreRecord(new MarketRecord(row.getString(1), row.getString(2), row.getString(3))),
                "SELECT kind, id, content FROM heddle_record WHERE cluster = ?",
                cluster);
        List<AuditEntry> newestFirst = new ArrayList<>();
        Sql.each(
                database,
                row -> newestFirst.add(audit(row)),
                "SELECT " + AUDIT_COLUMNS + " FROM heddle_audit WHERE cluster = ? ORDER BY sequence DESC LIMIT "
                        + LedgerState.REMEMBERED_REQUESTS,
                cluster);
        for (int i = newestFirst.size() - 1; i >= 0; i--) {
            ledger.remember(newestFirst.get(i));
        }
        return ledger;
    }

    private static List<LedgerState.Income> incomes(Connection database, String cluster)
            throws SQLException, IOException {
        Map<String, Map<String, Long>> weights = new HashMap<>();
        Sql.each(
                database,
                row -> weights.computeIfAbsent(row.getString(1), id -> new TreeMap<>())
                        .put(row.getString(2), row.getLong(3)),
                "SELECT id, queue, weight FROM heddle_income_weight WHERE cluster = ?",
                cluster);
        List<LedgerState.Income> incomes = new ArrayList<>();
        Sql.each(
                database,
                row -> incomes.add(new LedgerState.Income(
                        new IncomeSchedule(
                                row.getString(1),
                                new Credits(row.getLong(2)),
                                Duration.ofMillis(row.getLong(3)),
                                weights.getOrDefault(row.getString(1), Map.of()),
                                Instant.ofEpochMilli(row.getLong(4)),
                                new Credits(row.getLong(5))),
                        row.getLong(6))),
                "SELECT id, total, every_millis, start_millis, cap, next_due_millis FROM heddle_income_schedule"
                        + " WHERE cluster = ?",
                cluster);
        return incomes;
    }

    static List<AuditEntry> audit(Connection database, String cluster, long after, int most)
            throws SQLException, IOException {
        List<AuditEntry> entries = new ArrayList<>();
        Sql.each(
                database,
                row -> entries.add(audit(row)),
                "SELECT " + AUDIT_COLUMNS
                        + " FROM heddle_audit WHERE cluster = ? AND sequence > ? ORDER BY sequence LIMIT " + most,
                cluster,
                after);
        return entries;
    }

    private static AuditEntry audit(ResultSet row) throws SQLException, IOException {
        return new AuditEntry(
                row.getLong(1),
                Instant.ofEpochMilli(row.getLong(2)),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                AuditDetails.fromJson(row.getString(7)),
                row.getString(8),
                row.getString(9));
    }

    /** As {@link org.heddle.market.ledger.book.LedgerStore#statement}. */
    static List<StatementLine> statement(Connection database, String cluster, StatementRange range)
            throws SQLException, IOException {
        List<StatementLine> lines = new ArrayList<>();
        String order = range.last() ? "sequence DESC, line DESC" : "sequence, line";
        Sql.each(
                database,
                row -> {
                    StatementLine line = line(row);
                    if (lines.size() < range.most()
                            || lines.get(lines.size() - 1).sequence() == line.sequence()) {
                        lines.add(line);
                    }
                },
                "SELECT sequence, at_millis, kind, epoch, amount, balance, rate, slot_millis, words FROM heddle_line"
                        + " WHERE cluster = ? AND queue = ? AND at_millis >= ? AND at_millis < ? AND sequence > ?"
                        + " AND sequence < ? ORDER BY " + order + " LIMIT " + (range.most() + 1L),
                cluster,
                range.queue(),
                range.fromMillis(),
                range.toMillis(),
                range.after(),
                range.before());
        if (range.last()) {
            Collections.reverse(lines);
        }
        return lines;
    }

    static ApplicationCosts applications(
            Connection database, String cluster, String queue, long fromMillis, long toMillis)
            throws SQLException, IOException {
        ApplicationCosts costs = new ApplicationCosts();
        Sql.each(
                database,
                row -> costs.add(
                        new ClosedEpoch.ApplicationCharge(
                                row.getString(1), row.getString(2), row.getString(3), row.getLong(6), row.getLong(7)),
                        row.getLong(4),
                        row.getLong(5)),
                "SELECT application, MAX(name), MAX(user_name), MIN(at_millis), MAX(at_millis), SUM(slot_millis),"
                        + " SUM(charge) FROM heddle_application WHERE cluster = ? AND queue = ? AND at_millis >= ?"
                        + " AND at_millis < ? GROUP BY application ORDER BY application",
                cluster,
                queue,
                fromMillis,
                toMillis);
        return costs;
    }

    private static StatementLine line(ResultSet row) throws SQLException {
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
            throws SQLException, IOException {
        Map<Long, List<ClosedEpoch.Line>> bills = new HashMap<>();
        Sql.each(
                database,
                row -> bills.computeIfAbsent(row.getLong(1), number -> new ArrayList<>())
                        .add(new ClosedEpoch.Line(
                                row.getString(2),
                                row.getLong(3),
                                row.getLong(4),
                                -row.getLong(5),
                                0,
                                row.getLong(7),
                                row.getLong(6),
                                List.of())),
                "SELECT epoch, queue, rate, slot_millis, amount, balance, remainder FROM heddle_line"
                        + " WHERE cluster = ? AND at_millis >= ? AND kind = 'CHARGE'",
                cluster,
                fromMillis);
        Sql.each(
                database,
                row -> {
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
                },
                "SELECT number, start_millis, unit_millis, millis, price, capacity, used, paying FROM heddle_epoch"
                        + " WHERE cluster = ? AND start_millis >= ? ORDER BY number",
                cluster,
                fromMillis);
    }
}
