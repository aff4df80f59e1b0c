// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.market;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Shows the market as it goes: redrawn in place on a terminal, a line every few seconds elsewhere. */
final class Screen {
    private static final int BAR = 30;
    private static final double LINE_EVERY_SECONDS = 10;

    private final PrintStream out;
    private final boolean terminal;
    private int drawn;
    private double lastLine = Double.NEGATIVE_INFINITY;

    Screen(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** Something that stays. */
    void say(Runnable print) {
        drawn = 0;
        print.run();
    }

    void show(Sample now, List<JobTime> jobs) {
        if (terminal) {
            redraw(table(now, jobs));
        } else if (now.seconds() - lastLine >= LINE_EVERY_SECONDS) {
            lastLine = now.seconds();
            out.println(line(now));
        }
    }

    private void redraw(List<String> lines) {
        StringBuilder text = new StringBuilder();
        if (drawn > 0) {
            text.append("\033[").append(drawn).append('A');
        }
        lines.forEach(line -> text.append("\033[2K").append(line).append('\n'));
        out.print(text);
        out.flush();
        drawn = lines.size();
    }

    private static List<String> table(Sample now, List<JobTime> jobs) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT, "%4.0f s  price %.2f for all slots and a minute", now.seconds(), now.price()));
        lines.add(String.format(
                "  %-6s %5s %9s %9s %6s  %-" + BAR + "s %5s %7s %5s  %s",
                "user",
                "rate",
                "balance",
                "entitled",
                "holds",
                "share, | = entitled",
                "held",
                "pending",
                "jobs",
                "state"));
        for (String user : MarketScenario.USERS) {
            UserState state = now.of(user);
            lines.add(String.format(
                    Locale.ROOT,
                    "  %-6s %5.1f %9.2f %8.1f%% %5.1f%%  %s %5d %7d %5d  %s",
                    user,
                    state.rate(),
                    state.balance(),
                    100 * state.entitled(),
                    100 * state.used(),
                    bar(state),
                    state.running(),
                    state.pending(),
                    jobs.stream().filter(job -> job.user().equals(user)).count(),
                    state.state()));
        }
        return lines;
    }

    private static String line(Sample now) {
        StringBuilder line =
                new StringBuilder(String.format(Locale.ROOT, "%4.0f s  price %.2f", now.seconds(), now.price()));
        for (String user : MarketScenario.USERS) {
            UserState state = now.of(user);
            line.append(String.format(
                    Locale.ROOT,
                    " | %s holds %.0f%% of %.0f%%, has %.2f",
                    user,
                    100 * state.used(),
                    100 * state.entitled(),
                    state.balance()));
        }
        return line.toString();
    }

    private static String bar(UserState state) {
        int filled = (int) Math.round(Math.min(1, state.used()) * BAR);
        int mark = Math.min(BAR - 1, (int) Math.round(state.entitled() * BAR));
        StringBuilder bar = new StringBuilder();
        for (int i = 0; i < BAR; i++) {
            char fill = i < filled ? '#' : '.';
            bar.append(i == mark ? '|' : fill);
        }
        return bar.toString();
    }
}
