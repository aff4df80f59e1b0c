// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle-market open}. */
@Command(
        name = "open",
        description = {
            "Opens an account with no credits and rate 0, and makes the queue root.ACCOUNT if heddle-scheduler.xml has"
                    + " none.",
            "You need the role admin."
        })
final class OpenCommand extends MarketCommand {
    @Parameters(paramLabel = "ACCOUNT", description = "Its name: the name of the user who may use it.")
    @SuppressWarnings("NullAway.Init") // injected
    private String account;

    @Option(
            names = "--once",
            paramLabel = "WORD",
            description = "Make this change once, even if this command runs again with the same word.")
    private @Nullable String once;

    @Override
    void run(MarketClient client) {
        printReceipt(
                client.change("POST", "accounts", Map.of("name", account), idempotencyKey(once)), account + " is open");
    }
}
