// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.account;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.cli.client.MarketCommand;
import org.heddle.settings.web.WebAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle market pay}. */
@Command(
        name = "pay",
        description = "Pays credits into an account: from another account, or new credits if you are an administrator.")
public final class PayCommand extends MarketCommand.Change {
    @Parameters(paramLabel = "ACCOUNT", description = "The account that gets the credits.")
    @SuppressWarnings("NullAway.Init") // injected
    private String to;

    @Parameters(paramLabel = "AMOUNT", description = "Credits as a decimal number, more than 0.")
    @SuppressWarnings("NullAway.Init") // injected
    private String amount;

    @Option(
            names = "--from",
            paramLabel = "ACCOUNT",
            description = "The account that pays; without it, new credits are created.")
    private @Nullable String from;

    @Option(names = "--text", paramLabel = "TEXT", defaultValue = "", description = "Text for the statements.")
    @SuppressWarnings("NullAway.Init") // injected
    private String text;

    @Override
    protected void run(MarketClient client) {
        Map<String, String> body = new HashMap<>(Map.of("amount", amount, "text", text));
        JsonNode receipt;
        if (from == null) {
            receipt = client.change("POST", "accounts/" + WebAddress.segment(to) + "/deposits", body, onceKey());
        } else {
            body.put("from", from);
            body.put("to", to);
            receipt = client.change("POST", "transfers", body, onceKey());
        }
        printReceipt(receipt, amount + " paid into " + to + (from == null ? "" : " from " + from));
    }
}
