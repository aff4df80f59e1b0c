// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Keys as a Markdown table, for the generated pages of the documentation. */
public final class KeyTable {
    private static final String HEAD = "| Key | Default | Value | Meaning |\n|---|---|---|---|\n";

    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `([^`]+)` \\| (?:`([^`]+)`)? ?\\| (.*?) \\| (.*) \\|$");

    private KeyTable() {}

    /** The whole table, in the order of the keys. */
    public static String markdown(List<? extends ConfigKey<?>> keys) {
        StringBuilder table = new StringBuilder(HEAD);
        for (ConfigKey<?> key : keys) {
            table.append(row(
                    code(key.name()),
                    key.fallback().isEmpty() ? "" : code(key.fallback()),
                    key.kind().what(),
                    key.doc()));
        }
        return table.toString();
    }

    /** The keys in all tables of a page, where the keys themselves are in another program's jar. */
    public static List<ConfigKey<?>> keys(String page) {
        return ROW.matcher(page).results().map(KeyTable::key).collect(Collectors.toList());
    }

    private static ConfigKey<?> key(MatchResult row) {
        String fallback = row.group(2) == null ? "" : row.group(2);
        return new ConfigKey<>(row.group(1), ValueKind.called(row.group(3)), fallback, row.group(4));
    }

    /** One row. */
    public static String row(String... cells) {
        StringBuilder row = new StringBuilder();
        for (String cell : cells) {
            row.append("| ").append(cell.replace("|", "\\|")).append(' ');
        }
        return row.append("|\n").toString();
    }

    private static String code(String text) {
        return "`" + text + "`";
    }
}
