// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle-market close}. */
@Command(
        name = "close",
        description = {
            "Closes an account and destroys its credits. Its queue must not be in heddle-scheduler.xml, and must have"
                    + " no applications.",
            "You need the role admin."
        })
final class CloseCommand extends MarketCommand {
    @Parameters(paramLabel = "ACCOUNT", description = "The account.")
    @SuppressWarnings("NullAway.Init") // injected
    private String account;

    @Option(
            names = "--once",
            paramLabel = "WORD",
            description = "Make this change once, even if this command runs again with the same word.")
    private @Nullable String once;

    @Override
    void run(MarketClient client) {
        JsonNode receipt = client.change("DELETE", "accounts/" + segment(account), Map.of(), idempotencyKey(once));
        printReceipt(receipt, account + " is closed; " + receipt.get("balance").asText() + " credits were destroyed");
    }
}
