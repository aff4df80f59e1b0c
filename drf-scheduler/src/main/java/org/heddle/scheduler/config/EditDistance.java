// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config;

/** Levenshtein's distance: how many letters to insert, delete or replace to turn one word into another. */
final class EditDistance {
    private static final int LONGEST = 64;

    private EditDistance() {}

    /** The distance; {@code Integer.MAX_VALUE} for words that are too long for a typing error. */
    static int between(String a, String b) {
        if (a.length() > LONGEST || b.length() > LONGEST) {
            return Integer.MAX_VALUE;
        }
        int[] above = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[b.length()];
    }
}
