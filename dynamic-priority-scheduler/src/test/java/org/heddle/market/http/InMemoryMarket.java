// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.heddle.market.ledger.Market;
import org.heddle.market.ledger.query.StatementPage;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.Share;
import org.heddle.market.model.amount.Slots;
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
import org.heddle.market.model.status.BalancePoint;
import org.heddle.market.model.status.ForecastPoint;
import org.heddle.market.model.status.MarketStatus;
import org.heddle.market.model.status.PreemptionLimit;
import org.heddle.market.model.status.PreemptionWaste;
import org.heddle.market.model.status.PricePoint;
import org.heddle.market.model.status.QueueState;
import org.heddle.market.model.status.QueueStatus;
import org.heddle.market.model.status.Quote;
import org.heddle.market.model.status.QuoteRequest;
import org.heddle.market.model.status.StoreState;
import org.heddle.market.model.terms.ChargePolicy;
import org.heddle.market.model.terms.ExhaustionPolicy;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.model.terms.Metering;
import org.heddle.market.model.terms.OutagePolicy;
import org.jspecify.annotations.Nullable;

/** A market without a scheduler, with a ledger in memory that can fail on demand; for tests of REST. */
public final class InMemoryMarket implements Market {
    static final String CLUSTER = "spruce";
    private static final long HOUR = 3_600_000;
    private static final Slots CAPACITY = Slots.of(15);
    private static final int HISTORY = 120;

    private record AccountState(Credits balance, SpendingRate rate, List<StatementLine> lines) {}

    private final Map<String, AccountState> accounts = new TreeMap<>();
    private final Map<String, IncomeSchedule> incomes = new TreeMap<>();
    private final Map<String, Map<String, MarketRecord>> records = new HashMap<>();
    private final List<AuditEntry> audit = new ArrayList<>();
    private final Map<String, Receipt> receipts = new LinkedHashMap<>();
    private final Instant opened = Instant.now();
    private @Nullable Reason failing;

    public InMemoryMarket(String... queues) {
        for (String queue : queues) {
            accounts.put(queue, new AccountState(Credits.of(1_000), SpendingRate.ZERO, new ArrayList<>()));
        }
    }

    /** From now on every change fails so; null: none. */
    public synchronized void fail(@Nullable Reason reason) {
        failing = reason;
    }

    @Override
    public synchronized MarketStatus status() {
        Credits supply = Credits.ZERO;
        for (AccountState state : accounts.values()) {
            supply = supply.plus(state.balance());
        }
        Instant now = Instant.now();
        return new MarketStatus(
                terms(),
                7,
                now.minusSeconds(5),
                now.plusSeconds(15),
                now,
                price(),
                CAPACITY,
                Slots.of(9),
                supply,
                Credits.of(12),
                accounts.size(),
                failing == null ? StoreState.WORKING : StoreState.OUTAGE,
                failing == null ? "" : "the store does not answer",
                "",
                0,
                new PreemptionWaste(
                        3, 5_400_000, 540_000_000, new PreemptionLimit(0.0075, 60_000, 135_000, 2, 96_000)));
    }

    private static MarketTerms terms() {
        return new MarketTerms(
                CLUSTER,
                20_000,
                HOUR,
                Metering.INTEGRAL,
                ChargePolicy.NONE,
                ExhaustionPolicy.FRACTIONAL,
                false,
                1_000,
                0,
                OutagePolicy.CONTINUE);
    }

    private SpendingRate price() {
        long sum = 0;
        for (AccountState state : accounts.values()) {
            sum += state.rate().nanos();
        }
        return new SpendingRate(sum);
    }

    @Override
    public synchronized List<QueueStatus> queues() {
        return accounts.keySet().stream().map(this::queueStatus).toList();
    }

    private QueueStatus queueStatus(String name) {
        AccountState state = known(name);
        boolean pays = state.rate().isPositive();
        return new QueueStatus(
                name,
                state.balance(),
                state.rate(),
                state.rate(),
                new Share(state.rate().nanos(), price().nanos()),
                Slots.parse("7.5"),
                8,
                Slots.of(1),
                1,
                43,
                pays ? QueueState.PAYING : QueueState.NO_RATE,
                Credits.ZERO,
                pays ? Optional.of(Duration.ofHours(9)) : Optional.empty());
    }

    @Override
    public synchronized QueueStatus queue(String queue) throws MarketException {
        existing(queue);
        return queueStatus(queue);
    }

    private AccountState known(String queue) {
        return Objects.requireNonNull(accounts.get(queue));
    }

    private AccountState existing(String queue) throws MarketException {
        AccountState state = accounts.get(queue);
        if (state == null) {
            throw new MarketException(Reason.UNKNOWN_QUEUE, "there is no queue '" + queue + "' in the market");
        }
        return state;
    }

