// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.chart;

import java.util.List;
import java.util.Locale;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Explanation;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;

/** A plan as one HTML file without external parts: chart, table of phases, reasons, and actual times if any. */
public final class HtmlReport {
    private HtmlReport() {}

    /** The page; {@code actuals} may be empty. */
    public static String page(Problem problem, Plan plan, List<Actual> actuals) {
        StringBuilder html = new StringBuilder();
        String title = Svg.escape("Plan of " + problem.id());
        html.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
                .append(title)
                .append("</title>\n<style>body{font-family:sans-serif;margin:2em auto;max-width:1000px;color:#111}"
                        + "table{border-collapse:collapse;margin:1em 0}td,th{border:1px solid #ccc;padding:.3em .7em;"
                        + "text-align:left}td.n,th.n{text-align:right}svg{max-width:100%;height:auto}</style></head>"
                        + "<body>\n<h1>")
                .append(title)
                .append("</h1>\n");
        html.append(SvgGantt.draw(problem, plan, actuals));
        list(html, "Not known, so the times may be others", problem.unknown());
        html.append("<h2>Jobs</h2>\n<table><tr><th class=\"n\">Phase</th><th>Job</th><th>Role</th>"
                + "<th class=\"n\">VMs</th><th class=\"n\">Start, s</th><th class=\"n\">Seconds</th>"
                + (actuals.isEmpty() ? "" : "<th class=\"n\">Actual, s</th><th class=\"n\">Error</th>")
                + "</tr>\n");
        for (int i = 0; i < plan.phases().size(); i++) {
            Phase phase = plan.phases().get(i);
            for (Assignment assignment : phase.assignments()) {
                html.append(row(i + 1, assignment, actuals));
            }
        }
        html.append("</table>\n");
        list(html, "Why", plan.explanations().stream().map(Explanation::text).toList());
        return html.append("</body></html>\n").toString();
    }

    private static void list(StringBuilder html, String heading, List<String> sentences) {
        if (!sentences.isEmpty()) {
            html.append("<h2>").append(heading).append("</h2>\n<ul>\n");
            sentences.forEach(one -> html.append("<li>").append(Svg.escape(one)).append("</li>\n"));
            html.append("</ul>\n");
        }
    }

    private static String row(int phase, Assignment assignment, List<Actual> actuals) {
        String measured = "";
        if (!actuals.isEmpty()) {
            measured = actuals.stream()
                    .filter(a -> a.job().equals(assignment.job()))
                    .findFirst()
                    .map(a -> String.format(
                            Locale.ROOT,
                            "<td class=\"n\">%.2f</td><td class=\"n\">%+.1f %%</td>",
                            a.seconds(),
                            100 * (a.seconds() / assignment.seconds() - 1)))
                    .orElse("<td class=\"n\">-</td><td class=\"n\">-</td>");
        }
        return String.format(
                Locale.ROOT,
                "<tr><td class=\"n\">%d</td><td>%s</td><td>%s</td><td class=\"n\">%d</td><td class=\"n\">%.2f</td>"
                        + "<td class=\"n\">%.2f</td>%s</tr>%n",
                phase,
                Svg.escape(assignment.job()),
                assignment.role().key(),
                assignment.vms(),
                assignment.start(),
                assignment.seconds(),
                measured);
    }
}
