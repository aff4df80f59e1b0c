// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.account;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.cli.client.MarketCommand;
import org.heddle.market.cli.client.TextTable;
import org.heddle.market.cli.client.Times;
import org.heddle.settings.Durations;
import org.heddle.settings.command.CommandException;
import org.heddle.settings.web.WebAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle market income} and its subcommands. */
@Command(
        name = "income",
        description =
                "Lists, sets and removes regular payments of new credits. You need the role admin, or auditor to list.",
        subcommands = {IncomeCommand.SetIncome.class, IncomeCommand.RemoveIncome.class})
public final class IncomeCommand extends MarketCommand {
    @Override
    protected void run(MarketClient client) {
        JsonNode answer = client.get("incomes");
        if (printed(answer)) {
            return;
        }
        TextTable table = new TextTable("income", "total", "every", "start", "cap", "roll over", "weights");
        for (JsonNode income : answer.get("incomes")) {
            StringJoiner weights = new StringJoiner(" ");
            income.get("weights")
                    .fields()
                    .forEachRemaining(weight -> weights.add(
                            weight.getKey() + "=" + weight.getValue().asText()));
            String cap = income.get("cap").asText();
            String zone = income.get("zone").asText();
            long rollOver = income.get("rollOver").asLong();
            table.add(
                    income.get("id").asText(),
                    income.get("total").asText() + (income.get("perSlot").asBoolean() ? " a slot" : ""),
                    zone.isEmpty() ? shortest(income.get("everySeconds").asLong()) : "month, " + zone,
                    time(income.get("startMillis")),
                    cap.equals("0") ? "none" : cap,
                    rollOver < 0 ? "all" : Long.toString(rollOver),
                    weights.toString());
        }
        out().print(table);
    }

    private static final String MONTH = "month";

    private static String shortest(long seconds) {
        for (Map.Entry<Long, String> unit :
                List.of(Map.entry(86_400L, "d"), Map.entry(3_600L, "h"), Map.entry(60L, "m"))) {
            if (seconds % unit.getKey() == 0) {
                return seconds / unit.getKey() + unit.getValue();
            }
        }
        return seconds + "s";
    }

    @Command(
            name = "set",
            description = "Sets an income; one with the same id is replaced. Nothing is paid for times in the past.")
    static final class SetIncome extends MarketCommand {
        @Parameters(index = "0", paramLabel = "ID", description = "Its name, for example daily.")
        @SuppressWarnings("NullAway.Init") // injected
        private String id;

        @Parameters(index = "1", paramLabel = "TOTAL", description = "Credits of each payment.")
        @SuppressWarnings("NullAway.Init") // injected
        private String total;

        @Parameters(
                index = "2..*",
                arity = "1..*",
                paramLabel = "ACCOUNT=WEIGHT",
                description = "The accounts that get it, with the weights by which it is divided.")
        private Map<String, String> weights = new LinkedHashMap<>();

        @Option(
                names = "--every",
                paramLabel = "PERIOD",
                defaultValue = "1d",
                description = "Time between two payments, for example 1h or 7d; or month: at the beginning of each"
                        + " calendar month, for the first time at the next one. Default: ${DEFAULT-VALUE}.")
        @SuppressWarnings("NullAway.Init") // injected
        private String every;

        @Option(
                names = "--zone",
                paramLabel = "ZONE",
                description = "Time zone of the months, for example Europe/Berlin. Default: UTC.")
        private @Nullable String zone;

        @Option(
                names = "--per-slot",
                description = "TOTAL is for each slot of the cluster, by its mean size over the day before: the income"
                        + " grows with the cluster.")
        private boolean perSlot;

        @Option(
                names = "--roll-over",
                paramLabel = "N",
                description = "Of what an account did not spend, it keeps at most N payments: 0 for none. By default it"
                        + " keeps all.")
        private @Nullable Integer rollOver;

        @Option(
                names = "--start",
                paramLabel = "TIME",
                description =
                        "The first payment, for example 2026-12-01 or 2026-12-01T06:00:00Z (UTC); now by default.")
        private @Nullable String start;

        @Option(
                names = "--cap",
                paramLabel = "CREDITS",
                defaultValue = "0",
                description = "Limit of a balance that the income fills; 0 for none.")
        @SuppressWarnings("NullAway.Init") // injected
        private String cap;

        @Override
        protected void run(MarketClient client) {
            Map<String, Object> body = new HashMap<>(Map.of("total", total, "weights", weights, "cap", cap));
            if (every.equals(MONTH)) {
                body.put("zone", zone == null ? "UTC" : zone);
            } else if (zone == null) {
                body.put("everySeconds", Long.toString(seconds()));
            } else {
                throw new CommandException(
                        CommandException.WRONG, "--zone is the zone of months; use it with --every month");
            }
            if (perSlot) {
                body.put("perSlot", "true");
            }
            if (rollOver != null) {
                body.put("rollOver", rollOver.toString());
            }
            if (start != null) {
                body.put("startMillis", Long.toString(Times.millis("--start", start)));
            }
            JsonNode receipt = client.change("PUT", "incomes/" + WebAddress.segment(id), body, "");
            String when = every.equals(MONTH) ? MONTH : shortest(seconds());
            printReceipt(receipt, "income " + id + " pays " + total + (perSlot ? " a slot" : "") + " every " + when);
        }

        private long seconds() {
            Duration period;
            try {
                period = Durations.parse(every, TimeUnit.SECONDS);
            } catch (IllegalArgumentException e) {
                throw new CommandException(
                        CommandException.WRONG,
                        "--every '" + every + "': must be month, or a duration such as 15s, 5m, 2h or 7d");
            }
            if (period.isZero() || period.toNanosPart() != 0) {
                throw new CommandException(
                        CommandException.WRONG, "--every " + period.toMillis() + "ms: use whole seconds, 1s or more");
            }
            return period.toSeconds();
        }
    }

    @Command(name = "remove", description = "Removes an income. Payments that were made stay.")
    static final class RemoveIncome extends MarketCommand {
        @Parameters(paramLabel = "ID", description = "Its name.")
        @SuppressWarnings("NullAway.Init") // injected
        private String id;

        @Override
        protected void run(MarketClient client) {
            printReceipt(
                    client.change("DELETE", "incomes/" + WebAddress.segment(id), Map.of(), ""),
                    "income " + id + " is removed");
        }
    }
}
