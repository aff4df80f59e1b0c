// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.api;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.heddle.market.ledger.Market;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.AccountImport;
import org.heddle.market.model.change.AccountRole;
import org.heddle.market.model.change.ApplicationCost;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.IncomeSchedule;
import org.heddle.market.model.change.IncomeTerms;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.Receipt;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.change.StatementRange;
import org.heddle.market.model.naming.AccountNames;
import org.heddle.market.model.status.MarketStatus;
import org.heddle.market.model.status.QueueStatus;
import org.heddle.market.model.status.QuoteRequest;
import org.heddle.market.quote.Stage;
import org.heddle.market.security.Access;
import org.heddle.market.security.Access.Action;
import org.heddle.market.security.Caller;
import org.heddle.market.security.RefusedException;
import org.jspecify.annotations.Nullable;

/**
 * The routes of the JSON API for the market. Permissions are checked first, so that a refusal does not tell what
 * exists.
 */
public final class MarketApi {
    private static final long LONGEST_FORECAST_MINUTES = 7L * 24 * 60;

    /** As many of an account's charges are read for its rates: a day has 4,320 of them by default. */
    private static final int MOST_CHARGES = 10_000;

    private MarketApi() {}

    public static List<Route> routes() {
        return List.of(
                Route.get("price", MarketApi::price),
                Route.get("time", MarketApi::time),
                Route.get("status", MarketApi::status),
                Route.get("prices", MarketApi::prices, "from", "to", "points"),
                Route.get("forecast", MarketApi::forecast, "minutes", "points"),
                Route.get("whoami", MarketApi::whoAmI),
                Route.get("accounts", MarketApi::accounts),
                Route.change("POST", "accounts", MarketApi::open, "name"),
                Route.get("accounts/{name}", MarketApi::account),
                Route.change("DELETE", "accounts/{name}", MarketApi::close),
                Route.change("PUT", "accounts/{name}/rate", MarketApi::setRate, "rate"),
                Route.change("POST", "accounts/{name}/deposits", MarketApi::deposit, "amount", "text"),
                Route.change("POST", "accounts/{name}/withdrawals", MarketApi::withdraw, "amount", "text"),
                Route.change("POST", "accounts/{name}/refunds", MarketApi::refund, "amount", "application", "text"),
                Route.get("accounts/{name}/statement", MarketApi::statement, "from", "to", "after", "before", "most"),
                Route.get("accounts/{name}/applications", MarketApi::applications, "from", "to", "by", "most"),
                Route.get("accounts/{name}/balances", MarketApi::balances, "from", "to", "points"),
                Route.get("accounts/{name}/rates", MarketApi::rates, "from", "to", "points"),
                Route.change("POST", "imports", MarketApi::importAccounts, "budgets", "rates"),
                Route.change("POST", "transfers", MarketApi::transfer, "from", "to", "amount", "text"),
                Route.ask(
                        "quotes",
                        MarketApi::quote,
                        "account",
                        "rate",
                        "slotSeconds",
                        "stages",
                        "mostSlots",
                        "withinSeconds"),
                Route.get("accounts/{name}/members", MarketApi::members),
                Route.change("PUT", "accounts/{name}/members/{user}", MarketApi::setMember, "role"),
                Route.change("DELETE", "accounts/{name}/members/{user}", MarketApi::removeMember),
                Route.get("closed", MarketApi::closed, "from", "to"),
                Route.get("incomes", MarketApi::incomes),
                Route.change(
                        "PUT",
                        "incomes/{id}",
                        MarketApi::setIncome,
                        "total",
                        "everySeconds",
                        "weights",
                        "startMillis",
                        "cap",
                        "zone",
                        "perSlot",
                        "rollOver"),
                Route.change("DELETE", "incomes/{id}", MarketApi::removeIncome),
                Route.get("audit", MarketApi::audit, "after", "before", "most"));
    }

    private static ApiResponse price(ApiRequest x) {
        return ApiResponse.ok(MarketJson.Price.of(x.market().status()));
    }

