// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.report;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds figures in Markdown: numbers with a unit, and ratios. What stands in code is none. */
final class QuotedFigures {
    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```$|`[^`]*`|\\]\\([^)]*\\)|<!--.*?-->");
    private static final Pattern FIGURE = Pattern.compile("(?<![\\w.:/-])(\\d[\\d,]*(?:\\.\\d+)?)[ \\n]?"
            + "(ns|us|ms|s|min|h|seconds|minutes|hours|%|kB|MB|GB|KiB|MiB|GiB|bytes|times|x)(?![\\w/])"
            + "|(?<![\\w.:/-])(\\d+(?:\\.\\d+)?) ?: ?(\\d+(?:\\.\\d+)?)(?![\\w:]|\\.\\d)");
    private static final Map<String, String> UNITS =
            Map.of("seconds", "s", "minutes", "min", "hours", "h", "times", "x");

    private QuotedFigures() {}

    /** Each figure in one form: {@code 1,000 ms}, {@code 2 : 1}. */
    static Set<String> in(String markdown) {
        Set<String> figures = new LinkedHashSet<>();
        Matcher found = FIGURE.matcher(CODE.matcher(markdown).replaceAll(" "));
        while (found.find()) {
            String unit = found.group(2);
            figures.add(
                    unit == null
                            ? found.group(3) + " : " + found.group(4)
                            : found.group(1) + " " + UNITS.getOrDefault(unit, unit));
        }
        return figures;
    }
}
