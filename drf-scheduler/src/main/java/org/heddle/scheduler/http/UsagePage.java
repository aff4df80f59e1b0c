// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.util.List;
import java.util.Locale;
import org.heddle.scheduler.accounting.UsageQuery.Dimension;
import org.heddle.scheduler.accounting.UsageReport;
import org.heddle.scheduler.accounting.UsageReport.Line;

/** The page under {@code /heddle/usage}: who used how much. It is complete without JavaScript. */
final class UsagePage {
    private static final int MOST_ROWS = 1_000;

    private UsagePage() {}

    /** @param query the query as it was asked, for the links to other formats */
    static byte[] html(UsageReport report, String query, List<ConsoleFrame.Section> added) {
        String tables = table(report)
                + "<footer>The same as <a href=\"v1/usage.csv?" + ConsoleFrame.escaped(query)
                + "\">CSV</a> and as <a href=\"v1/usage?" + ConsoleFrame.escaped(query)
                + "\">JSON</a>, in seconds; in a"
                + " terminal: heddle report usage</footer>";
        return ConsoleFrame.page(UsagePage.class, "usage", ConsoleFrame.usage(), added, form(report) + tables);
    }

    private static String form(UsageReport report) {
        StringBuilder form = new StringBuilder("<form class=\"tools\" method=\"get\" action=\"usage\">");
        form.append("<label>By <select name=\"by\">");
        option(form, "user", report);
        option(form, "queue", report);
        option(form, "queue,user", report);
        option(form, "user,application,name", report);
        option(form, "type", report);
        option(form, "name", report);
        option(form, "day", report);
        option(form, "day,queue", report);
        option(form, "month", report);
        form.append("</select></label> ");
        String days = UsageResponse.days(report);
        day(form, "from", "From", days.substring(0, days.indexOf(' ')));
        day(form, "to", "to", days.substring(days.lastIndexOf(' ') + 1));
        return form.append("<button class=\"main\">Show</button></form>").toString();
    }

    private static void option(StringBuilder form, String value, UsageReport report) {
        boolean chosen = value.equals(UsageResponse.columns(report).replace(", ", ","));
        form.append("<option value=\"").append(value).append(chosen ? "\" selected>" : "\">");
        form.append(value.replace(",", ", ")).append("</option>");
    }

    private static void day(StringBuilder form, String name, String label, String value) {
        form.append("<label>")
                .append(label)
                .append(" <input type=\"date\" required name=\"")
                .append(name);
        form.append("\" value=\"").append(value).append("\"></label> ");
    }

    private static String table(UsageReport report) {
        if (report.lines().isEmpty()) {
            return "<p class=\"nothing\">No application has used anything in this time.</p>";
        }
        StringBuilder html = new StringBuilder("<p class=\"soft\">A container counts with its whole size from its");
        html.append(
                " allocation to its end; the numbers of containers are of those that have ended.</p><div class=\"table\" tabindex=\"0\" role=\"region\"");
        html.append(" aria-label=\"Usage\"><table><caption>").append(UsageResponse.days(report));
        html.append(" (UTC)</caption><thead><tr>");
        for (Dimension column : report.query().by()) {
            html.append("<th scope=\"col\" class=\"text\">")
                    .append(column.key())
                    .append("</th>");
        }
        for (String resource : report.resources()) {
            html.append("<th scope=\"col\">")
                    .append(ConsoleFrame.escaped(UsageResponse.title(resource)))
                    .append("</th>");
        }
        html.append("<th scope=\"col\">applications</th><th scope=\"col\">containers</th>");
        html.append("<th scope=\"col\">preempted</th></tr></thead><tbody>");
        report.lines().stream().limit(MOST_ROWS).forEach(line -> row(report, line, html));
        html.append("</tbody><tfoot><tr>");
        html.append("<th scope=\"row\" class=\"text\" colspan=\"")
                .append(report.query().by().size())
                .append("\">total</th>");
        for (String resource : report.resources()) {
            double sum = report.lines().stream()
                    .mapToDouble(line -> UsageResponse.hours(line, resource))
                    .sum();
            html.append("<td>").append(number(sum)).append("</td>");
        }
        html.append("<td></td><td>")
                .append(report.lines().stream().mapToLong(Line::containers).sum());
        html.append("</td><td>")
                .append(report.lines().stream().mapToLong(Line::preempted).sum());
        html.append("</td></tr></tfoot></table></div>");
        if (report.lines().size() > MOST_ROWS) {
            html.append("<p>The first ").append(MOST_ROWS).append(" rows; CSV and JSON have all.</p>");
        }
        return html.toString();
    }

    private static void row(UsageReport report, Line line, StringBuilder html) {
        html.append("<tr>");
        for (int i = 0; i < line.key().size(); i++) {
            String tag = i == 0 ? "th" : "td";
            html.append('<').append(tag).append(i == 0 ? " scope=\"row\"" : "").append(" class=\"text\">");
            html.append(ConsoleFrame.escaped(line.key().get(i)));
            html.append("</").append(tag).append('>');
        }
        for (String resource : report.resources()) {
            double most = report.lines().stream()
                    .mapToDouble(other -> UsageResponse.hours(other, resource))
                    .max()
                    .orElse(0);
            double hours = UsageResponse.hours(line, resource);
            html.append("<td>").append(number(hours));
            html.append("<meter min=\"0\" max=\"").append(number(Math.max(most, 0.01)));
            html.append("\" value=\"").append(number(hours)).append("\"></meter></td>");
        }
        html.append("<td>").append(line.applications()).append("</td><td>").append(line.containers());
        html.append("</td><td>").append(line.preempted()).append("</td></tr>\n");
    }

    private static String number(double hours) {
        return String.format(Locale.ROOT, "%.2f", hours);
    }
}
