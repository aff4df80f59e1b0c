// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.account;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.cli.client.MarketCommand;
import org.heddle.market.cli.client.TextTable;
import org.heddle.market.cli.client.Times;
import org.heddle.settings.command.CommandException;
import org.heddle.settings.command.DurationConverter;
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
        TextTable table = new TextTable("income", "total", "every", "start", "cap", "weights");
        for (JsonNode income : answer.get("incomes")) {
            StringJoiner weights = new StringJoiner(" ");
            income.get("weights")
                    .fields()
                    .forEachRemaining(weight -> weights.add(
                            weight.getKey() + "=" + weight.getValue().asText()));
            String cap = income.get("cap").asText();
            table.add(
                    income.get("id").asText(),
                    income.get("total").asText(),
                    shortest(income.get("everySeconds").asLong()),
                    time(income.get("startMillis")),
                    cap.equals("0") ? "none" : cap,
                    weights.toString());
        }
        out().print(table);
    }

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
                paramLabel = "DURATION",
                defaultValue = "1d",
                converter = DurationConverter.Seconds.class,
                description = "Time between two payments, for example 1h or 7d. Default: ${DEFAULT-VALUE}.")
        private Duration every = Duration.ZERO;

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
            Map<String, Object> body = new HashMap<>(
                    Map.of("total", total, "everySeconds", Long.toString(seconds()), "weights", weights, "cap", cap));
            if (start != null) {
                body.put("startMillis", Long.toString(Times.millis("--start", start)));
            }
            JsonNode receipt = client.change("PUT", "incomes/" + WebAddress.segment(id), body, "");
            printReceipt(receipt, "income " + id + " pays " + total + " every " + shortest(every.toSeconds()));
        }

        private long seconds() {
            if (every.isZero() || every.toNanosPart() != 0) {
                throw new CommandException(
                        CommandException.WRONG, "--every " + every.toMillis() + "ms: use whole seconds, 1s or more");
            }
            return every.toSeconds();
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
