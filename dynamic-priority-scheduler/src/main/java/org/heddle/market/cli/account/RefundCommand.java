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

/** {@code heddle market refund}. */
@Command(
        name = "refund",
        description = {
            "Gives an account back what it was charged for an application that failed through no fault of its own.",
            "The option --applications of heddle market statement says what it was charged. You need the role admin."
        })
public final class RefundCommand extends MarketCommand.Change {
    @Parameters(paramLabel = "ACCOUNT", description = "The account.")
    @SuppressWarnings("NullAway.Init") // injected
    private String account;

    @Parameters(paramLabel = "AMOUNT", description = "Credits as a decimal number, more than 0.")
    @SuppressWarnings("NullAway.Init") // injected
    private String amount;

    @Option(
            names = "--application",
            required = true,
            paramLabel = "ID",
            description = "The application, application_..._..., for the statement and the audit.")
    @SuppressWarnings("NullAway.Init") // injected
    private String application;

    @Option(names = "--text", paramLabel = "TEXT", defaultValue = "", description = "The reason, for the statement.")
    @SuppressWarnings("NullAway.Init") // injected
    private String text;

    @Override
    protected void run(MarketClient client) {
        JsonNode receipt = client.change(
                "POST",
                "accounts/" + WebAddress.segment(account) + "/refunds",
                Map.of("amount", amount, "application", application, "text", text),
                onceKey());
        printReceipt(receipt, amount + " refunded to " + account + " for " + application);
    }
}
