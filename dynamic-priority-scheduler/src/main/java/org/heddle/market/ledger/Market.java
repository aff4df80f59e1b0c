// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.AccountImport;
import org.heddle.market.model.change.ApplicationCost;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.IncomeSchedule;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.MarketRecord;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.model.change.Receipt;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.change.StatementRange;
import org.heddle.market.model.status.BalancePoint;
import org.heddle.market.model.status.ForecastPoint;
import org.heddle.market.model.status.MarketStatus;
import org.heddle.market.model.status.PricePoint;
import org.heddle.market.model.status.QueueStatus;
import org.heddle.market.model.status.Quote;
import org.heddle.market.model.status.QuoteRequest;

/**
 * A running market, for REST, pages and commands. Thread-safe.
 *
 * <p><b>Reads</b> are answered from memory: they never wait for the store or the scheduler, and work in an outage. The
 * values of one answer are consistent. History and statements cover the time that is kept in memory (since {@link
 * #historyFrom}); the audit and older statements are read from the store and may throw.
 *
 * <p><b>Changes</b> return when they are stored, which takes one fsync or transaction (several callers share one), and
 * never take longer than {@link #longestWait}. They apply to shares and charges from the next epoch on. The caller's
 * permissions are checked before. A request with the same {@link Mutation#idempotencyKey} may be sent again safely.
 *
 * <p>Names of queues are given with or without the leading {@code root.}; answers are without.
 */
public interface Market {
    /** Limit of the accounts in one import; so many fit into one audit entry. */
    int MOST_IMPORTED = 500;

    // ---- reads ----

    MarketStatus status();

    /** Every queue, by name. */
    List<QueueStatus> queues();

    /** @throws MarketException {@code UNKNOWN_QUEUE} */
    QueueStatus queue(String queue) throws MarketException;

    /**
     * Closed epochs that began in a time, oldest first.
     *
     * @param most limit of the points, 1 or more; neighbours are merged to keep it
     */
    List<PricePoint> prices(Instant from, Instant to, int most);

    /**
     * A queue's balance over a time, oldest first: one point for each change; some points are left out if there are
     * more than {@code most}.
     *
     * @throws MarketException {@code UNKNOWN_QUEUE}
     */
    List<BalancePoint> balances(String queue, Instant from, Instant to, int most) throws MarketException;

    /**
     * Lines of a queue's statement, oldest first.
     *
     * @throws MarketException {@code UNKNOWN_QUEUE}, {@code STORE_OUTAGE}
     */
    List<StatementLine> statement(StatementRange range) throws MarketException;

    /**
     * The costs of a queue's applications in a time, largest first. The last one may be the sum of those that are not
     * listed. All together are the queue's charges since charges were recorded for applications.
     *
     * @param most limit of the listed ones
     * @throws MarketException {@code UNKNOWN_QUEUE}, {@code STORE_OUTAGE}
     */
    List<ApplicationCost> applications(String queue, Instant from, Instant to, ApplicationCost.By by, int most)
            throws MarketException;

    /** Start of the history in memory. */
    Instant historyFrom();

    /** Income schedules, by id. */
    List<IncomeSchedule> incomes();

    /**
     * The cost and the duration of a piece of work.
     *
     * @throws MarketException {@code UNKNOWN_QUEUE}, {@code INVALID}
     */
    Quote quote(QuoteRequest request) throws MarketException;

    /**
     * Expected prices at equal steps from the next epoch on.
     *
     * @param points 1 to 1,000
     */
    List<ForecastPoint> forecast(Duration horizon, int points);

    /**
     * The audit, oldest first, from the store.
     *
     * @param after only entries with a larger sequence
     * @param most limit of the entries
     * @throws MarketException {@code STORE_OUTAGE}
     */
    List<AuditEntry> audit(long after, int most) throws MarketException;

    /**
     * The last entries of the audit before a number, oldest first.
     *
     * @param before only entries with a smaller sequence; 0 for the newest ones
     * @param most limit of the entries
     * @throws MarketException {@code STORE_OUTAGE}, if entries are asked for that are not in memory
     */
    List<AuditEntry> auditBefore(long before, int most) throws MarketException;

    /** All records of a kind, by id; see {@link MarketRecord}. */
    Map<String, MarketRecord> records(String kind);

    // ---- changes; each may also throw INVALID, CONFLICT, STORE_OUTAGE, OUTCOME_UNKNOWN and NOT_LEADER ----

    /** @throws MarketException {@code UNKNOWN_QUEUE} */
    Receipt setSpending(Mutation by, String queue, SpendingRate rate) throws MarketException;

    /**
     * Creates credits and pays them into a queue.
     *
     * @param amount more than 0
     * @throws MarketException {@code UNKNOWN_QUEUE}, {@code OVERFLOW}
     */
    Receipt addBudget(Mutation by, String queue, Credits amount, String text) throws MarketException;

    /**
     * Takes credits out of a queue and destroys them.
     *
     * @param amount more than 0
     * @throws MarketException {@code UNKNOWN_QUEUE}, {@code INSUFFICIENT_CREDITS}
     */
    Receipt withdraw(Mutation by, String queue, Credits amount, String text) throws MarketException;

    /**
     * Moves credits from one queue to another.
     *
     * @param amount more than 0
     * @throws MarketException {@code UNKNOWN_QUEUE}, {@code INSUFFICIENT_CREDITS}, {@code OVERFLOW}
     */
    Receipt transfer(Mutation by, String from, String to, Credits amount, String text) throws MarketException;

    /**
     * Opens a queue directly below the root, with no budget and rate 0.
     *
     * @param queue 1 to 100 characters of {@code A-Za-z0-9_-}
     * @throws MarketException {@code QUEUE_EXISTS}
     */
    Receipt addQueue(Mutation by, String queue) throws MarketException;

    /**
     * Opens the queues that do not exist, pays budgets in and sets rates: all of it in one transaction, or nothing. The
     * receipt's balance is the sum of the budgets.
     *
     * @param accounts 1 to {@value #MOST_IMPORTED}, each queue once
     * @throws MarketException {@code INVALID} naming every account that is wrong, {@code OVERFLOW}
     */
    Receipt importAccounts(Mutation by, List<AccountImport> accounts) throws MarketException;

    /**
     * Closes a queue. Its remaining credits are destroyed; the receipt's balance is their amount.
     *
     * @throws MarketException {@code UNKNOWN_QUEUE}, {@code QUEUE_IN_USE}
     */
    Receipt removeQueue(Mutation by, String queue) throws MarketException;

    /**
     * Sets an income schedule; replaces one with the same id. Nothing is paid for times in the past.
     *
     * @throws MarketException {@code UNKNOWN_QUEUE}; {@code INVALID} if it starts more than one period ago
     */
    Receipt setIncome(Mutation by, IncomeSchedule schedule) throws MarketException;

    /** @throws MarketException {@code UNKNOWN_INCOME} */
    Receipt removeIncome(Mutation by, String id) throws MarketException;

    /**
     * Stores only the mutation's records.
     *
     * @param action its name in the audit, for example {@code revoke-key}
     * @param target the changed thing
     */
    Receipt record(Mutation by, String action, String target) throws MarketException;

    /** Limit of the time that a change waits for the store. */
    Duration longestWait();
}
