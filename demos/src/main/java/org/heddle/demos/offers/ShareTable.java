// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.offers;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** The table of shares: redrawn in place on a terminal, printed now and then elsewhere. */
final class ShareTable {
    private static final int BAR = 30;
    private static final int EACH = 10;

    private final PrintStream console;
    private final boolean terminal;
    private int drawn;
    private int calls;

    ShareTable(PrintStream console, boolean terminal) {
        this.console = console;
        this.terminal = terminal;
    }

    /**
     * @param share 0 to 1
     * @param text at the end of the line
     */
    record Line(String name, double share, String text) {
        private String draw() {
            int filled = (int) Math.round(Math.min(1, share) * BAR);
            return String.format(
                    Locale.ROOT,
                    "  %-13s %5.1f%%  [%s%s] %s",
                    name,
                    100 * share,
                    "#".repeat(filled),
                    ".".repeat(BAR - filled),
                    text);
        }
    }

    /** @param title beside the time; may be empty */
    void show(double seconds, String title, List<Line> lines) {
        String head = String.format(Locale.ROOT, "%4.0f s  %s", seconds, title).stripTrailing();
        if (terminal) {
            StringBuilder text = new StringBuilder(drawn > 0 ? "\033[" + drawn + "A" : "");
            text.append("\033[2K").append(head).append('\n');
            lines.forEach(line -> text.append("\033[2K").append(line.draw()).append('\n'));
            console.print(text);
            drawn = lines.size() + 1;
        } else if (calls++ % EACH == 0) {
            console.println(head);
            lines.forEach(line -> console.println(line.draw()));
        }
        console.flush();
    }
}
