// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.account;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.heddle.market.cli.client.CommandException;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.cli.client.MarketCommand;
import org.heddle.market.cli.client.TextTable;
import org.heddle.market.model.naming.WebAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle-market report}. */
@Command(
        name = "report",
        description = {
            "Adds up the statements of a month: what was paid in and out, what was charged, and for how many"
                    + " slot-hours.",
            "The figures are exact sums of the statements' lines. An account that pays all the time has a line for each"
                    + " interval, about 44,000 a month at intervals of a minute."
        })
public final class ReportCommand extends MarketCommand {
    private static final int PAGE = 1_000;
    private static final BigDecimal HOUR_MILLIS = BigDecimal.valueOf(3_600_000);

    @Parameters(
            arity = "0..*",
            paramLabel = "ACCOUNT",
            description = "The accounts; by default all whose statements you may read.")
    private List<String> accounts = new ArrayList<>();

    @Option(
            names = "--month",
            required = true,
            paramLabel = "YYYY-MM",
            description = "The month in UTC, for example 2026-11.")
    @SuppressWarnings("NullAway.Init") // injected
    private String month;

    @Option(names = "--csv", description = "Print comma-separated values (RFC 4180).")
    private boolean csv;

    /** The sums of one account, or of all. */
    private static final class Sums {
        private BigDecimal paidIn = BigDecimal.ZERO;
        private BigDecimal paidOut = BigDecimal.ZERO;
        private BigDecimal charged = BigDecimal.ZERO;
        private BigDecimal waived = BigDecimal.ZERO;
        private BigDecimal slotMillis = BigDecimal.ZERO;
        private @Nullable String balance;

        private void add(JsonNode line) {
            BigDecimal amount = new BigDecimal(line.get("amount").asText());
            slotMillis = slotMillis.add(new BigDecimal(line.get("slotMillis").asText()));
            balance = line.get("balance").asText();
            switch (line.get("kind").asText()) {
                case "charge" -> charged = charged.subtract(amount);
                case "waiver" -> waived = waived.add(amount);
                case "deposit", "income", "transfer-in" -> paidIn = paidIn.add(amount);
                default -> paidOut = paidOut.subtract(amount);
            }
        }

        private void add(Sums other) {
            paidIn = paidIn.add(other.paidIn);
            paidOut = paidOut.add(other.paidOut);
            charged = charged.add(other.charged);
            waived = waived.add(other.waived);
            slotMillis = slotMillis.add(other.slotMillis);
        }

        private String[] row(String name) {
            return new String[] {
                name,
                plain(paidIn),
                plain(paidOut),
                plain(charged),
                plain(waived),
                plain(slotMillis.divide(HOUR_MILLIS, 3, RoundingMode.HALF_UP)),
                balance == null ? "-" : balance
            };
        }

        private static String plain(BigDecimal number) {
            return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
        }
    }

    @Override
    protected void run(MarketClient client) {
        YearMonth of = month();
        String time = "from=" + millis(of) + "&to=" + millis(of.plusMonths(1));
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"account", "paid in", "paid out", "charged", "waived", "slot-hours", "last balance"});
        Sums all = new Sums();
        for (String account : named(client)) {
            Sums sums = sums(client, account, time);
            all.add(sums);
            rows.add(sums.row(account));
        }
        if (csv) {
            rows.forEach(row -> out().print(String.join(",", row) + "\r\n"));
            return;
        }
        rows.add(all.row("total"));
        TextTable table = new TextTable(rows.get(0));
        rows.stream().skip(1).forEach(table::add);
        out().print(table);
    }

    private YearMonth month() {
        try {
            return YearMonth.parse(month);
        } catch (DateTimeException e) {
            throw new CommandException(
                    CommandException.WRONG, "--month " + month + ": write a year and a month, for example 2026-11");
        }
    }

    private static long millis(YearMonth start) {
        return start.atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
    }

    private List<String> named(MarketClient client) {
        if (!accounts.isEmpty()) {
            return accounts;
        }
        List<String> all = new ArrayList<>();
        for (JsonNode account : client.get("accounts").get("accounts")) {
            all.add(account.get("name").asText());
        }
        return all;
    }

    private static long sequence(JsonNode line) {
        return line.get("sequence").asLong();
    }

    private static Sums sums(MarketClient client, String account, String time) {
        Sums sums = new Sums();
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