    @Override
    public List<PricePoint> prices(Instant from, Instant to, int most) {
        List<PricePoint> points = new ArrayList<>();
        for (int i = 0; i < Math.min(most, HISTORY); i++) {
            Instant start = opened.minusSeconds((HISTORY - i) * 20L);
            points.add(new PricePoint(
                    i + 1,
                    1,
                    start,
                    20_000,
                    new SpendingRate(7_500_000_000L + Math.round(2e9 * Math.sin(i / 9.0))),
                    CAPACITY,
                    Slots.of(9),
                    Credits.parse("0.05"),
                    3));
        }
        return points;
    }

    @Override
    public synchronized List<BalancePoint> balances(String queue, Instant from, Instant to, int most)
            throws MarketException {
        existing(queue);
        List<BalancePoint> points = new ArrayList<>();
        for (int i = 0; i < Math.min(most, HISTORY); i++) {
            points.add(
                    new BalancePoint(opened.minusSeconds((HISTORY - i) * 20L), Credits.of(1_000 + 4L * (HISTORY - i))));
        }
        return points;
    }

    @Override
    public synchronized List<StatementLine> statement(StatementRange range) throws MarketException {
        StatementPage page = new StatementPage(range);
        for (StatementLine line : existing(range.queue()).lines()) {
            if (range.contains(line.sequence(), line.at().toEpochMilli()) && !page.isFull()) {
                page.add(List.of(line));
            }
        }
        return page.lines();
    }

    /** One job that ran twice, and others. */
    @Override
    public synchronized List<ApplicationCost> applications(
            String queue, Instant from, Instant to, ApplicationCost.By by, int most) throws MarketException {
        existing(queue);
        boolean byName = by == ApplicationCost.By.NAME;
        String id = byName ? "" : "application_1_0001";
        return List.of(
                new ApplicationCost(
                        id, "=nightly", queue, byName ? 2 : 1, opened, opened, 7_200_000, Credits.parse("1.5")),
                new ApplicationCost("", "", "", 0, opened, opened, 3_600_000, Credits.parse("0.25")));
    }

    @Override
    public Instant historyFrom() {
        return opened;
    }

    @Override
    public synchronized List<IncomeSchedule> incomes() {
        return List.copyOf(incomes.values());
    }

    @Override
    public synchronized Quote quote(QuoteRequest request) throws MarketException {
        existing(request.queue());
        return new Quote(
                new Share(1, 3),
                Credits.of(4),
                Credits.of(3),
                Credits.of(6),
                Optional.of(Duration.ofMillis((long) request.stages().get(0).work())),
                Optional.of(Duration.ofMillis(1)),
                Optional.empty(),
                true,
                request.withinMillis() == 0 ? Optional.empty() : Optional.of(SpendingRate.parse("2.5")),
                12);
    }

    @Override
    public List<ForecastPoint> forecast(Duration horizon, int points) {
        List<ForecastPoint> all = new ArrayList<>();
        for (int i = 1; i <= points; i++) {
            all.add(new ForecastPoint(
                    opened.plus(horizon.multipliedBy(i).dividedBy(points)),
                    SpendingRate.parse("6"),
                    SpendingRate.parse("7.5"),
                    SpendingRate.parse("9")));
        }
        return all;
    }

    @Override
    public synchronized List<AuditEntry> audit(long after, int most) throws MarketException {
        if (failing != null) {
            throw new MarketException(failing, "the store does not answer");
        }
        return audit.stream()
                .filter(entry -> entry.sequence() > after)
                .limit(most)
                .toList();
    }

    @Override
    public synchronized List<AuditEntry> auditBefore(long before, int most) throws MarketException {
        List<AuditEntry> all = audit(0, Integer.MAX_VALUE).stream()
                .filter(entry -> before == 0 || entry.sequence() < before)
                .toList();
        return all.subList(Math.max(0, all.size() - most), all.size());
    }

    @Override
    public synchronized Map<String, MarketRecord> records(String kind) {
        return Map.copyOf(records.getOrDefault(kind, Map.of()));
    }

    @Override
    public synchronized Receipt setSpending(Mutation by, String queue, SpendingRate rate) throws MarketException {
        AccountState state = existing(queue);
        return done(
                by,
                "set-spending",
                queue,
                () -> accounts.put(queue, new AccountState(state.balance(), rate, state.lines())));
    }

    @Override
    public synchronized Receipt addBudget(Mutation by, String queue, Credits amount, String text)
            throws MarketException {
        existing(queue);
        if (status().moneySupply().nanos() > Long.MAX_VALUE - amount.nanos()) {
            throw new MarketException(Reason.OVERFLOW, "the ledger cannot hold so much");
        }
        return done(by, "add-budget", queue, () -> post(queue, amount, StatementLine.Kind.DEPOSIT, text));
    }

    @Override
    public synchronized Receipt withdraw(Mutation by, String queue, Credits amount, String text)
            throws MarketException {
        enough(queue, amount);
        return done(by, "withdraw", queue, () -> post(queue, amount.negated(), StatementLine.Kind.WITHDRAWAL, text));
    }

