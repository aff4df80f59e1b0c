// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.client;

import java.util.ArrayList;
import java.util.List;

/**
 * A table of text with columns as wide as their longest cell: the first column is left-aligned, numbers are
 * right-aligned.
 */
public final class TextTable {
    private final List<String[]> rows = new ArrayList<>();

    public TextTable(String... head) {
        rows.add(head);
    }

    public void add(String... row) {
        rows.add(row);
    }

    @Override
    public String toString() {
        int columns = rows.get(0).length;
        int[] width = new int[columns];
        for (String[] row : rows) {
            for (int i = 0; i < columns; i++) {
                width[i] = Math.max(width[i], row[i].length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String space = " ".repeat(width[i] - row[i].length());
                line.append(i == 0 ? row[i] + space : "  " + space + row[i]);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
