// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.account;

import java.util.Map;
import org.heddle.market.cli.client.MarketClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code heddle market refund}. */
@Command(
        name = "refund",
        description = {
            "Gives an account back what it was charged for an application that failed through no fault of its own.",
            "The option --applications of heddle market statement says what it was charged. You need the role admin."
        })
public final class RefundCommand extends AmountCommand {
    @Option(
            names = "--application",
            required = true,
            paramLabel = "ID",
            description = "The application, application_..._..., for the statement and the audit.")
    @SuppressWarnings("NullAway.Init") // injected
    private String application;

    @Override
    protected void run(MarketClient client) {
        Map<String, String> body = body();
        body.put("application", application);
        printReceipt(post(client, "refunds", body), amount + " refunded to " + account + " for " + application);
    }
}
