// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code docs/evaluation.md}: text by people, and sections between two markers that are redrawn from results.
 *
 * @param text the whole page
 */
public record EvaluationPage(String text) {
    private static final Pattern SECTION = Pattern.compile(
            "(?ms)^<!-- evaluate: (?<name>[a-z0-9-]+) -->$\\n(?<content>.*?)^<!-- end of \\k<name> -->$");
    private static final Pattern BEGIN = Pattern.compile("(?m)^<!-- evaluate: ");

    /** The page with other sections; what stands outside the markers stays. */
    public EvaluationPage with(Map<String, String> sections) {
        check(sections);
        Matcher found = SECTION.matcher(text);
        StringBuilder page = new StringBuilder();
        while (found.find()) {
            String name = found.group("name");
            String section = begin(name) + "\n" + sections.getOrDefault(name, "") + end(name);
            found.appendReplacement(page, Matcher.quoteReplacement(section));
        }
        return new EvaluationPage(found.appendTail(page).toString());
    }

    /** @throws IllegalArgumentException if the page has other sections than these, or one twice */
    private void check(Map<String, String> sections) {
        List<String> names = names();
        long begun = BEGIN.matcher(text).results().count();
        if (begun != names.size()) {
            throw new IllegalArgumentException("docs/evaluation.md begins " + begun + " sections and ends "
                    + names.size() + " of them: each needs a line \"" + begin("NAME") + "\" and a line \"" + end("NAME")
                    + "\"");
        }
        TreeSet<String> missing = new TreeSet<>(sections.keySet());
        for (String name : names) {
            if (!missing.remove(name)) {
                throw new IllegalArgumentException("docs/evaluation.md has a section " + name
                        + " that no experiment fills, or has it twice: remove its two markers");
            }
        }
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("docs/evaluation.md has no section for " + String.join(", ", missing)
                    + ": add a line \"" + begin("NAME") + "\" and a line \"" + end("NAME") + "\" for each");
        }
    }

    /** The names of the sections in their order. */
    public List<String> names() {
        List<String> names = new ArrayList<>();
        Matcher found = SECTION.matcher(text);
        while (found.find()) {
            names.add(found.group("name"));
        }
        return names;
    }

    private static String begin(String name) {
        return "<!-- evaluate: " + name + " -->";
    }

    private static String end(String name) {
        return "<!-- end of " + name + " -->";
    }
}
