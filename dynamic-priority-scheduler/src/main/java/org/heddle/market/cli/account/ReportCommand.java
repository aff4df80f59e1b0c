// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.account;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.cli.client.MarketCommand;
import org.heddle.market.cli.client.TextTable;
import org.heddle.settings.command.CommandException;
import org.heddle.settings.web.WebAddress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle market report}. */
@Command(
        name = "report",
        description = {
            "Adds up the statements of a month: deposits, income, what was paid out, what was charged, and for how many"
                    + " slot-hours.",
            "With --applications, lists what the accounts were charged for: all applications with one name and user are"
                    + " a line. --json has both.",
            "The figures are exact sums of the statements' lines. An account that pays all the time has a line for each"
                    + " interval, about 44,000 a month at intervals of a minute."
        })
public final class ReportCommand extends MarketCommand {
    private static final int PAGE = 1_000;

    @Parameters(
            arity = "0..*",
            paramLabel = "ACCOUNT",
            description = "The accounts; by default all whose statements you may read, with those that were closed in"
                    + " the month or later. A closed account is NAME~NUMBER.")
    private List<String> accounts = new ArrayList<>();

    @Option(names = "--month", required = true, paramLabel = "YYYY-MM", description = "The month, for example 2026-11.")
    @SuppressWarnings("NullAway.Init") // injected
    private String month;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            defaultValue = "UTC",
            description = "Time zone of the month, for example Europe/Berlin. Default: ${DEFAULT-VALUE}.")
    @SuppressWarnings("NullAway.Init") // injected
    private String zone;

    @Option(names = "--csv", description = "Print comma-separated values (RFC 4180).")
    private boolean csv;

    @Option(names = "--applications", description = "List the costs of applications by name and user.")
    private boolean applications;

    @Override
    protected void run(MarketClient client) {
        YearMonth of = month();
        String time = "from=" + millis(of) + "&to=" + millis(of.plusMonths(1));
        List<String> names = named(client, time);
        if (isJson()) {
            printed(json(client, names, time));
        } else if (applications) {
            printApplications(client, names, time);
        } else {
            printAccounts(client, names, time);
        }
    }

    private void printAccounts(MarketClient client, List<String> names, String time) {
        List<String[]> rows = new ArrayList<>();
        AccountMonth all = new AccountMonth("total");
        for (String account : names) {
            AccountMonth sums = sums(client, account, time);
            all.add(sums);
            rows.add(sums.row());
        }
        if (!csv) {
            rows.add(all.row());
        }
        print(AccountMonth.HEAD, rows);
    }

    private void printApplications(MarketClient client, List<String> names, String time) {
        List<String[]> rows = new ArrayList<>();
        for (String account : names) {
            for (JsonNode cost : costs(client, account, time)) {
                rows.add(ApplicationColumns.row(account, cost));
            }
        }
        print(ApplicationColumns.HEAD, rows);
    }

    private void print(String[] head, List<String[]> rows) {
        if (csv) {
            out().print(String.join(",", head) + "\r\n");
            rows.forEach(row -> out().print(ApplicationColumns.csv(row) + "\r\n"));
            return;
        }
        TextTable table = new TextTable(head);
        rows.forEach(table::add);
        out().print(table);
    }

    private static JsonNode json(MarketClient client, List<String> names, String time) {
        ObjectNode report = JsonNodeFactory.instance.objectNode();
        ArrayNode list = report.putArray("accounts");
        for (String account : names) {
            ObjectNode entry = list.addObject();
            sums(client, account, time).writeTo(entry);
            entry.set("applications", costs(client, account, time));
        }
        return report;
    }

    private YearMonth month() {
        try {
            return YearMonth.parse(month);
        } catch (DateTimeException e) {
            throw new CommandException(
                    CommandException.WRONG, "--month " + month + ": write a year and a month, for example 2026-11");
        }
    }

    private long millis(YearMonth start) {
        try {
            return start.atDay(1).atStartOfDay(ZoneId.of(zone)).toInstant().toEpochMilli();
        } catch (DateTimeException e) {
            throw new CommandException(
                    CommandException.WRONG, "--zone " + zone + ": write UTC or a zone such as Europe/Berlin");
        }
    }

    private List<String> named(MarketClient client, String time) {
        if (!accounts.isEmpty()) {
            return accounts;
        }
        List<String> all = new ArrayList<>();
        for (JsonNode account : client.get("accounts").get("accounts")) {
            all.add(account.get("name").asText());
        }
        for (JsonNode account : client.get("closed?" + time).get("accounts")) {
            all.add(account.get("reference").asText());
        }
        return all;
    }

    private static JsonNode costs(MarketClient client, String account, String time) {
        return client.get("accounts/" + WebAddress.segment(account) + "/applications?" + time + "&by=name&most=" + PAGE)
                .get("applications");
    }

    private static long sequence(JsonNode line) {
        return line.get("sequence").asLong();
    }

    private static AccountMonth sums(MarketClient client, String account, String time) {
        AccountMonth sums = new AccountMonth(account);
        long after = 0;
        int lines = PAGE;
        while (lines == PAGE) {
            JsonNode page = client.get("accounts/" + WebAddress.segment(account) + "/statement?" + time + "&most="
                            + PAGE + "&after=" + after)
                    .get("lines");
            lines = page.size();
            // A transaction can have two lines: those of the last one of a full page come again on the next page.
            long last = lines < PAGE ? Long.MAX_VALUE : sequence(page.get(lines - 1));
            for (JsonNode line : page) {
                if (sequence(line) < last) {
                    sums.add(line);
                }
            }
            after = last - 1;
        }
        return sums;
    }
}
