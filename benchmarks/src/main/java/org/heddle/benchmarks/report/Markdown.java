// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.report;

import org.heddle.benchmarks.experiment.Plot;

/** Writes a {@link Section} as Markdown. */
final class Markdown {
    private static final int WIDTH = 120;

    private Markdown() {}

    static String of(Section section) {
        StringBuilder text = new StringBuilder();
        text.append("### ").append(section.title()).append("\n\n");
        section.about().forEach(paragraph -> text.append(wrapped(paragraph)).append('\n'));
        Table goals = section.goals();
        String judged = goals == null ? "" : goals.markdown() + "\n";
        if (section.tables().isEmpty()) {
            text.append(judged);
            text.append(wrapped(section.origin() + " To measure it: `" + section.command() + "`"));
            return text.toString();
        }
        section.tables().forEach(table -> text.append(table.markdown()).append('\n'));
        text.append(judged);
        text.append(wrapped(section.origin() + " `" + section.command() + "`"));
        if (!section.warning().isEmpty()) {
            text.append('\n').append(wrapped("**" + section.warning() + "**"));
        }
        for (Plot plot : section.plots()) {
            text.append("\n![").append(plot.title()).append("](images/");
            text.append(image(section.name(), plot)).append(")\n");
        }
        return text.toString();
    }

    /** The name of the file of a picture, below {@code docs/images}. */
    static String image(String experiment, Plot plot) {
        return "evaluation-" + experiment + "-" + plot.name() + ".png";
    }

    /** Breaks lines between words. */
    static String wrapped(String paragraph) {
        StringBuilder text = new StringBuilder();
        int column = 0;
        for (String word : paragraph.split(" ", -1)) {
            if (column > 0 && column + 1 + word.length() > WIDTH) {
                text.append('\n');
                column = 0;
            } else if (column > 0) {
                text.append(' ');
                column++;
            }
            text.append(word);
            column += word.length();
        }
        return text.append('\n').toString();
    }
}
