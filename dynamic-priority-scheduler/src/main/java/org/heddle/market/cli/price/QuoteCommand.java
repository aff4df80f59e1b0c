// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.price;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.heddle.market.agent.rest.YarnRest;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.cli.client.MarketCommand;
import org.heddle.market.cli.client.TimeText;
import org.heddle.market.quote.Stage;
import org.heddle.settings.command.CommandException;
import org.heddle.settings.web.WebAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle market quote}. */
@Command(
        name = "quote",
        description =
                "Shows the cost and the duration of a job at a rate, and the rate for a finish time: 90 of 100 jobs"
                        + " stay inside the ranges.")
public final class QuoteCommand extends MarketCommand {
    @Parameters(index = "0", paramLabel = "ACCOUNT", description = "The account that would run it.")
    @SuppressWarnings("NullAway.Init") // injected
    private String account;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "RATE",
            description = "The rate that it would set. Default: its present rate.")
    private @Nullable String rate;

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "SLOT-SECONDS",
            description = "The work: tasks x their seconds, for tasks of one slot; or describe the job with options.")
    private @Nullable Long slotSeconds;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private JobShapeOptions shape;

    @Option(
            names = "--most-slots",
            paramLabel = "SLOTS",
            defaultValue = "0",
            description = "Slots that it can use at once.")
    @SuppressWarnings("NullAway.Init") // injected
    private String mostSlots;

    @Option(
            names = "--finish",
            paramLabel = "TIME",
            description = "Show the rate for this finish: 18:00, 90m, 2h or 2026-11-23T18:00.")
    private @Nullable String finish;

    @Override
    protected void run(MarketClient client) {
        String at;
        if (rate != null) {
            at = rate;
        } else {
            at = client.get("accounts/" + WebAddress.segment(account))
                    .at("/account/rate")
                    .asText();
        }
        Map<String, String> request = new HashMap<>(Map.of("account", account, "rate", at, "mostSlots", mostSlots));
        if (slotSeconds != null) {
            request.put("slotSeconds", Long.toString(slotSeconds));
        } else {
            double capacity =
                    Double.parseDouble(client.get("price").path("capacity").asText("0"));
            List<Stage> stages = shape.stages(
                    new YarnRest(connection().resourceManagers(), System.getProperty("user.name")), capacity);
            if (stages.isEmpty()) {
                throw new CommandException(
                        CommandException.WRONG,
                        "the work is missing; give SLOT-SECONDS, --tasks and --task-seconds, --history-file or --like");
            }
            request.put("stages", stages.stream().map(Stage::toString).collect(Collectors.joining(",")));
        }
        if (finish != null) {
            ZonedDateTime now = ZonedDateTime.now(ZoneId.systemDefault());
            long seconds = (TimeText.millis(finish, now) - now.toInstant().toEpochMilli()) / 1_000;
            request.put("withinSeconds", Long.toString(Math.max(1, seconds)));
        }
        JsonNode quote = client.change("POST", "quotes", request, "");
        if (!printed(quote)) {
            print(quote, at);
        }
    }

    private void print(JsonNode quote, String at) {
        out().println("cost " + quote.get("cost").asText() + " ("
                + quote.get("leastCost").asText() + " to "
                + quote.get("mostCost").asText() + "), time " + end(quote.get("durationMillis")) + " ("
                + end(quote.get("shortestMillis")) + " to " + end(quote.get("longestMillis")) + ") at rate " + at + "; "
                + (quote.get("affordable").asBoolean() ? "the balance covers it" : "the balance may not cover it")
                + "; a slot costs the rate, " + at + ", for each rate unit (an hour by default)"
                + "; computed from " + quote.get("pricesSeen").asText() + " epochs");
        if (finish != null) {
            if (quote.path("neededRate").isNull()) {
                out().println("no rate is enough to finish by " + finish);
            } else {
                out().println("rate " + quote.get("neededRate").asText() + " is needed to finish by " + finish
                        + " in 19 of 20 cases");
            }
        }
    }

    private static String end(JsonNode millis) {
        return millis.isNull() ? "no end within a year" : duration(millis);
    }
}
