// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.account;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.cli.client.MarketCommand;
import org.heddle.market.cli.client.TextTable;
import org.heddle.settings.web.WebAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code heddle market info}. */
@Command(
        name = "info",
        description = "Shows one account, or all accounts that you may see: budget, rate, share, used, pending.")
public final class InfoCommand extends MarketCommand {
    @Parameters(arity = "0..1", paramLabel = "ACCOUNT", description = "The account.")
    private @Nullable String account;

    @Override
    protected boolean needsProof() {
        return false;
    }

    @Override
    protected void run(MarketClient client) {
        JsonNode answer = client.get(account == null ? "accounts" : "accounts/" + WebAddress.segment(account));
        if (printed(answer)) {
            return;
        }
        TextTable table = new TextTable("account", "budget", "rate", "share", "used", "pending", "state", "lasts");
        for (JsonNode one : account == null ? answer.get("accounts") : List.of(answer.get("account"))) {
            table.add(
                    one.get("name").asText(),
                    one.get("budget").asText(),
                    one.get("rate").asText(),
                    String.format(Locale.ROOT, "%.2f%%", one.get("share").asDouble() * 100),
                    one.get("usedContainers").asText(),
                    one.get("pendingContainers").asText(),
                    one.get("state").asText(),
                    duration(one.get("runwayMillis")));
        }
        out().print(table);
        if (account == null && answer.get("accounts").isEmpty()) {
            err().println("No account is visible to you: there is none, or --key-file must name your key.");
        }
    }
}
