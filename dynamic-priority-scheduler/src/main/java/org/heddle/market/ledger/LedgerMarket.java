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
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.epoch.EpochReport;
import org.heddle.market.epoch.EpochSnapshot;
import org.heddle.market.epoch.Funds;
import org.heddle.market.ledger.book.EpochRecord;
import org.heddle.market.ledger.book.LedgerChange;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.LedgerStore;
import org.heddle.market.ledger.book.Posting;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.ledger.query.ApplicationCosts;
import org.heddle.market.ledger.query.EpochHistory;
import org.heddle.market.ledger.query.PriceForecast;
import org.heddle.market.ledger.query.PublishedSnapshot;
import org.heddle.market.ledger.query.RecentAudit;
import org.heddle.market.ledger.query.RecentCosts;
import org.heddle.market.ledger.query.RecentStatements;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.AccountImport;
import org.heddle.market.model.change.ApplicationCost;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.IncomeSchedule;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.MarketException.Reason;
import org.heddle.market.model.change.MarketRecord;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.model.change.Receipt;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.change.StatementRange;
import org.heddle.market.model.naming.AccountNames;
import org.heddle.market.model.status.BalancePoint;
import org.heddle.market.model.status.ForecastPoint;
import org.heddle.market.model.status.MarketStatus;
import org.heddle.market.model.status.PricePoint;
import org.heddle.market.model.status.QueueStatus;
import org.heddle.market.model.status.Quote;
import org.heddle.market.model.status.QuoteRequest;
import org.heddle.market.model.status.StoreState;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.model.terms.OutagePolicy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A market with its ledger in a store. The scheduler changes the epochs and publishes snapshots of the running one; all
 * others use {@link Market}. Long because that interface is wide; each method is short.
 *
 * <p>Locks: the scheduler's lock, which guards the epoch meter, is taken inside the ledger's lock ({@link #rollOver}),
 * never around it. So a thread with the scheduler's lock never waits for the ledger; of all methods here it may call
 * only {@link #publish} and {@link #accountNames}.
 */
public final class LedgerMarket implements Market, AutoCloseable {
    private static final String QUEUE_NAME = "[A-Za-z0-9_-]{1,100}";
    private static final int MOST_POINTS = 1_000;
    private static final long HISTORY_MILLIS = Duration.ofDays(7).toMillis();
    /** Bills that wait in an outage: one of a large cluster has about 200 kB. */
    private static final int MOST_WAITING = 100;
    /** How long the status tells that use before the start is in no bill. */
    private static final long TOLD_MILLIS = Duration.ofDays(1).toMillis();

    private static final Logger LOG = LoggerFactory.getLogger(LedgerMarket.class);

    private final MarketTerms terms;
    private final LedgerStore store;
    private final LongSupplier wallMillis;
    private final Duration longestWait;
    private final LedgerWriter writer;
    private final EpochHistory history = new EpochHistory();
    private final RecentCosts costs = new RecentCosts();
    private final RecentStatements statements = new RecentStatements();
    private final RecentAudit audits = new RecentAudit();
    private final AtomicLong unbilled = new AtomicLong();
    private volatile PublishedSnapshot published;
    private volatile SortedSet<String> accountNames = Collections.emptySortedSet();
    /** The time before this process, in which no epoch was recorded; empty if there was none. */
    private volatile String unmeasured = "";

    private long openedMillis;
    private volatile QueueHost host = QueueHost.NONE;

    /**
     * @param wallMillis wall clock, milliseconds since 1970; used for labels only
     * @param longestWait limit of the time that a change waits for the store
     */
    public LedgerMarket(MarketTerms terms, LedgerStore store, LongSupplier wallMillis, Duration longestWait) {
        this.terms = terms;
        this.store = store;
        this.wallMillis = wallMillis;
        this.longestWait = longestWait;
        this.writer = new LedgerWriter(store, wallMillis, longestWait, this::stored);
        this.published = PublishedSnapshot.nothing(wallMillis.getAsLong());
    }

    /**
     * Becomes the leader in the store and reads the ledger.
     *
     * @throws IOException one sentence, if that is not possible
     */
    public void open() throws IOException {
        writer.open();
        long since = wallMillis.getAsLong() - HISTORY_MILLIS;
        store.past(since, this::remember);
        writer.read(ledger -> List.copyOf(ledger.requests().values())).forEach(audits::add);
        published = PublishedSnapshot.nothing(wallMillis.getAsLong());
        accountNames = writer.read(LedgerState::queueNames);
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

    private void remember(Transaction transaction) {
        EpochRecord epoch = transaction.epoch();
        if (epoch != null) {
            history.add(epoch);
            costs.add(epoch);
        }
        if (transaction.sequence() > 0) {
            statements.add(transaction);
        }
    }

    private void stored(Transaction transaction) {
        remember(transaction);
        AuditEntry entry = transaction.audit();
        if (entry != null) {
            audits.add(entry);
        }
        for (Posting posting : transaction.postings()) {
            if (!Posting.isSystem(posting.account())) {
                history.balance(posting.account(), Instant.ofEpochMilli(transaction.atMillis()), posting.balance());
            }
        }
        boolean renamed = false;
        for (LedgerChange change : transaction.changes()) {
            if (change instanceof LedgerChange.QueueClosed closed) {
                history.forget(closed.queue());
                renamed = true;
            }
            renamed |= change instanceof LedgerChange.QueueOpened;
        }
        if (renamed) {
            accountNames = writer.read(LedgerState::queueNames);
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
        writer.post((ahead, state, waiting) -> {
            List<LedgerChange> opened = new ArrayList<>();
            for (String queue : new TreeSet<>(queues)) {
                if (ahead.find(queue) == null) {
                    opened.add(new LedgerChange.QueueOpened(queue));
                }
            }
            if (opened.isEmpty()) {
                return null;
            }
            return new Transaction(
                    ahead.sequence() + 1,
                    wallMillis.getAsLong(),
                    Transaction.Kind.OPENING,
                    "queues of the configuration",
                    List.of(),
                    opened,
                    null,
                    null);
        });
    }

    private Funds funds(LedgerState ledger, String queue) {
        Funds funds = ledger.find(queue);
        if (funds == null) {
            return Funds.NONE;
        }
        return new Funds(
                funds.balanceNanos(), funds.rateNanos(), ledger.remainderIn(terms.rateUnitMillis(), funds.remainder()));
    }

    /**
     * Ends the running epoch, writes its bills to the ledger and begins the next one. While the ledger cannot be
     * written, the bills wait, or the epoch goes on.
     *
     * @param work takes the scheduler's lock, changes the epoch with the given terms, and releases the lock; it returns
     *     null if the epoch goes on
     */
    public void rollOver(Function<EpochTerms, @Nullable ClosedEpoch> work) {
        writer.post((ahead, state, waiting) -> {
            boolean working = state == StoreState.WORKING;
            boolean goesOn = state == StoreState.OUTAGE
                    && (terms.outage() == OutagePolicy.FREEZE_RATES || waiting >= MOST_WAITING);
            if (goesOn) {
                return null;
            }
            boolean divides = working || terms.outage() != OutagePolicy.FIFO;
            ClosedEpoch closed = work.apply(new EpochTerms(queue -> funds(ahead, queue), divides));
            if (closed != null && !working && state != StoreState.OUTAGE) {
                unbilled.incrementAndGet(); // the leader bills it, if there is one
            }
            return closed == null || closed.millis() == 0 ? null : transaction(ahead, closed);
        });
    }

    private Transaction transaction(LedgerState ahead, ClosedEpoch closed) {
        long now = wallMillis.getAsLong();
        // A queue that was closed during the epoch is not charged.
        List<ClosedEpoch.Line> bills = closed.bills().stream()
                .filter(bill -> ahead.find(bill.queue()) != null)
                .toList();
        ClosedEpoch written = closed.with(bills);
        return new Transaction(
                ahead.sequence() + 1,
                now,
                Transaction.Kind.EPOCH,
                "",
                List.of(),
                List.of(),
                new EpochRecord(ahead.epoch() + 1, now - closed.millis(), terms.rateUnitMillis(), written),
                null);
    }

    /** Pays all incomes that are due; does not wait for the store. */
    public void payIncomes() {
        long now = wallMillis.getAsLong();
        boolean[] more = {true};
        while (more[0]) {
            more[0] = false;
            writer.post((ahead, state, waiting) -> {
                Transaction due = state == StoreState.WORKING ? Incomes.due(ahead, now) : null;
                more[0] = due != null;
                return due;
            });
        }
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

    @Override
    public MarketStatus status() {
        PublishedSnapshot now = seen();
        StoreState state = writer.state();
        String problem = writer.problem();
        long nowMillis = wallMillis.getAsLong();
        String untold = nowMillis - openedMillis < TOLD_MILLIS ? unmeasured : "";
        return writer.read(ledger -> now.status(terms, ledger, nowMillis, state, problem, untold, unbilled.get()));
    }

    /** The published snapshot; its derived values are computed by its first reader. */
    private PublishedSnapshot seen() {
        PublishedSnapshot now = published;
        now.compute(this::report);
        return now;
    }

    @Override
    public List<QueueStatus> queues() {
        PublishedSnapshot now = seen();
        Map<String, Funds> fundsOf = writer.read(LedgerState::queues);
        List<QueueStatus> queues = new ArrayList<>(fundsOf.size());
        fundsOf.forEach((name, funds) -> queues.add(now.queue(terms, name, funds)));
        return queues;
    }

    @Override
    public QueueStatus queue(String queue) throws MarketException {
        String name = AccountNames.account(queue);
        Funds funds = writer.read(ledger -> ledger.find(name));
        if (funds == null) {
            throw LedgerOperations.unknown(name);
        }
        return seen().queue(terms, name, funds);
    }

    private String known(String queue) throws MarketException {
        String name = AccountNames.account(queue);
        if (writer.read(ledger -> ledger.find(name)) == null) {
            throw LedgerOperations.unknown(name);
        }
        return name;
    }

    @Override
    public List<PricePoint> prices(Instant from, Instant to, int most) {
        return history.prices(from, to, most);
    }

    @Override
    public List<BalancePoint> balances(String queue, Instant from, Instant to, int most) throws MarketException {
        return history.balances(known(queue), from, to, most);
    }

    @Override
    public Instant historyFrom() {
        return history.from();
    }

    @Override
    public List<StatementLine> statement(StatementRange range) throws MarketException {
        StatementRange known = range.ofQueue(known(range.queue()));
        Optional<List<StatementLine>> recent = statements.of(known);
        if (recent.isPresent()) {
            return recent.get();
        }
        try {
            return store.statement(known);
        } catch (IOException e) {
            throw outage(e);
        }
    }

    @Override
    public List<ApplicationCost> applications(String queue, Instant from, Instant to, ApplicationCost.By by, int most)
            throws MarketException {
        String name = known(queue);
        Optional<ApplicationCosts> recent = costs.of(name, millis(from), millis(to));
        if (recent.isPresent()) {
            return recent.get().list(by, most);
        }
        try {
            return store.applications(name, millis(from), millis(to), by, most);
        } catch (IOException e) {
            throw outage(e);
        }
    }

    /** The millis of an instant; instants outside the range of a long become its ends. */
    private static long millis(Instant at) {
        if (at.isBefore(Instant.EPOCH)) {
            return 0;
        }
        if (at.isAfter(Instant.ofEpochMilli(Long.MAX_VALUE))) {
            return Long.MAX_VALUE;
        }
        return at.toEpochMilli();
    }

    @Override
    public List<AuditEntry> audit(long after, int most) throws MarketException {
        Optional<List<AuditEntry>> recent = audits.after(after, most);
        if (recent.isPresent()) {
            return recent.get();
        }
        try {
            return store.audit(after, most);
        } catch (IOException e) {
            throw outage(e);
        }
    }

    private static MarketException outage(IOException e) {
        return new MarketException(Reason.STORE_OUTAGE, "The market's ledger cannot be read now: " + e.getMessage(), e);
    }

    @Override
    public List<IncomeSchedule> incomes() {
        return writer.read(ledger -> ledger.incomes().values().stream()
                .map(LedgerState.Income::schedule)
                .toList());
    }

    @Override
    public List<AuditEntry> auditBefore(long before, int most) throws MarketException {
        long newest = writer.read(LedgerState::auditSequence);
        long end = before > 0 && before <= newest ? before : newest + 1;
        long after = Math.max(0, end - 1 - most);
        // A store that has dropped its oldest entries answers with later ones.
        return audit(after, most).stream()
                .filter(entry -> entry.sequence() < end)
                .toList();
    }

    @Override
    public Map<String, MarketRecord> records(String kind) {
        return writer.read(ledger -> new java.util.TreeMap<>(ledger.records(kind)));
    }

    @Override
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

    @Override
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

    @Override
    public Duration longestWait() {
        return longestWait;
    }

    // ---- changes ----

    @Override
    public Receipt setSpending(Mutation by, String queue, SpendingRate rate) throws MarketException {
        String name = AccountNames.account(queue);
        if (rate.nanos() > LedgerOperations.HIGHEST_RATE) {
            throw new MarketException(
                    Reason.INVALID, "A spending rate of " + rate + " is too high; set at most 1000000");
        }
        return writer.change(
                by, "set-spending", name, Map.of("rate", rate.toString()), LedgerOperations.rate(name, rate));
    }

    @Override
    public Receipt addBudget(Mutation by, String queue, Credits amount, String text) throws MarketException {
        String name = AccountNames.account(queue);
        return writer.change(
                by,
                "add-budget",
                name,
                LedgerOperations.details(amount, text),
                LedgerOperations.deposit(name, amount, text));
    }

    @Override
    public Receipt withdraw(Mutation by, String queue, Credits amount, String text) throws MarketException {
        String name = AccountNames.account(queue);
        return writer.change(
                by,
                "withdraw",
                name,
                LedgerOperations.details(amount, text),
                LedgerOperations.withdrawal(name, amount, text));
    }

    @Override
    public Receipt transfer(Mutation by, String from, String to, Credits amount, String text) throws MarketException {
        Map<String, String> details = LedgerOperations.details(amount, text);
        details.put("to", AccountNames.account(to));
        return writer.change(
                by,
                "transfer",
                AccountNames.account(from),
                details,
                LedgerOperations.transfer(AccountNames.account(from), AccountNames.account(to), amount, text));
    }

    @Override
    public Receipt addQueue(Mutation by, String queue) throws MarketException {
        String name = AccountNames.account(queue);
        if (!name.matches(QUEUE_NAME)) {
            throw new MarketException(
                    Reason.INVALID,
                    "'" + LedgerOperations.shortened(name)
                            + "' cannot name a queue; use 1 to 100 characters of A-Z, a-z, 0-9," + " '_' and '-'");
        }
        Receipt receipt = writer.change(by, "add-queue", name, Map.of(), LedgerOperations.opening(name));
        host.changed();
        return receipt;
    }

    @Override
    public Receipt importAccounts(Mutation by, List<AccountImport> accounts) throws MarketException {
        List<AccountImport> named = accounts.stream()
                .map(each -> new AccountImport(AccountNames.account(each.queue()), each.budget(), each.rate()))
                .toList();
        SortedSet<String> known = writer.read(LedgerState::queueNames);
        AccountImports.check(named, queue -> known.contains(queue) || queue.matches(QUEUE_NAME));
        Receipt receipt = writer.change(
                by, "import-accounts", "", AccountImports.details(named), AccountImports.transaction(named));
        host.changed();
        return receipt;
    }

    @Override
    public Receipt removeQueue(Mutation by, String queue) throws MarketException {
        String name = AccountNames.account(queue);
        String problem = writer.read(ledger -> ledger.find(name)) == null ? null : host.removalProblem(name);
        if (problem != null) {
            throw new MarketException(Reason.QUEUE_IN_USE, problem);
        }
        Receipt receipt = writer.change(by, "remove-queue", name, Map.of(), LedgerOperations.closing(name));
        host.changed();
        return receipt;
    }

    @Override
    public Receipt setIncome(Mutation by, IncomeSchedule schedule) throws MarketException {
        return writer.change(
                by,
                "set-income",
                schedule.id(),
                Incomes.details(schedule),
                Incomes.setting(schedule, wallMillis.getAsLong()));
    }

    @Override
    public Receipt removeIncome(Mutation by, String id) throws MarketException {
        return writer.change(by, "remove-income", id, Map.of(), Incomes.removal(id));
    }

    @Override
    public Receipt record(Mutation by, String action, String target) throws MarketException {
        return writer.change(by, action, target, LedgerOperations.recordDetails(by), LedgerOperations.nothing());
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
