// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle-market statement}. */
@Command(name = "statement", description = "Shows the payments and charges of an account.")
final class StatementCommand extends MarketCommand {
    @Parameters(paramLabel = "ACCOUNT", description = "The account.")
    @SuppressWarnings("NullAway.Init") // injected
    private String account;

    @Option(names = "--most", paramLabel = "LINES", defaultValue = "100", description = "Largest number of lines.")
    private int most;

    @Override
    void run(MarketClient client) {
        JsonNode answer = client.get("accounts/" + segment(account) + "/statement?most=" + most);
        if (printed(answer)) {
            return;
        }
        TextTable table = new TextTable("at", "kind", "amount", "balance", "rate", "text");
        for (JsonNode line : answer.get("lines")) {
            table.add(
                    time(line.get("atMillis")),
                    line.get("kind").asText(),
                    line.get("amount").asText(),
                    line.get("balance").asText(),
                    line.get("rate").asText(),
                    line.get("text").asText());
        }
        out().print(table);
    }
}
