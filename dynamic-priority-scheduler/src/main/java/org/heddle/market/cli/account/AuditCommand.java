// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.account;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import java.util.StringJoiner;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.cli.client.MarketCommand;
import org.heddle.market.cli.client.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code heddle market audit}. */
@Command(name = "audit", description = "Shows who changed what, oldest first. You need the role auditor or admin.")
public final class AuditCommand extends MarketCommand {
    /** Details for programs, which --json prints. */
    private static final Set<String> HIDDEN = Set.of("idempotency-key", "request", "effective-epoch", "balance");

    @Option(
            names = "--after",
            paramLabel = "NUMBER",
            defaultValue = "0",
            description = "Show entries after this number. Default: ${DEFAULT-VALUE}.")
    private long after;

    @Option(
            names = "--most",
            paramLabel = "ENTRIES",
            defaultValue = "100",
            description = "Largest number of entries, 1 to 1000. Default: ${DEFAULT-VALUE}.")
    private int most;

    @Override
    protected void run(MarketClient client) {
        JsonNode answer = client.get("audit?after=" + after + "&most=" + most);
        if (printed(answer)) {
            return;
        }
        TextTable table = new TextTable("number", "at", "by", "from", "action", "target", "details");
        for (JsonNode entry : answer.get("entries")) {
            StringJoiner details = new StringJoiner(" ");
            entry.get("details").fields().forEachRemaining(detail -> {
                if (!HIDDEN.contains(detail.getKey()) && !detail.getKey().startsWith("record ")) {
                    details.add(detail.getKey() + "=" + detail.getValue().asText());
                }
            });
            table.add(
                    entry.get("sequence").asText(),
                    time(entry.get("atMillis")),
                    entry.get("principal").asText(),
                    entry.get("origin").asText(),
                    entry.get("action").asText(),
                    entry.get("target").asText(),
                    details.toString());
        }
        out().print(table);
    }
}
