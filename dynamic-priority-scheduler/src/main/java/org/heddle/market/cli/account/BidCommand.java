// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.account;

import java.util.Map;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.cli.client.MarketCommand;
import org.heddle.settings.web.WebAddress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code heddle market bid}. */
@Command(name = "bid", description = "Sets the spending rate of an account: its price for one slot and rate unit.")
public final class BidCommand extends MarketCommand.Change {
    @Parameters(paramLabel = "ACCOUNT", description = "The account.")
    @SuppressWarnings("NullAway.Init") // injected
    private String account;

    @Parameters(paramLabel = "RATE", description = "Credits as a decimal number; 0 to pay nothing.")
    @SuppressWarnings("NullAway.Init") // injected
    private String rate;

    @Override
    protected void run(MarketClient client) {
        printReceipt(
                client.change(
                        "PUT", "accounts/" + WebAddress.segment(account) + "/rate", Map.of("rate", rate), onceKey()),
                account + " bids " + rate);
    }
}
