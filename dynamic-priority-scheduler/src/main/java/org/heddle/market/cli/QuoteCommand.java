// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle-market quote}. */
@Command(name = "quote", description = "Shows the cost and the duration of a piece of work at a rate.")
final class QuoteCommand extends MarketCommand {
    @Parameters(paramLabel = "ACCOUNT", description = "The account that would run it.")
    @SuppressWarnings("NullAway.Init") // injected
    private String account;

    @Parameters(paramLabel = "RATE", description = "The rate that it would set.")
    @SuppressWarnings("NullAway.Init") // injected
    private String rate;

    @Parameters(paramLabel = "SLOT-SECONDS", description = "The work: tasks x their seconds, for tasks of one slot.")
    private long slotSeconds;

    @Option(
            names = "--most-slots",
            paramLabel = "SLOTS",
            defaultValue = "0",
            description = "Slots that it can use at once.")
    @SuppressWarnings("NullAway.Init") // injected
    private String mostSlots;

    @Override
    void run(MarketClient client) {
        JsonNode quote = client.change(
                "POST",
                "quotes",
                Map.of(
                        "account",
                        account,
                        "rate",
                        rate,
                        "slotSeconds",
                        Long.toString(slotSeconds),
                        "mostSlots",
                        mostSlots),
                "");
        if (printed(quote)) {
            return;
        }
        out().println("cost " + quote.get("cost").asText() + " ("
                + quote.get("leastCost").asText() + " to "
                + quote.get("mostCost").asText() + "), time " + end(quote.get("durationMillis")) + " ("
                + end(quote.get("shortestMillis")) + " to " + end(quote.get("longestMillis")) + "); "
                + (quote.get("affordable").asBoolean() ? "the balance covers it" : "the balance may not cover it")
                + "; a slot and rate unit cost the rate, " + rate
                + "; computed from " + quote.get("pricesSeen").asText() + " epochs");
    }

    private static String end(JsonNode millis) {
        return millis.isNull() ? "no end within the horizon" : duration(millis);
    }
}
