// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.chart;

/**
 * Fills for the jobs of a chart: 12 colours, plain for the first 12 jobs, then with one of five dark patterns. So the
 * fills of 72 jobs differ. Charts also show the number of a job, which never repeats.
 */
final class JobFills {
    private static final String[] COLOURS = {
        "#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#b07aa1", "#edc948", "#9c755f", "#ff9da7", "#bab0ac",
        "#d37295", "#8cd17d"
    };
    private static final String[] PATTERNS = {
        "<circle cx=\"3\" cy=\"3\" r=\"1.3\"/>",
        "<rect width=\"6\" height=\"1.6\"/>",
        "<rect width=\"1.6\" height=\"6\"/>",
        "<path d=\"M0 0h6v1.2h-4.8v4.8h-1.2z\"/>",
        "<path d=\"M0 4.4l3-3l3 3v1.6l-3-3l-3 3z\"/>"
    };

    private JobFills() {}

    static String colour(int job) {
        return COLOURS[job % COLOURS.length];
    }

    /** The definitions of the patterns, once for each SVG. */
    static String definitions() {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < PATTERNS.length; i++) {
            all.append("<pattern id=\"job")
                    .append(i + 1)
                    .append("\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><g fill=\"#000000\""
                            + " fill-opacity=\"0.45\">")
                    .append(PATTERNS[i])
                    .append("</g></pattern>");
        }
        return all.toString();
    }

    /** The id of the pattern over the colour of a job; empty for the first jobs. */
    static String pattern(int job) {
        int pattern = job / COLOURS.length % (PATTERNS.length + 1);
        return pattern == 0 ? "" : "job" + pattern;
    }
}
