// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle-market withdraw}. */
@Command(name = "withdraw", description = "Takes credits out of an account and destroys them. You need the role admin.")
final class WithdrawCommand extends MarketCommand {
    @Parameters(paramLabel = "ACCOUNT", description = "The account.")
    @SuppressWarnings("NullAway.Init") // injected
    private String account;

    @Parameters(paramLabel = "AMOUNT", description = "Credits as a decimal number, more than 0.")
    @SuppressWarnings("NullAway.Init") // injected
    private String amount;

    @Option(names = "--text", paramLabel = "TEXT", defaultValue = "", description = "Text for the statement.")
    @SuppressWarnings("NullAway.Init") // injected
    private String text;

    @Option(
            names = "--once",
            paramLabel = "WORD",
            description = "Make this change once, even if this command runs again with the same word.")
    private @Nullable String once;

    @Override
    void run(MarketClient client) {
        JsonNode receipt = client.change(
                "POST",
                "accounts/" + segment(account) + "/withdrawals",
                Map.of("amount", amount, "text", text),
                idempotencyKey(once));
        printReceipt(
                receipt,
                amount + " taken out of " + account + ", which has "
                        + receipt.get("balance").asText() + " now");
    }
}
