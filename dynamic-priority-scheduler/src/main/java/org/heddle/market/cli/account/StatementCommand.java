// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.account;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.cli.client.MarketCommand;
import org.heddle.market.cli.client.TextTable;
import org.heddle.market.cli.client.Times;
import org.heddle.settings.web.WebAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle market statement}. */
@Command(name = "statement", description = "Shows the last payments and charges of an account, oldest first.")
public final class StatementCommand extends MarketCommand {
    private static final int PAGE = 1_000;

    @Parameters(
            paramLabel = "ACCOUNT",
            description =
                    "The account. If it is closed, the one that was closed last; an earlier one is NAME~NUMBER, as"
                            + " heddle market report lists it.")
    @SuppressWarnings("NullAway.Init") // injected
    private String account;

    @Option(
            names = "--most",
            paramLabel = "LINES",
            defaultValue = "100",
            description = "Largest number of lines, 1 to 1000; --csv has no limit. Default: ${DEFAULT-VALUE}.")
    private int most;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "First time, for example 2026-12-01 or 2026-12-01T06:00:00Z (UTC); a day ago by default.")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "TIME", description = "End of the time, not included; now by default.")
    private @Nullable String to;

    @Option(
            names = "--csv",
            description = "Print all lines as comma-separated values (RFC 4180), for spreadsheets and programs.")
    private boolean csv;

    @Option(
            names = "--applications",
            description = "Show what the applications cost instead, largest first; charges without an application, and"
                    + " all beyond --most, are the line (others).")
    private boolean applications;

    @Override
    protected void run(MarketClient client) {
        String times = parameter("from", from) + parameter("to", to);
        if (applications) {
            printApplications(client, "accounts/" + WebAddress.segment(account) + "/applications?" + times);
            return;
        }
        String path = "accounts/" + WebAddress.segment(account) + "/statement?" + times;
        if (csv) {
            printCsv(client, path);
            return;
        }
        JsonNode answer = client.get(path + "before=0&most=" + most);
        if (printed(answer)) {
            return;
        }
        TextTable table = new TextTable("at", "kind", "amount", "balance", "rate", "text");
        for (JsonNode line : answer.get("lines")) {
            table.add(
                    time(line.get("atMillis")),
                    line.get("kind").asText(),
                    line.get("amount").asText(),
                    line.get("balance").asText(),
                    line.get("rate").asText(),
                    line.get("text").asText());
        }
        out().print(table);
    }

    private void printApplications(MarketClient client, String path) {
        if (csv) {
            out().print(client.csv(path + "most=" + PAGE));
            return;
        }
        JsonNode answer = client.get(path + "most=" + most);
        if (printed(answer)) {
            return;
        }
        TextTable table = new TextTable("application", "name", "user", "last charge", "slot-hours", "charged");
        for (JsonNode cost : answer.get("applications")) {
            table.add(
                    cost.get("application").asText(),
                    ApplicationColumns.name(cost),
                    cost.get("user").asText(),
                    time(cost.get("lastMillis")),
                    ApplicationColumns.slotHours(cost),
                    cost.get("charged").asText());
        }
        out().print(table);
    }

    private static String parameter(String name, @Nullable String time) {
        return time == null ? "" : name + "=" + Times.millis("--" + name, time) + "&";
    }

    private static long sequence(String line) {
        return Long.parseLong(line.substring(0, line.indexOf(',')));
    }

    /** Gets page after page. A line begins with its number in the ledger, and no text has a line break in it. */
    private void printCsv(MarketClient client, String path) {
        long after = 0;
        int lines = PAGE;
        while (lines == PAGE) {
            List<String> page = client.csv(path + "after=" + after + "&most=" + PAGE)
                    .lines()
                    .toList();
            lines = page.size() - 1;
            // A transaction can have two lines: those of the last one of a full page come again on the next page.
            long last = lines < PAGE ? Long.MAX_VALUE : sequence(page.get(lines));
            if (after == 0) {
                out().print(page.get(0) + "\r\n");
            }
            for (String line : page.subList(1, page.size())) {
                if (sequence(line) < last) {
                    out().print(line + "\r\n");
                }
            }
            after = last - 1;
        }
    }
}
