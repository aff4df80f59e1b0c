// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.account;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The costs of applications as rows of a table. */
final class ApplicationColumns {
    static final String[] HEAD = {"account", "name", "user", "runs", "slot-hours", "charged"};
    private static final String OTHERS = "(others)";

    private ApplicationColumns() {}

    /** A row of {@link #HEAD}: all applications with one name and user. */
    static String[] row(String account, JsonNode cost) {
        boolean others = isOthers(cost);
        return new String[] {
            account,
            name(cost),
            cost.get("user").asText(),
            others ? "-" : cost.get("count").asText(),
            slotHours(cost),
            cost.get("charged").asText()
        };
    }

    /** The name of the application; a word for the sum of those that are not listed. */
    static String name(JsonNode cost) {
        return isOthers(cost) ? OTHERS : cost.get("name").asText();
    }

    static String slotHours(JsonNode cost) {
        return AccountMonth.slotHours(new BigDecimal(cost.get("slotMillis").asText()));
    }

    private static boolean isOthers(JsonNode cost) {
        return cost.get("count").asLong() == 0;
    }

    /** A line of comma-separated values without a cell that a spreadsheet would run as a formula. */
    static String csv(String[] row) {
        return Arrays.stream(row).map(ApplicationColumns::cell).collect(Collectors.joining(","));
    }

    private static String cell(String text) {
        if (text.matches("-?[A-Za-z0-9_.]*")) {
            return text;
        }
        String harmless = "=+-@\t\r".indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
        return '"' + harmless.replace("\"", "\"\"") + '"';
    }
}
