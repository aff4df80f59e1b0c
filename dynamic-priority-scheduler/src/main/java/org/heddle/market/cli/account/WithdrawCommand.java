// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.account;

import com.fasterxml.jackson.databind.JsonNode;
import org.heddle.market.cli.client.MarketClient;
import picocli.CommandLine.Command;

/** {@code heddle market withdraw}. */
@Command(name = "withdraw", description = "Takes credits out of an account and destroys them. You need the role admin.")
public final class WithdrawCommand extends AmountCommand {
    @Override
    protected void run(MarketClient client) {
        JsonNode receipt = post(client, "withdrawals", body());
        printReceipt(
                receipt,
                amount + " taken out of " + account + ", which has "
                        + receipt.get("balance").asText() + " now");
    }
}
