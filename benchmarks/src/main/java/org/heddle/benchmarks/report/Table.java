// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.report;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A table of text.
 *
 * @param head names of the columns
 * @param rows each as wide as the head
 */
record Table(List<String> head, List<List<String>> rows) {
    String markdown() {
        String rule = "|" + "---|".repeat(head.size()) + "\n";
        return markdown(head) + rule + rows.stream().map(Table::markdown).collect(Collectors.joining());
    }

    private static String markdown(List<String> cells) {
        return cells.stream().map(cell -> cell.replace("|", "\\|")).collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    String html() {
        return "<table>\n" + html("th", head)
                + rows.stream().map(row -> html("td", row)).collect(Collectors.joining()) + "</table>\n";
    }

    private static String html(String element, List<String> cells) {
        return cells.stream()
                .map(text -> "<" + element + ">" + Html.escape(text) + "</" + element + ">")
                .collect(Collectors.joining("", "<tr>", "</tr>\n"));
    }
}
