// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.epoch.EpochReport;
import org.heddle.market.epoch.EpochSnapshot;
import org.heddle.market.epoch.Funds;
import org.heddle.market.ledger.book.LedgerChange;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.LedgerStore;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.ledger.query.AccountMembers;
import org.heddle.market.ledger.query.LedgerHistory;
import org.heddle.market.ledger.query.PriceForecast;
import org.heddle.market.ledger.query.PublishedSnapshot;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.AccountImport;
import org.heddle.market.model.change.AccountLife;
import org.heddle.market.model.change.AccountRole;
import org.heddle.market.model.change.ApplicationCost;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.IncomeSchedule;
import org.heddle.market.model.change.LostAttempt;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.MarketException.Reason;
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
import org.heddle.market.model.status.StoreState;
import org.heddle.market.model.terms.MarketTerms;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running market with its ledger in a store, for the scheduler, REST, pages and commands. Thread-safe. The scheduler
 * changes the epochs and publishes snapshots of the running one. Long because it is all that others see of the market;
 * each method is short.
 *
 * <p><b>Reads</b> are answered from memory: they never wait for the store or the scheduler, and work in an outage. The
 * values of one answer are consistent. History and statements cover the time that is kept in memory; the audit and
 * older statements are read from the store and may throw.
 *
 * <p><b>Changes</b> return when they are stored, which takes one fsync or transaction (several callers share one), and
 * never take longer than the constructor's limit. They apply to shares and charges from the next epoch on. The caller's
 * permissions are checked before. A request with the same {@link Mutation#idempotencyKey} may be sent again safely.
 * Each may throw INVALID, CONFLICT, STORE_OUTAGE, OUTCOME_UNKNOWN and NOT_LEADER, and what its comment says.
 *
 * <p>Names of queues are without the leading {@code root.}, which callers strip ({@code AccountNames.account}).
 *
 * <p>Locks: the scheduler's lock, which guards the epoch meter, is taken inside the ledger's lock ({@link #rollOver}),
 * never around it. So a thread with the scheduler's lock never waits for the ledger; of all methods here it may call
 * only {@link #publish}, {@link #accountNames} and {@link #refund(LostAttempt)}.
 */
public final class Market implements AutoCloseable {
    /** Limit of the accounts in one import; so many fit into one audit entry. */
    public static final int MOST_IMPORTED = 500;

    private static final int MOST_POINTS = 1_000;
    private static final long HISTORY_MILLIS = Duration.ofDays(7).toMillis();
    /** How long the status tells that use before the start is in no bill. */
    private static final long TOLD_MILLIS = Duration.ofDays(1).toMillis();

    private static final Logger LOG = LoggerFactory.getLogger(Market.class);

    private final MarketTerms terms;
    private final LongSupplier wallMillis;
    private final LedgerWriter writer;
    private final LedgerHistory history;
    private final Refunds refunds;
    private final EpochBooks books;
    private volatile PublishedSnapshot published;
    private volatile SortedSet<String> accountNames = Collections.emptySortedSet();
    private volatile AccountMembers members = AccountMembers.NONE;
    /** The time before this process, in which no epoch was recorded; empty if there was none. */
    private volatile String unmeasured = "";

    private long openedMillis;
    private volatile QueueHost host = QueueHost.NONE;

    /**
     * @param wallMillis wall clock, milliseconds since 1970; used for labels only
     * @param longestWait limit of the time that a change waits for the store
     */
    public Market(MarketTerms terms, LedgerStore store, LongSupplier wallMillis, Duration longestWait) {
        this.terms = terms;
        this.wallMillis = wallMillis;
        this.history = new LedgerHistory(store);
        this.writer = new LedgerWriter(store, wallMillis, longestWait, this::stored);
        this.refunds = new Refunds(writer, history, wallMillis);
        this.books = new EpochBooks(terms, writer, refunds, wallMillis);
        this.published = PublishedSnapshot.nothing(wallMillis.getAsLong());
    }

    /**
     * Becomes the leader in the store and reads the ledger.
     *
     * @throws IOException one sentence, if that is not possible
     */
    public void open() throws IOException {
        writer.open();
        refunds.begin();
        long since = wallMillis.getAsLong() - HISTORY_MILLIS;
        history.read(since, writer.read(ledger -> List.copyOf(ledger.requests().values())));
        published = PublishedSnapshot.nothing(wallMillis.getAsLong());
        accountNames = writer.read(LedgerState::queueNames);
        try {
            members = writer.read(AccountLives::members);
            writer.read(Incomes::all); // as long as one has terms that are not understood, none is paid
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        tellUnmeasured();
    }

    /** Nobody measured what was used between the last recorded epoch and now, so it is never charged. */
    private void tellUnmeasured() {
        openedMillis = wallMillis.getAsLong();
        Instant until = Instant.ofEpochMilli(openedMillis);
        Instant from = history.until();
        if (until.minusMillis(terms.intervalMillis()).isAfter(from)) {
            unmeasured = "Use from " + from.truncatedTo(ChronoUnit.SECONDS) + " to "
                    + until.truncatedTo(ChronoUnit.SECONDS)
                    + " is in no bill, because no market that could write the ledger measured it";
            LOG.warn("{}", unmeasured);
        }
    }

    /** Sets the scheduler of the queues. */
    public void setQueueHost(QueueHost newHost) {
        this.host = newHost;
    }

    private void stored(Transaction transaction) {
        history.add(transaction);
        boolean renamed = false;
        boolean joined = false;
        for (LedgerChange change : transaction.changes()) {
            renamed |= change instanceof LedgerChange.QueueClosed || change instanceof LedgerChange.QueueOpened;
            joined |= change instanceof LedgerChange.RecordPut put && AccountLives.concerns(put.record(), members);
        }
        if (renamed) {
            accountNames = writer.read(LedgerState::queueNames);
        }
        if (joined) {
            members = writer.read(AccountLives::members);
        }
        if (transaction.epoch() != null) {
            refunds.pay();
        }
    }

    // ---- for the scheduler ----

    /** Names of all queues with an account. Takes no lock. */
    public SortedSet<String> accountNames() {
        return Collections.unmodifiableSortedSet(accountNames);
    }

    /** Whether an account has credit; true if there is no such account. Takes the ledger's lock for a moment. */
    public boolean hasCredit(String account) {
        Funds funds = writer.read(ledger -> ledger.find(account));
        return funds == null || funds.balanceNanos() > 0;
    }

    /** Opens accounts for configured queues without one; does not wait for the store. */
    public void openAccounts(Collection<String> queues) {
        books.openAccounts(queues);
    }

    /** Ends the running epoch and begins the next one. */
    public void rollOver(Function<EpochTerms, @Nullable ClosedEpoch> work) {
        books.rollOver(work);
    }

    /** A container that the cluster ended in the epoch that ends now: what it cost is given back. Takes no lock. */
    public void refund(LostAttempt attempt) {
        refunds.add(attempt);
    }

    /** Pays all incomes that are due; does not wait for the store. */
    public void payIncomes() {
        books.payIncomes(history::slotNanos);
    }

    /** Publishes a snapshot of the running epoch for readers. Takes no lock. */
    public void publish(EpochSnapshot snapshot) {
        published = new PublishedSnapshot(snapshot, wallMillis.getAsLong());
    }

    private EpochReport report(EpochSnapshot snapshot) {
        Map<String, Funds> all = new HashMap<>();
        writer.read(ledger -> {
            ledger.forEachQueue(all::put);
            return all;
        });
        return snapshot.report(queue -> all.getOrDefault(queue, Funds.NONE));
    }

    // ---- reads ----

    public MarketStatus status() {
        PublishedSnapshot now = seen();
        StoreState state = writer.state();
        String problem = writer.problem();
        long nowMillis = wallMillis.getAsLong();
        String untold = nowMillis - openedMillis < TOLD_MILLIS ? unmeasured : "";
        return writer.read(
                ledger -> now.status(terms, ledger, nowMillis, state, problem, untold, books.unbilledEpochs()));
    }

    /** The published snapshot; its derived values are computed by its first reader. */
    private PublishedSnapshot seen() {
        PublishedSnapshot now = published;
        now.compute(this::report);
        return now;
    }

    /** Every queue, by name. */
    public List<QueueStatus> queues() {
        PublishedSnapshot now = seen();
        Map<String, Funds> fundsOf = writer.read(LedgerState::queues);
        List<QueueStatus> queues = new ArrayList<>(fundsOf.size());
        fundsOf.forEach((name, funds) -> queues.add(now.queue(terms, name, funds)));
        return queues;
    }

    /** @throws MarketException {@code UNKNOWN_QUEUE} */
    public QueueStatus queue(String queue) throws MarketException {
        Funds funds = writer.read(ledger -> ledger.find(queue));
        if (funds == null) {
            throw LedgerOperations.unknown(queue);
        }
        return seen().queue(terms, queue, funds);
    }

    private AccountLife life(String reference) throws MarketException {
        AccountLife life = writer.read(ledger -> AccountLives.find(ledger, reference));
        if (life == null) {
            throw LedgerOperations.unknown(reference);
        }
        return writer.read(ledger -> AccountLives.cut(ledger, life));
    }

    /**
     * Whose lines a statement has: the open account, or the one that was closed last with its number; else the name.
     */
    public String reference(String name) {
        AccountLife life = writer.read(ledger -> AccountLives.find(ledger, name));
        return life == null ? name : life.reference();
    }

    /** The roles of a user, by the references of accounts. Takes no lock. */
    public Map<String, AccountRole> rolesOf(String user) {
        return members.of(user);
    }

    /** The owners and managers of an account; the user of its name if nobody is on record as its owner. */
    public Set<String> spenders(String account) {
        return members.spenders(account);
    }

    /** Whether a user owns an account by its name. A closed account only until the name is opened again. */
    public boolean ownsByName(String user, String reference) {
        AccountMembers present = members;
        if (reference.indexOf(AccountLife.MARK) < 0) {
            return present.ownsByName(user, reference);
        }
        return writer.read(ledger -> AccountLives.ownedByName(ledger, present, user, reference));
    }

    /**
     * The account with a name, or the parent queue of accounts, and its members.
     *
     * @throws MarketException {@code UNKNOWN_QUEUE}
     */
    public AccountLife account(String name) throws MarketException {
        boolean isParent = accountNames.subSet(name + ".", name + "/").size() > 0 || host.openingProblem(name) == null;
        String existing = isParent ? name : known(name);
        return writer.read(ledger -> AccountLives.cut(ledger, AccountLives.open(ledger, existing)));
    }

    /** All closed accounts, in the order of their ends. */
    public List<AccountLife> closedAccounts() {
        return writer.read(AccountLives::closed);
    }

    private String known(String queue) throws MarketException {
        if (writer.read(ledger -> ledger.find(queue)) == null) {
            throw LedgerOperations.unknown(queue);
        }
        return queue;
    }

    /**
     * Closed epochs that began in a time, oldest first.
     *
     * @param most limit of the points, 1 or more; neighbours are merged to keep it
     */
    public List<PricePoint> prices(Instant from, Instant to, int most) {
        return history.prices(from, to, most);
    }

    /**
     * A queue's balance over a time, oldest first: one point for each change; some points are left out if there are
     * more than {@code most}.
     *
     * @throws MarketException {@code UNKNOWN_QUEUE}
     */
    public List<BalancePoint> balances(String queue, Instant from, Instant to, int most) throws MarketException {
        Instant opened = Instant.ofEpochMilli(life(known(queue)).openedMillis());
        return history.balances(queue, from.isBefore(opened) ? opened : from, to, most);
    }

    /**
     * Lines of a queue's statement, oldest first.
     *
     * @throws MarketException {@code UNKNOWN_QUEUE}, {@code STORE_OUTAGE}
     */
    public List<StatementLine> statement(StatementRange range) throws MarketException {
        return history.statement(range.of(life(range.queue())));
    }

    /**
     * The costs of a queue's applications in a time, largest first. The last one may be the sum of those that are not
     * listed. All together are the queue's charges since charges were recorded for applications.
     *
     * @param most limit of the listed ones
     * @throws MarketException {@code UNKNOWN_QUEUE}, {@code STORE_OUTAGE}
     */
    public List<ApplicationCost> applications(String queue, Instant from, Instant to, ApplicationCost.By by, int most)
            throws MarketException {
        return history.applications(life(queue), from, to, by, most);
    }

    /**
     * The audit, oldest first, from the store.
     *
     * @param after only entries with a larger sequence
     * @param most limit of the entries
     * @throws MarketException {@code STORE_OUTAGE}
     */
    public List<AuditEntry> audit(long after, int most) throws MarketException {
        return history.audit(after, most);
    }

    /** Income schedules, by id. */
    public List<IncomeSchedule> incomes() {
        return writer.read(Incomes::all);
    }

    /**
     * The last entries of the audit before a number, oldest first.
     *
     * @param before only entries with a smaller sequence; 0 for the newest ones
     * @param most limit of the entries
     * @throws MarketException {@code STORE_OUTAGE}, if entries are asked for that are not in memory
     */
    public List<AuditEntry> auditBefore(long before, int most) throws MarketException {
        long newest = writer.read(LedgerState::auditSequence);
        long end = before > 0 && before <= newest ? before : newest + 1;
        long after = Math.max(0, end - 1 - most);
        // A store that has dropped its oldest entries answers with later ones.
        return audit(after, most).stream()
                .filter(entry -> entry.sequence() < end)
                .toList();
    }

    /** All records of a kind, by id; see {@link MarketRecord}. */
    public Map<String, MarketRecord> records(String kind) {
        return writer.read(ledger -> new java.util.TreeMap<>(ledger.records(kind)));
    }

    /**
     * The cost and the duration of a piece of work.
     *
     * @throws MarketException {@code UNKNOWN_QUEUE}, {@code INVALID}
     */
    public Quote quote(QuoteRequest request) throws MarketException {
        QueueStatus queue = queue(request.queue());
        MarketStatus now = status();
        long own = queue.effectiveRate().nanos();
        Instant to = now.now().plusSeconds(1);
        return PriceForecast.quote(
                request,
                terms,
                history.prices(to.minusMillis(HISTORY_MILLIS), to, MOST_POINTS),
                Math.max(0, now.price().nanos() - own),
                own,
                now.capacity().nanos(),
                queue.budget(),
                new SpendingRate(LedgerOperations.HIGHEST_RATE));
    }

    /**
     * Expected prices at equal steps from the next epoch on.
     *
     * @param points 1 to 1,000
     */
    public List<ForecastPoint> forecast(Duration horizon, int points) {
        MarketStatus now = status();
        Instant to = now.now().plusSeconds(1);
        return PriceForecast.forecast(
                history.prices(to.minusMillis(HISTORY_MILLIS), to, Integer.MAX_VALUE),
                now.price().nanos(),
                now.nextEpoch(),
                horizon,
                Math.max(1, Math.min(MOST_POINTS, points)),
                terms.intervalMillis());
    }

    // ---- changes ----

    /** @throws MarketException {@code UNKNOWN_QUEUE} */
    public Receipt setSpending(Mutation by, String queue, SpendingRate rate) throws MarketException {
        return writer.change(
                by, "set-spending", queue, Map.of("rate", rate.toString()), LedgerOperations.rate(queue, rate));
    }

    /**
     * Creates credits and pays them into a queue.
     *
     * @param amount more than 0
     * @throws MarketException {@code UNKNOWN_QUEUE}, {@code OVERFLOW}
     */
    public Receipt addBudget(Mutation by, String queue, Credits amount, String text) throws MarketException {
        return writer.change(
                by,
                "add-budget",
                queue,
                LedgerOperations.details(amount, text),
                LedgerOperations.deposit(queue, amount, text));
    }

    /**
     * Gives a queue back what it was charged, for an application that failed through no fault of its own.
     *
     * @param amount more than 0
     * @param text with the application
     * @throws MarketException {@code UNKNOWN_QUEUE}, {@code OVERFLOW}
     */
    public Receipt refund(Mutation by, String queue, Credits amount, String text) throws MarketException {
        Map<String, String> details = LedgerOperations.details(amount, text);
        return writer.change(by, "refund", queue, details, LedgerOperations.refund(queue, amount, text));
    }

    /**
     * Takes credits out of a queue and destroys them.
     *
     * @param amount more than 0
     * @throws MarketException {@code UNKNOWN_QUEUE}, {@code INSUFFICIENT_CREDITS}
     */
    public Receipt withdraw(Mutation by, String queue, Credits amount, String text) throws MarketException {
        return writer.change(
                by,
                "withdraw",
                queue,
                LedgerOperations.details(amount, text),
                LedgerOperations.withdrawal(queue, amount, text));
    }

    /**
     * Moves credits from one queue to another.
     *
     * @param amount more than 0
     * @throws MarketException {@code UNKNOWN_QUEUE}, {@code INSUFFICIENT_CREDITS}, {@code OVERFLOW}
     */
    public Receipt transfer(Mutation by, String from, String to, Credits amount, String text) throws MarketException {
        Map<String, String> details = LedgerOperations.details(amount, text);
        details.put("to", to);
        return writer.change(by, "transfer", from, details, LedgerOperations.transfer(from, to, amount, text));
    }

    /**
     * Opens a queue below the root or below a parent queue of the file, with no budget and rate 0.
     *
     * @param queue its last part is 1 to 100 characters of {@code A-Za-z0-9_-}
     * @throws MarketException {@code QUEUE_EXISTS}
     */
    public Receipt addQueue(Mutation by, String queue) throws MarketException {
        LedgerOperations.checkName(queue);
        int dot = queue.lastIndexOf('.');
        String problem = dot < 0 ? null : host.openingProblem(queue.substring(0, dot));
        if (problem != null) {
            throw new MarketException(Reason.INVALID, problem);
        }
        Receipt receipt = writer.change(by, "add-queue", queue, Map.of(), LedgerOperations.opening(queue));
        host.changed();
        return receipt;
    }

    /**
     * Opens the queues that do not exist, pays budgets in and sets rates: all of it in one transaction, or nothing. The
     * receipt's balance is the sum of the budgets.
     *
     * @param accounts 1 to {@value #MOST_IMPORTED}, each queue once
     * @throws MarketException {@code INVALID} naming every account that is wrong, {@code OVERFLOW}
     */
    public Receipt importAccounts(Mutation by, List<AccountImport> accounts) throws MarketException {
        SortedSet<String> known = writer.read(LedgerState::queueNames);
        AccountImports.check(accounts, queue -> known.contains(queue) || queue.matches(LedgerOperations.QUEUE_NAME));
        Receipt receipt = writer.change(
                by, "import-accounts", "", AccountImports.details(accounts), AccountImports.transaction(accounts));
        host.changed();
        return receipt;
    }

    /**
     * Closes a queue. Its remaining credits are destroyed; the receipt's balance is their amount.
     *
     * @throws MarketException {@code UNKNOWN_QUEUE}, {@code QUEUE_IN_USE}
     */
    public Receipt removeQueue(Mutation by, String queue) throws MarketException {
        String problem = writer.read(ledger -> ledger.find(queue)) == null ? null : host.removalProblem(queue);
        if (problem != null) {
            throw new MarketException(Reason.QUEUE_IN_USE, problem);
        }
        Receipt receipt = writer.change(by, "remove-queue", queue, Map.of(), LedgerOperations.closing(queue));
        host.changed();
        return receipt;
    }

    /**
     * Gives a user a role on an account, or takes it away.
     *
     * @param role null for none
     * @throws MarketException {@code UNKNOWN_QUEUE}
     */
    public Receipt setMember(Mutation by, String account, String user, @Nullable AccountRole role)
            throws MarketException {
        AccountLives.checkMember(user);
        account(account);
        String word = role == null ? "none" : role.word();
        Receipt receipt = writer.change(
                by,
                "set-member",
                account,
                Map.of("user", user, "role", word),
                AccountLives.member(account, user, role));
        host.changed();
        return receipt;
    }

    /**
     * Sets an income schedule; replaces one with the same id. Nothing is paid for times in the past.
     *
     * @throws MarketException {@code UNKNOWN_QUEUE}; {@code INVALID} if it starts more than one period ago
     */
    public Receipt setIncome(Mutation by, IncomeSchedule schedule) throws MarketException {
        return writer.change(
                by,
                "set-income",
                schedule.id(),
                Incomes.details(schedule),
                Incomes.setting(schedule, wallMillis.getAsLong()));
    }

    /** @throws MarketException {@code UNKNOWN_INCOME} */
    public Receipt removeIncome(Mutation by, String id) throws MarketException {
        return writer.change(by, "remove-income", id, Map.of(), Incomes.removal(id));
    }

    /**
     * Stores only the mutation's records.
     *
     * @param action its name in the audit, for example {@code revoke-key}
     * @param target the changed thing
     */
    public Receipt record(Mutation by, String action, String target) throws MarketException {
        return writer.change(by, action, target, LedgerOperations.recordDetails(by), LedgerOperations.nothing());
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
