// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle-market bid}. */
@Command(name = "bid", description = "Sets the spending rate of an account: what it pays for a slot and rate unit.")
final class BidCommand extends MarketCommand {
    @Parameters(paramLabel = "ACCOUNT", description = "Whose rate.")
    @SuppressWarnings("NullAway.Init") // injected
    private String account;

    @Parameters(paramLabel = "RATE", description = "Credits, plain decimals; 0 to pay nothing.")
    @SuppressWarnings("NullAway.Init") // injected
    private String rate;

    @Option(names = "--once", paramLabel = "WORD", description = "Do it once, however often it is sent with this word.")
    private @Nullable String once;

    @Override
    void run(MarketClient client) {
        printReceipt(
                client.change(
                        "PUT", "accounts/" + segment(account) + "/rate", Map.of("rate", rate), idempotencyKey(once)),
                account + " bids " + rate);
    }
}
