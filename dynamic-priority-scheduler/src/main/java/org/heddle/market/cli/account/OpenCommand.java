// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.account;

import java.util.Map;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.cli.client.MarketCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code heddle market open}. */
@Command(
        name = "open",
        description = {
            "Opens an account with no credits and rate 0, and makes the queue root.ACCOUNT if heddle-scheduler.xml has"
                    + " none.",
            "You need the role admin."
        })
public final class OpenCommand extends MarketCommand.Change {
    @Parameters(paramLabel = "ACCOUNT", description = "Its name: the name of the user who may use it.")
    @SuppressWarnings("NullAway.Init") // injected
    private String account;

    @Override
    protected void run(MarketClient client) {
        printReceipt(client.change("POST", "accounts", Map.of("name", account), onceKey()), account + " is open");
    }
}
