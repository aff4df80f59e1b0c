// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Keys as a Markdown table, for the generated pages of the documentation. */
public final class KeyTable {
    private static final String HEAD = "| Key | Default | Value | Meaning |\n|---|---|---|---|\n";

    private static final Pattern NAME = Pattern.compile("(?m)^\\| `([^`]+)` \\|");

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

    /** The names of the keys in all tables of a page, where the keys themselves are in another program's jar. */
    public static Set<String> names(String page) {
        return NAME.matcher(page).results().map(row -> row.group(1)).collect(Collectors.toCollection(TreeSet::new));
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