    private static ApiResponse time(ApiRequest x) {
        MarketStatus status = x.market().status();
        return ApiResponse.ok(
                new MarketJson.Time(Instant.ofEpochMilli(x.nowMillis()), status.epoch(), status.epochStart()));
    }

    private static ApiResponse status(ApiRequest x) {
        return ApiResponse.ok(MarketJson.Status.of(x.market().status()));
    }

    private static ApiResponse prices(ApiRequest x) throws RefusedException {
        return ApiResponse.ok(new MarketJson.Prices(x.market().prices(x.from(), x.to(), x.points())));
    }

    private static ApiResponse forecast(ApiRequest x) throws RefusedException {
        Duration horizon = Duration.ofMinutes(x.parameter("minutes", 60, 1, LONGEST_FORECAST_MINUTES));
        int points = (int) x.parameter("points", 60, 1, 1_000);
        return ApiResponse.ok(new MarketJson.Forecast(x.market().forecast(horizon, points)));
    }

    private static ApiResponse whoAmI(ApiRequest x) {
        return ApiResponse.ok(MarketJson.WhoAmI.of(x.caller()));
    }

    private static ApiResponse accounts(ApiRequest x) {
        return ApiResponse.ok(new MarketJson.Accounts(x.market().queues().stream()
                .filter(queue -> x.may(Action.READ_ACCOUNT, queue.name()))
                .map(queue -> MarketJson.Account.of(queue, x))
                .toList()));
    }

    /** The queues that a caller may see. */
    public static List<QueueStatus> seen(Market market, Caller caller) {
        return market.queues().stream()
                .filter(queue -> Access.allows(caller, Action.READ_ACCOUNT, queue.name(), market::ownsByName))
                .toList();
    }

    private static ApiResponse account(ApiRequest x) throws RefusedException, MarketException {
        x.demand(Action.READ_ACCOUNT, x.account());
        QueueStatus queue = x.market().queue(x.account());
        return ApiResponse.ok(new MarketJson.OneAccount(MarketJson.Account.of(queue, x)));
    }

    private static ApiResponse open(ApiRequest x) throws RefusedException, MarketException {
        String name = AccountNames.account(x.text("name"));
        int dot = name.lastIndexOf('.');
        if (dot < 0) {
            x.demand(Action.ADMINISTER, Access.NO_ACCOUNT);
        } else {
            x.demand(Action.DELEGATE, name.substring(0, dot));
        }
        Receipt receipt = x.market().addQueue(x.mutation(), name);
        return ApiResponse.json(ApiResponse.CREATED, receipt);
    }

    private static ApiResponse close(ApiRequest x) throws RefusedException, MarketException {
        x.demand(Action.ADMINISTER, x.account());
        return receipt(x.market().removeQueue(x.mutation(), x.account()));
    }

    private static ApiResponse members(ApiRequest x) throws RefusedException, MarketException {
        x.demand(Action.READ_STATEMENT, x.account());
        return ApiResponse.ok(MarketJson.Members.of(x.market().account(x.account())));
    }

    private static ApiResponse setMember(ApiRequest x) throws RefusedException, MarketException {
        return member(x, x.value("role", AccountRole::of));
    }

    private static ApiResponse removeMember(ApiRequest x) throws RefusedException, MarketException {
        return member(x, null);
    }

    /** Managers make readers and managers; who is or becomes an owner is the owners' matter. */
    private static ApiResponse member(ApiRequest x, @Nullable AccountRole role)
            throws RefusedException, MarketException {
        String account = x.account();
        String user = x.path().get(1);
        x.demand(Action.DELEGATE, account);
        boolean owns = x.market().account(account).members().get(user) == AccountRole.OWNER;
        if (owns || role == AccountRole.OWNER) {
            x.demand(Action.GIVE_OWNERSHIP, account);
        }
        x.countChange(account);
        return receipt(x.market().setMember(x.mutation(), account, user, role));
    }

