// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Under which name a run counts, so that runs of the same job are together: tools put ids, dates and times into the
 * names of their jobs, which differ at each run.
 */
public final class JobNames {
    /** In place of what differs. */
    private static final String ANY = "*";

    private static final int MOST_LETTERS = 200;

    /** Oozie ends the names of its jobs with the workflow's id; what is before it is the workflow and the action. */
    private static final Pattern OOZIE = Pattern.compile("^(oozie:.*?):ID=.*$");

    private static final Pattern DIFFERS = Pattern.compile(
            "\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}" // UUIDs
                    + "|\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}([T ]\\d{1,2}:\\d{2}(:\\d{2}([.,]\\d+)?)?Z?)?"
                    + "|\\b\\d{1,2}:\\d{2}:\\d{2}\\b"
                    + "|(?<![\\p{Alnum}])(?=\\p{Alpha}*\\d)\\p{XDigit}{16,}(?![\\p{Alnum}])" // digests, Cascading's ids
                    + "|\\d{6,}([-_]\\d+)*");

    private final @Nullable Pattern pattern;
    private final @Nullable String property;

    /**
     * @param pattern of which the first group, or all that it matches, is the name; null for what is usual
     * @param property of the jobs whose value is the name where it is set; null for the name of the job
     */
    public JobNames(@Nullable Pattern pattern, @Nullable String property) {
        this.pattern = pattern;
        this.property = property;
    }

    /** What tools add is replaced by {@code *}. */
    public static JobNames usual() {
        return new JobNames(null, null);
    }

    /**
     * @param name of the job
     * @param properties its properties by their names; null for those that are not set
     */
    String of(String name, UnaryOperator<@Nullable String> properties) {
        String value = property == null ? null : properties.apply(property);
        String text = value == null ? name : value;
        String line = JobRecord.oneLine(text);
        String result;
        if (pattern == null) {
            result = DIFFERS.matcher(OOZIE.matcher(line).replaceFirst("$1")).replaceAll(ANY);
        } else {
            Matcher found = pattern.matcher(line);
            result = found.find() ? matched(found) : line;
        }
        String shortened =
                result.substring(0, Math.min(MOST_LETTERS, result.length())).strip();
        return shortened.isEmpty() ? "unnamed" : shortened;
    }

    private static String matched(Matcher found) {
        String group = found.groupCount() > 0 ? found.group(1) : found.group();
        return group == null ? found.group() : group;
    }
}
