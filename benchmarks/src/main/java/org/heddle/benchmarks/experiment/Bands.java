// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.experiment;

import java.util.Map;

/**
 * The noise bands of an experiment.
 *
 * @param usual for columns without a band of their own
 * @param columns by the name of the column
 */
public record Bands(Band usual, Map<String, Band> columns) {
    /** For simulations. */
    public static final Bands EXACT = new Bands(Band.EXACT, Map.of());

    public Bands {
        columns = Map.copyOf(columns);
    }

    public static Bands within(double relative) {
        return new Bands(Band.within(relative), Map.of());
    }

    public Band of(String column) {
        return columns.getOrDefault(column, usual);
    }
}
