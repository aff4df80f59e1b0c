// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.account;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.cli.client.MarketCommand;
import org.heddle.settings.web.WebAddress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code heddle market close}. */
@Command(
        name = "close",
        description = {
            "Closes an account and destroys its credits. Its queue must not be in heddle-scheduler.xml, and must have"
                    + " no applications.",
            "You need the role admin."
        })
public final class CloseCommand extends MarketCommand.Change {
    @Parameters(paramLabel = "ACCOUNT", description = "The account.")
    @SuppressWarnings("NullAway.Init") // injected
    private String account;

    @Override
    protected void run(MarketClient client) {
        JsonNode receipt = client.change("DELETE", "accounts/" + WebAddress.segment(account), Map.of(), onceKey());
        printReceipt(receipt, account + " is closed; " + receipt.get("balance").asText() + " credits were destroyed");
    }
}
