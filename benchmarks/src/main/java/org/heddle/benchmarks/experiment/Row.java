// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.experiment;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One line of a table: a scheduler, a scenario, a value of a parameter.
 *
 * @param name unique in its measurement
 * @param figures by column, in the order of the columns; a column's name has the unit
 */
public record Row(String name, Map<String, Spread> figures) {
    public Row {
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }

    /** A row without figures yet. */
    public static Row of(String name) {
        return new Row(name, Map.of());
    }

    /** The same row with one more figure. */
    public Row with(String column, Spread spread) {
        Map<String, Spread> more = new LinkedHashMap<>(figures);
        more.put(column, spread);
        return new Row(name, more);
    }

    /** The same row with one more figure that has no spread. */
    public Row with(String column, double value) {
        return with(column, Spread.of(value));
    }

    /** The median of a figure; NaN if the row has no such figure. */
    public double median(String column) {
        Spread spread = figures.get(column);
        return spread == null ? Double.NaN : spread.median();
    }
}