    private static ApiResponse setRate(ApiRequest x) throws RefusedException, MarketException {
        x.demand(Action.SET_RATE, x.account());
        SpendingRate rate = x.value("rate", SpendingRate::parse);
        x.countChange(x.account());
        return receipt(x.market().setSpending(x.replacement("the rate of " + x.account()), x.account(), rate));
    }

    private static ApiResponse deposit(ApiRequest x) throws RefusedException, MarketException {
        x.demand(Action.MINT, x.account());
        return receipt(x.market().addBudget(x.mutation(), x.account(), amount(x), x.text("text", "")));
    }

    private static ApiResponse withdraw(ApiRequest x) throws RefusedException, MarketException {
        x.demand(Action.MINT, x.account());
        return receipt(x.market().withdraw(x.mutation(), x.account(), amount(x), x.text("text", "")));
    }

    private static ApiResponse refund(ApiRequest x) throws RefusedException, MarketException {
        x.demand(Action.MINT, x.account());
        String application = x.text("application");
        if (!application.matches("application_[0-9]{1,20}_[0-9]{1,10}")) {
            throw RefusedException.badRequest("application = '" + AccountNames.shown(application)
                    + "' is no id of an application, as application_1700000000000_0042");
        }
        String why = x.text("text", "");
        String text = why.isEmpty() ? application : application + ": " + why;
        return receipt(x.market().refund(x.mutation(), x.account(), amount(x), text));
    }

    private static ApiResponse importAccounts(ApiRequest x) throws RefusedException, MarketException {
        x.demand(Action.ADMINISTER, Access.NO_ACCOUNT);
        Map<String, String> budgets = x.texts("budgets", "{\"ACCOUNT\": \"1.5\"}");
        Map<String, String> rates = x.texts("rates", "{\"ACCOUNT\": \"0.5\"}");
        if (!rates.keySet().equals(budgets.keySet())) {
            throw RefusedException.badRequest("'budgets' and 'rates' must name the same accounts");
        }
        List<AccountImport> accounts = new ArrayList<>();
        for (Map.Entry<String, String> budget : budgets.entrySet()) {
            String account = budget.getKey();
            accounts.add(new AccountImport(
                    AccountNames.account(account),
                    parsed("the budget of " + account, budget.getValue(), Credits::parse),
                    parsed("the rate of " + account, rates.getOrDefault(account, ""), SpendingRate::parse)));
        }
        return ApiResponse.json(ApiResponse.CREATED, x.market().importAccounts(x.mutation(), accounts));
    }

