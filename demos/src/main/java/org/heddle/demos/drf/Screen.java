// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.drf;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.heddle.demos.drf.ClusterRest.App;
import org.heddle.demos.drf.Scenario.Tenant;
import org.heddle.demos.drf.ShareHistory.Holding;
import org.heddle.demos.drf.ShareHistory.Sample;

/** Shows the race: redrawn in place on a terminal, a line every few seconds elsewhere. */
final class Screen {
    private static final int BAR = 30;
    private static final double LINE_EVERY_SECONDS = 5;

    private final PrintStream out;
    private final boolean terminal;
    private final Scenario scenario;
    private final Map<String, Double> fair;
    private int drawn;
    private double lastLine = Double.NEGATIVE_INFINITY;

    Screen(PrintStream out, boolean terminal, Scenario scenario, Map<String, Double> fair) {
        this.out = out;
        this.terminal = terminal;
        this.scenario = scenario;
        this.fair = fair;
    }

    /** A line that stays. */
    void say(String line) {
        drawn = 0;
        out.println(line);
    }

    void show(String phase, ShareHistory history, JobBoard board) {
        if (terminal) {
            redraw(table(phase, history, board));
        } else if (history.last().seconds() - lastLine >= LINE_EVERY_SECONDS) {
            lastLine = history.last().seconds();
            out.println(line(phase, history, board));
        }
    }

    private void redraw(List<String> lines) {
        StringBuilder text = new StringBuilder();
        if (drawn > 0) {
            text.append("\033[").append(drawn).append('A');
        }
        for (String line : lines) {
            text.append("\033[2K").append(line).append('\n');
        }
        out.print(text);
        out.flush();
        drawn = lines.size();
    }

    private List<String> table(String phase, ShareHistory history, JobBoard board) {
        Sample now = history.last();
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "%4.0f s  %s", now.seconds(), phase));
        lines.add(String.format(
                "  %-6s %-9s %6s %6s %6s  %-" + BAR + "s %5s %7s  %s",
                "user",
                "queue",
                "now",
                "fair",
                "mean",
                "dominant share, | = fair",
                "held",
                "pending",
                "jobs"));
        for (Tenant tenant : scenario.tenants()) {
            Holding holding = holding(now, tenant.user());
            lines.add(String.format(
                    Locale.ROOT,
                    "  %-6s %-9s %5.1f%% %5.1f%% %6s  %s %5d %7d  %d done%s",
                    tenant.user(),
                    tenant.queue(),
                    100 * holding.share(),
                    100 * fair(tenant.user()),
                    mean(history, tenant.user()),
                    bar(holding.share(), fair(tenant.user())),
                    holding.containers(),
                    holding.pending(),
                    board.finishedJobs(tenant.user()),
                    running(board, tenant.user())));
        }
        return lines;
    }

    private String line(String phase, ShareHistory history, JobBoard board) {
        Sample now = history.last();
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%4.0f s  %s", now.seconds(), phase));
        for (Tenant tenant : scenario.tenants()) {
            Holding holding = holding(now, tenant.user());
            line.append(String.format(
                    Locale.ROOT,
                    " | %s %.1f%% of fair %.1f%%, %d held, %d pending, %d done%s",
                    tenant.user(),
                    100 * holding.share(),
                    100 * fair(tenant.user()),
                    holding.containers(),
                    holding.pending(),
                    board.finishedJobs(tenant.user()),
                    running(board, tenant.user())));
        }
        return line.toString();
    }

    private double fair(String user) {
        return fair.getOrDefault(user, 0.0);
    }

    private static Holding holding(Sample sample, String user) {
        return sample.holdings().getOrDefault(user, new Holding(0, 0, 0));
    }

    private static String mean(ShareHistory history, String user) {
        return history.measuredSeconds() == 0 ? "-" : String.format(Locale.ROOT, "%.1f%%", 100 * history.mean(user));
    }

    private static String running(JobBoard board, String user) {
        StringBuilder text = new StringBuilder();
        board.apps().values().stream()
                .filter(app -> app.user().equals(user) && !app.isOver())
                .sorted((a, b) -> a.id().compareTo(b.id()))
                .forEach(app -> text.append(", ").append(progress(app)));
        return text.toString();
    }

    private static String progress(App app) {
        return app.name() + String.format(Locale.ROOT, " %.0f%%", app.progress());
    }

    private static String bar(double share, double fair) {
        int filled = (int) Math.round(Math.min(1, share) * BAR);
        int mark = Math.min(BAR - 1, (int) Math.round(fair * BAR));
        StringBuilder bar = new StringBuilder();
        for (int i = 0; i < BAR; i++) {
            char fill = i < filled ? '#' : '.';
            bar.append(i == mark ? '|' : fill);
        }
        return bar.toString();
    }
}
