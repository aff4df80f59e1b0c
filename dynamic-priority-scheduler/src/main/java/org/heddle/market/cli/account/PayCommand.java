// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.account;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.heddle.market.cli.client.MarketClient;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code heddle market pay}. */
@Command(
        name = "pay",
        description = "Pays credits into an account: from another account, or new credits if you are an administrator.")
public final class PayCommand extends AmountCommand {
    @Option(
            names = "--from",
            paramLabel = "ACCOUNT",
            description = "The account that pays; without it, new credits are created.")
    private @Nullable String from;

    @Override
    protected void run(MarketClient client) {
        Map<String, String> body = body();
        JsonNode receipt;
        if (from == null) {
            receipt = post(client, "deposits", body);
        } else {
            body.put("from", from);
            body.put("to", account);
            receipt = client.change("POST", "transfers", body, onceKey());
        }
        printReceipt(receipt, amount + " paid into " + account + (from == null ? "" : " from " + from));
    }
}
