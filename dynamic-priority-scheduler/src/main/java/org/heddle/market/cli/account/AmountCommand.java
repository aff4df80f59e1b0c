// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.account;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.cli.client.MarketCommand;
import org.heddle.settings.web.WebAddress;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that pays into an account or takes out of it. */
abstract class AmountCommand extends MarketCommand.Change {
    @Parameters(paramLabel = "ACCOUNT", description = "The account whose balance changes.")
    @SuppressWarnings("NullAway.Init") // injected
    String account;

    @Parameters(paramLabel = "AMOUNT", description = "Credits as a decimal number, more than 0.")
    @SuppressWarnings("NullAway.Init") // injected
    String amount;

    @Option(names = "--text", paramLabel = "TEXT", defaultValue = "", description = "The reason, for the statement.")
    @SuppressWarnings("NullAway.Init") // injected
    private String text;

    /** The fields that each of these requests has. */
    Map<String, String> body() {
        return new HashMap<>(Map.of("amount", amount, "text", text));
    }

    /** Posts to a part of the account. */
    JsonNode post(MarketClient client, String part, Map<String, String> body) {
        return client.change("POST", "accounts/" + WebAddress.segment(account) + "/" + part, body, onceKey());
    }
}