    @Override
    public synchronized Receipt transfer(Mutation by, String from, String to, Credits amount, String text)
            throws MarketException {
        enough(from, amount);
        existing(to);
        return done(by, "transfer", from, () -> {
            post(from, amount.negated(), StatementLine.Kind.TRANSFER_OUT, text);
            post(to, amount, StatementLine.Kind.TRANSFER_IN, text);
        });
    }

    private void enough(String queue, Credits amount) throws MarketException {
        if (existing(queue).balance().compareTo(amount) < 0) {
            throw new MarketException(Reason.INSUFFICIENT_CREDITS, queue + " has less than " + amount);
        }
    }

    private void post(String queue, Credits amount, StatementLine.Kind kind, String text) {
        AccountState state = known(queue);
        Credits balance = state.balance().plus(amount);
        List<StatementLine> lines = new ArrayList<>(state.lines());
        lines.add(new StatementLine(
                audit.size() + 1L, Instant.now(), kind, 0, amount, balance, SpendingRate.ZERO, 0, text));
        accounts.put(queue, new AccountState(balance, state.rate(), lines));
    }

    @Override
    public synchronized Receipt importAccounts(Mutation by, List<AccountImport> imported) throws MarketException {
        for (AccountImport account : imported) {
            if (!accounts.containsKey(account.queue()) && !account.queue().matches("[A-Za-z0-9_-]{1,100}")) {
                throw new MarketException(Reason.INVALID, "a queue cannot be called so");
            }
        }
        return done(by, "import-accounts", "", () -> {
            for (AccountImport account : imported) {
                AccountState state = accounts.getOrDefault(
                        account.queue(), new AccountState(Credits.ZERO, SpendingRate.ZERO, new ArrayList<>()));
                accounts.put(account.queue(), new AccountState(state.balance(), account.rate(), state.lines()));
                post(account.queue(), account.budget(), StatementLine.Kind.DEPOSIT, "import");
            }
        });
    }

    @Override
    public synchronized Receipt addQueue(Mutation by, String queue) throws MarketException {
        if (!queue.matches("[A-Za-z0-9_-]{1,100}")) {
            throw new MarketException(Reason.INVALID, "a queue cannot be called so");
        }
        if (accounts.containsKey(queue)) {
            throw new MarketException(Reason.QUEUE_EXISTS, "there is a queue " + queue + " already");
        }
        return done(
                by,
                "add-queue",
                queue,
                () -> accounts.put(queue, new AccountState(Credits.ZERO, SpendingRate.ZERO, new ArrayList<>())));
    }

    @Override
    public synchronized Receipt removeQueue(Mutation by, String queue) throws MarketException {
        existing(queue);
        return done(by, "remove-queue", queue, () -> accounts.remove(queue));
    }

    @Override
    public synchronized Receipt setIncome(Mutation by, IncomeSchedule schedule) throws MarketException {
        for (String queue : schedule.weights().keySet()) {
            existing(queue);
        }
        return done(by, "set-income", schedule.id(), () -> incomes.put(schedule.id(), schedule));
    }

    @Override
    public synchronized Receipt removeIncome(Mutation by, String id) throws MarketException {
        if (!incomes.containsKey(id)) {
            throw new MarketException(Reason.UNKNOWN_INCOME, "there is no income '" + id + "'");
        }
        return done(by, "remove-income", id, () -> incomes.remove(id));
    }

    @Override
    public synchronized Receipt record(Mutation by, String action, String target) throws MarketException {
        return done(by, action, target, () -> {});
    }

    @Override
    public Duration longestWait() {
        return Duration.ofSeconds(5);
    }

    private Receipt done(Mutation by, String action, String target, Runnable change) throws MarketException {
        if (failing != null) {
            throw new MarketException(failing, "the store does not answer");
        }
        String key = by.principal() + " " + by.idempotencyKey();
        Receipt before = receipts.get(key);
        if (before != null) {
            return new Receipt(before.sequence(), before.at(), before.effectiveEpoch(), before.balance(), true);
        }
        change.run();
        for (MarketRecord record : by.records()) {
            Map<String, MarketRecord> kind = records.computeIfAbsent(record.kind(), any -> new HashMap<>());
            if (record.isRemoval()) {
                kind.remove(record.id());
            } else {
                kind.put(record.id(), record);
            }
        }
        long sequence = audit.size() + 1L;
        audit.add(new AuditEntry(
                sequence,
                Instant.now(),
                by.principal(),
                by.origin(),
                action,
                target,
                Map.of("key", by.idempotencyKey()),
                "0".repeat(64),
                "f".repeat(64)));
        AccountState state = accounts.get(target);
        Receipt receipt =
                new Receipt(sequence, Instant.now(), 8, state == null ? Credits.ZERO : state.balance(), false);
        receipts.put(key, receipt);
        return receipt;
    }
}
