// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.report;

import java.io.IOException;
import java.util.Base64;
import java.util.List;
import org.heddle.benchmarks.experiment.Plot;

/** The report as one HTML file: style and pictures are inside, there is no script, and nothing is loaded. */
final class HtmlReport {
    private static final String STYLE = """
            body { font: 15px/1.5 sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; color: #222; }
            table { border-collapse: collapse; margin: 1em 0; display: block; overflow-x: auto; }
            th, td { border: 1px solid #bbb; padding: 0.2em 0.6em; text-align: left; }
            th { background: #eee; }
            img { max-width: 100%; }
            code { background: #f3f3f3; padding: 0 0.2em; }
            .warning { font-weight: bold; }
            .origin { color: #555; }
            """;

    private HtmlReport() {}

    static String of(Table overview, Table planned, List<Section> sections) throws IOException {
        StringBuilder html = new StringBuilder();
        html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        html.append("<title>Evaluation of Heddle</title>\n<style>\n")
                .append(STYLE)
                .append("</style>\n</head>\n<body>\n");
        html.append("<h1>Evaluation of Heddle</h1>\n").append(overview.html()).append(planned.html());
        for (Section section : sections) {
            add(html, section);
        }
        return html.append("</body>\n</html>\n").toString();
    }

    private static void add(StringBuilder html, Section section) throws IOException {
        html.append("<h2 id=\"").append(section.name()).append("\">");
        html.append(Html.escape(section.title())).append("</h2>\n");
        section.about().forEach(paragraph -> paragraph(html, "about", paragraph));
        section.tables().forEach(table -> html.append(table.html()));
        Table goals = section.goals();
        if (goals != null) {
            html.append(goals.html());
        }
        paragraph(html, "origin", section.origin());
        if (!section.warning().isEmpty()) {
            paragraph(html, "warning", section.warning());
        }
        html.append("<p><code>").append(Html.escape(section.command())).append("</code></p>\n");
        for (Plot plot : section.plots()) {
            html.append("<p><img alt=\"").append(Html.escape(plot.title())).append("\" src=\"data:image/png;base64,");
            html.append(Base64.getEncoder().encodeToString(Charts.png(plot))).append("\"></p>\n");
        }
    }

    private static void paragraph(StringBuilder html, String kind, String text) {
        html.append("<p class=\"")
                .append(kind)
                .append("\">")
                .append(Html.escape(text))
                .append("</p>\n");
    }
}
