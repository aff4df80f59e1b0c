// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config;

/**
 * One error in a configuration file.
 *
 * @param file name of the file as the administrator gave it
 * @param line 1 or more; 0 if the problem is with the file as a whole
 * @param element the element, attribute or queue; empty for the file as a whole
 * @param value the value in the file; empty if there is none
 * @param wayOut what would be correct
 */
public record Problem(String file, int line, String element, String value, String wayOut) {
    private static final int LONGEST_VALUE = 80;

    public Problem {
        value = oneLine(value);
        wayOut = wayOut.replaceAll("\\s+", " ");
    }

    private static String oneLine(String text) {
        String flat = text.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
        return flat.length() <= LONGEST_VALUE ? flat : flat.substring(0, LONGEST_VALUE) + "...";
    }

    /** One sentence on one line, without the file: "line 12, &lt;weight&gt; = '-2': must be ...". */
    public String sentence() {
        StringBuilder text = new StringBuilder();
        if (line > 0) {
            text.append("line ").append(line);
        }
        if (!element.isEmpty()) {
            text.append(text.isEmpty() ? "" : ", ").append(element);
        }
        if (!value.isEmpty()) {
            text.append(" = '").append(value).append('\'');
        }
        return text.append(text.isEmpty() ? "" : ": ").append(wayOut).toString();
    }

    @Override
    public String toString() {
        return file + ": " + sentence();
    }
}
