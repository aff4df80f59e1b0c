// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.util.List;
import java.util.Locale;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.Kind;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.SchedulableReport;

/** The page under {@code /heddle/}: it loads nothing but its files and the scheduler's own JSON. */
final class SchedulerPage {
    /** More rows than this are left to the JSON. */
    private static final int MOST_ROWS = 500;

    private SchedulerPage() {}

    static byte[] html(SchedulerSnapshot snapshot, WaitingOverview waiting, List<ConsoleFrame.Section> added) {
        String tables = "<p>" + ConsoleFrame.escaped(waiting.sentence()) + "</p>" + table(snapshot);
        return ConsoleFrame.page(SchedulerPage.class, "scheduler", ConsoleFrame.scheduler(), added, tables);
    }

    /** Queues and users for browsers without JavaScript. */
    private static String table(SchedulerSnapshot snapshot) {
        StringBuilder rows = new StringBuilder();
        int left = rows(snapshot.root(), 0, MOST_ROWS, rows);
        String head = "<table class=\"plain\"><caption>Queues and users</caption><thead><tr><th scope=\"col\">Name</th>"
                + "<th scope=\"col\">Share</th><th scope=\"col\">Fair share</th><th scope=\"col\">Asks for</th>"
                + "<th scope=\"col\">Weight</th><th scope=\"col\">Running</th><th scope=\"col\">Waiting</th>"
                + "<th scope=\"col\">State</th></tr></thead><tbody>";
        String more = left > 0 ? "" : "<p>The first " + MOST_ROWS + " rows; v1/scheduler has all.</p>";
        return head + rows + "</tbody></table>" + more;
    }

    /** Adds the rows of a queue or user and of what is below it. @return how many more rows may follow */
    private static int rows(SchedulableReport report, int depth, int room, StringBuilder rows) {
        int left = room;
        if (report.kind() == Kind.APPLICATION || left <= 0) {
            return left;
        }
        left--;
        rows.append("<tr><th scope=\"row\">").append("&nbsp;&nbsp;".repeat(depth));
        rows.append(ConsoleFrame.escaped(report.name())).append("</th>");
        cell(rows, percent(report.dominantShare()));
        cell(rows, percent(report.fairShare()));
        cell(rows, percent(report.demandShare()));
        cell(rows, Double.toString(report.weight()));
        cell(rows, Integer.toString(report.runningContainers()));
        cell(rows, Integer.toString(report.pendingContainers()));
        String state;
        if (report.obstacle().isEmpty()) {
            if (report.blocked()) {
                state = "waits for its turn";
            } else {
                state = "";
            }
        } else {
            state = "cannot be served: " + report.obstacle();
        }
        cell(rows, ConsoleFrame.escaped(state));
        rows.append("</tr>\n");
        for (SchedulableReport child : report.children()) {
            left = rows(child, depth + 1, left, rows);
        }
        return left;
    }

    private static void cell(StringBuilder rows, String html) {
        rows.append("<td>").append(html).append("</td>");
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, "%.1f %%", part * 100);
    }
}
