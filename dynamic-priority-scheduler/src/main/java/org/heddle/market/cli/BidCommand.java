// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle-market bid}. */
@Command(name = "bid", description = "Sets the spending rate of an account: its price for one slot and rate unit.")
final class BidCommand extends MarketCommand {
    @Parameters(paramLabel = "ACCOUNT", description = "The account.")
    @SuppressWarnings("NullAway.Init") // injected
    private String account;

    @Parameters(paramLabel = "RATE", description = "Credits as a decimal number; 0 to pay nothing.")
    @SuppressWarnings("NullAway.Init") // injected
    private String rate;

    @Option(
            names = "--once",
            paramLabel = "WORD",
            description = "Make this change once, even if this command runs again with the same word.")
    private @Nullable String once;

    @Override
    void run(MarketClient client) {
        printReceipt(
                client.change(
                        "PUT", "accounts/" + segment(account) + "/rate", Map.of("rate", rate), idempotencyKey(once)),
                account + " bids " + rate);
    }
}
