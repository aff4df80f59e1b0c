// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A table of texts.
 *
 * @param title above it
 * @param leading how many of the first columns are names; the others are figures
 * @param rows with as many cells as there are headers
 */
record Table(String title, int leading, List<String> headers, List<List<String>> rows) {
    /** With blanks between columns: names to the left, figures to the right. */
    String text() {
        List<List<String>> all = new ArrayList<>();
        all.add(headers);
        all.addAll(rows);
        int[] widths = new int[headers.size()];
        for (List<String> row : all) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder(title).append('\n');
        for (List<String> row : all) {
            StringBuilder line = new StringBuilder(" ");
            for (int i = 0; i < widths.length; i++) {
                String blanks = " ".repeat(widths[i] - row.get(i).length());
                line.append(' ').append(i < leading ? row.get(i) + blanks : blanks + row.get(i));
                line.append(i + 1 < widths.length ? " " : "");
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    /** As an HTML table. */
    String html(Function<String, String> escape) {
        StringBuilder html = new StringBuilder("<h2>")
                .append(escape.apply(title))
                .append("</h2>\n<div class=\"wide\"><table>\n<thead>")
                .append(row("th", headers, escape))
                .append("</thead>\n<tbody>\n");
        rows.forEach(row -> html.append(row("td", row, escape)));
        return html.append("</tbody></table></div>\n").toString();
    }

    private String row(String cell, List<String> cells, Function<String, String> escape) {
        StringBuilder html = new StringBuilder("<tr>");
        for (int i = 0; i < cells.size(); i++) {
            html.append('<').append(cell).append(i < leading ? ">" : " class=\"n\">");
            html.append(escape.apply(cells.get(i))).append("</").append(cell).append('>');
        }
        return html.append("</tr>\n").toString();
    }
}
