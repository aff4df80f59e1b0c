// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.experiment;

import java.util.List;
import java.util.function.Predicate;

/**
 * What an experiment measured. Everything that is shown later is drawn from these values.
 *
 * @param rows the table
 * @param curves the points of plots that cannot be drawn from the rows
 */
public record Measurement(List<Row> rows, List<Curve> curves) {
    public Measurement {
        rows = List.copyOf(rows);
        curves = List.copyOf(curves);
    }

    public static Measurement of(List<Row> rows) {
        return new Measurement(rows, List.of());
    }

    /** Some of its rows, without curves. */
    public Measurement only(Predicate<Row> which) {
        return of(rows.stream().filter(which).toList());
    }

    /** The curves of one plot. */
    public List<Curve> curves(String plot) {
        return curves.stream().filter(curve -> curve.plot().equals(plot)).toList();
    }
}