    private static <T> T parsed(String what, String text, Function<String, T> parser) throws RefusedException {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw RefusedException.badRequest(AccountNames.shown(what) + ": " + e.getMessage());
        }
    }

    private static ApiResponse transfer(ApiRequest x) throws RefusedException, MarketException {
        String from = AccountNames.account(x.text("from"));
        x.demand(Action.TAKE, from);
        x.countChange(from);
        String to = AccountNames.account(x.text("to"));
        return receipt(x.market().transfer(x.mutation(), from, to, amount(x), x.text("text", "")));
    }

    private static Credits amount(ApiRequest x) throws RefusedException {
        Credits amount = x.value("amount", Credits::parse);
        if (!amount.isPositive()) {
            throw RefusedException.badRequest("amount = " + amount + " must be more than 0");
        }
        return amount;
    }

    private static ApiResponse receipt(Receipt receipt) {
        return ApiResponse.ok(receipt);
    }

    private static ApiResponse statement(ApiRequest x) throws RefusedException, MarketException {
        x.demand(Action.READ_STATEMENT, x.reference());
        StatementRange range = isFromTheEnd(x) ? last(x, before(x), x.most()) : first(x);
        List<StatementLine> lines = x.market().statement(range);
        return x.wantsCsv() ? csv(StatementCsv.write(lines)) : ApiResponse.ok(new MarketJson.Statement(lines));
    }

    private static StatementRange first(ApiRequest x) throws RefusedException {
        long after = x.parameter("after", 0, 0, Long.MAX_VALUE);
        return StatementRange.first(x.reference(), x.from().toEpochMilli(), x.to().toEpochMilli(), after, x.most());
    }

    private static StatementRange last(ApiRequest x, long before, int most) throws RefusedException {
        return StatementRange.last(x.reference(), x.from().toEpochMilli(), x.to().toEpochMilli(), before, most);
    }

    /** Its number; 0 means the newest ones. */
    private static long before(ApiRequest x) throws RefusedException {
        long before = x.parameter("before", 0, 0, Long.MAX_VALUE);
        return before == 0 ? Long.MAX_VALUE : before;
    }

    private static boolean isFromTheEnd(ApiRequest x) throws RefusedException {
        if (x.query().containsKey("after") && x.query().containsKey("before")) {
            throw RefusedException.badRequest("after and before exclude each other; send one of them");
        }
        return x.query().containsKey("before");
    }

    private static ApiResponse rates(ApiRequest x) throws RefusedException, MarketException {
        x.demand(Action.READ_STATEMENT, x.reference());
        List<StatementLine> changes = new ArrayList<>();
        for (StatementLine line : x.market().statement(last(x, Long.MAX_VALUE, MOST_CHARGES))) {
            boolean isSame =
                    !changes.isEmpty() && changes.get(changes.size() - 1).rate().equals(line.rate());
            if (line.kind() == StatementLine.Kind.CHARGE && !isSame) {
                changes.add(line);
            }
        }
        List<MarketJson.RatePoint> shown =
                changes.subList(Math.max(0, changes.size() - x.points()), changes.size()).stream()
                        .map(line -> new MarketJson.RatePoint(line.at(), line.rate()))
                        .toList();
        return ApiResponse.ok(new MarketJson.Rates(shown));
    }

    private static ApiResponse applications(ApiRequest x) throws RefusedException, MarketException {
        x.demand(Action.READ_STATEMENT, x.reference());
        ApplicationCost.By by = x.choice("by", ApplicationCost.By.APPLICATION, ApplicationCost.By.values());
        List<ApplicationCost> costs = x.market().applications(x.reference(), x.from(), x.to(), by, x.most());
        return x.wantsCsv() ? csv(StatementCsv.writeCosts(costs)) : ApiResponse.ok(new MarketJson.Applications(costs));
    }

    private static ApiResponse csv(String csv) {
        return ApiResponse.of("text/csv; charset=utf-8", csv.getBytes(StandardCharsets.UTF_8));
    }

    /** Closed accounts whose last lines are in a time or after it. */
    private static ApiResponse closed(ApiRequest x) throws RefusedException {
        Instant from = x.from();
        Instant to = x.to();
        return ApiResponse.ok(new MarketJson.ClosedAccounts(x.market().closedAccounts().stream()
                .filter(life -> x.may(Action.READ_STATEMENT, life.reference()))
                .map(MarketJson.ClosedAccount::of)
                .filter(each -> !each.closed().isBefore(from) && each.opened().isBefore(to))
                .toList()));
    }

    private static ApiResponse balances(ApiRequest x) throws RefusedException, MarketException {
        x.demand(Action.READ_ACCOUNT, x.account());
        return ApiResponse.ok(new MarketJson.Balances(x.market().balances(x.account(), x.from(), x.to(), x.points())));
    }

    private static ApiResponse quote(ApiRequest x) throws RefusedException, MarketException {
        String account = AccountNames.account(x.text("account"));
        x.demand(Action.QUOTE, account);
        Slots most = x.body().containsKey("mostSlots") ? x.value("mostSlots", Slots::parse) : Slots.ZERO;
        long within = x.number("withinSeconds", 0L, 0, 366L * 86_400) * 1_000;
        QuoteRequest request = new QuoteRequest(account, x.value("rate", SpendingRate::parse), stages(x), most, within);
        return ApiResponse.ok(x.market().quote(request));
    }

    /** Stages as one text with commas between, or slot-seconds that can be divided at will. */
    private static List<Stage> stages(ApiRequest x) throws RefusedException {
        if (!x.body().containsKey("stages")) {
            return List.of(QuoteRequest.fluid(x.number("slotSeconds", null, 1, 1L << 40) * 1_000));
        }
        String[] texts = x.text("stages").split(",", -1);
        if (texts.length > QuoteRequest.MOST_STAGES) {
            throw RefusedException.badRequest(
                    "stages has " + texts.length + " stages; send 1 to " + QuoteRequest.MOST_STAGES);
        }
        List<Stage> stages = new ArrayList<>();
        for (String text : texts) {
            stages.add(parsed("stages", text.strip(), Stage::parse));
        }
        return stages;
    }

    private static ApiResponse incomes(ApiRequest x) throws RefusedException {
        x.demand(Action.AUDIT, Access.NO_ACCOUNT);
        return ApiResponse.ok(MarketJson.Incomes.of(x.market().incomes()));
    }

    private static ApiResponse setIncome(ApiRequest x) throws RefusedException, MarketException {
        x.demand(Action.ADMINISTER, Access.NO_ACCOUNT);
        Credits cap = x.body().containsKey("cap") ? x.value("cap", Credits::parse) : Credits.ZERO;
        Credits total = x.value("total", Credits::parse);
        Duration every = IncomeSchedule.MONTH;
        if (!x.body().containsKey("zone")) {
            every = Duration.ofSeconds(x.number("everySeconds", null, 1, 366L * 86_400));
        }
        int rollOver = IncomeTerms.ALL;
        if (x.body().containsKey("rollOver")) {
            rollOver = (int) x.number("rollOver", null, 0, 1_000);
        }
        Instant start = Instant.ofEpochMilli(x.number("startMillis", x.nowMillis(), 0, 1L << 50));
        IncomeSchedule schedule;
        try {
            boolean perSlot = x.text("perSlot", "false").equals("true");
            IncomeTerms terms = new IncomeTerms(x.text("zone", ""), perSlot, rollOver);
            schedule = new IncomeSchedule(x.path().get(0), total, every, weights(x), start, cap, terms);
        } catch (IllegalArgumentException e) {
            throw RefusedException.badRequest(String.valueOf(e.getMessage()));
        }
        return receipt(x.market().setIncome(x.replacement("income " + schedule.id()), schedule));
    }

    private static Map<String, Long> weights(ApiRequest x) throws RefusedException {
        Map<String, Long> weights = new TreeMap<>();
        for (Map.Entry<String, String> weight :
                x.texts("weights", "{\"ACCOUNT\": 1}").entrySet()) {
            String text = weight.getValue();
            if (!text.matches("[0-9]{1,10}")) {
                throw RefusedException.badRequest("the weight of " + AccountNames.shown(weight.getKey()) + " is '"
                        + AccountNames.shown(text) + "'; it must be a whole number");
            }
            weights.put(AccountNames.account(weight.getKey()), Long.valueOf(text));
        }
        return weights;
    }

    private static ApiResponse removeIncome(ApiRequest x) throws RefusedException, MarketException {
        x.demand(Action.ADMINISTER, Access.NO_ACCOUNT);
        return receipt(x.market().removeIncome(x.mutation(), x.path().get(0)));
    }

    private static ApiResponse audit(ApiRequest x) throws RefusedException, MarketException {
        x.demand(Action.AUDIT, Access.NO_ACCOUNT);
        List<AuditEntry> entries;
        if (isFromTheEnd(x)) {
            entries = x.market().auditBefore(x.parameter("before", 0, 0, Long.MAX_VALUE), x.most());
        } else {
            entries = x.market().audit(x.parameter("after", 0, 0, Long.MAX_VALUE), x.most());
        }
        return ApiResponse.ok(new MarketJson.Audit(entries));
    }
}
