// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.report;

/** A comparison as text. */
public final class TextReport {
    private TextReport() {}

    /** Ends with a line feed. */
    public static String text(Comparison comparison) {
        StringBuilder text = new StringBuilder();
        Notes.subject(comparison).forEach(line -> text.append(line).append('\n'));
        Tables.of(comparison).forEach(table -> text.append('\n').append(table.text()));
        text.append("\nnotes\n");
        Notes.remarks(comparison).forEach(line -> text.append("  ").append(line).append('\n'));
        return text.toString();
    }
}
