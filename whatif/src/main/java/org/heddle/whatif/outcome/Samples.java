// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.outcome;

import java.util.Arrays;

/** Times in milliseconds, many of them. */
final class Samples {
    private long[] values = new long[16];
    private int count;

    void add(long millis) {
        if (count == values.length) {
            values = Arrays.copyOf(values, 2 * count);
        }
        values[count++] = millis;
    }

    Percentiles percentiles() {
        return Percentiles.of(values, count);
    }
}
