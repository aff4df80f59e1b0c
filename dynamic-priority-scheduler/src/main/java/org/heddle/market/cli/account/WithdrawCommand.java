// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.account;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.cli.client.MarketCommand;
import org.heddle.settings.web.WebAddress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle market withdraw}. */
@Command(name = "withdraw", description = "Takes credits out of an account and destroys them. You need the role admin.")
public final class WithdrawCommand extends MarketCommand.Change {
    @Parameters(paramLabel = "ACCOUNT", description = "The account.")
    @SuppressWarnings("NullAway.Init") // injected
    private String account;

    @Parameters(paramLabel = "AMOUNT", description = "Credits as a decimal number, more than 0.")
    @SuppressWarnings("NullAway.Init") // injected
    private String amount;

    @Option(names = "--text", paramLabel = "TEXT", defaultValue = "", description = "Text for the statement.")
    @SuppressWarnings("NullAway.Init") // injected
    private String text;

    @Override
    protected void run(MarketClient client) {
        JsonNode receipt = client.change(
                "POST",
                "accounts/" + WebAddress.segment(account) + "/withdrawals",
                Map.of("amount", amount, "text", text),
                onceKey());
        printReceipt(
                receipt,
                amount + " taken out of " + account + ", which has "
                        + receipt.get("balance").asText() + " now");
    }
}
