// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.experiment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

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

    /** The median of a figure; NaN if there is no such row or figure. */
    public double median(String row, String column) {
        return spread(row, column).map(Spread::median).orElse(Double.NaN);
    }

    /** The largest value of a figure; NaN if there is no such row or figure. */
    public double most(String row, String column) {
        return spread(row, column).map(Spread::most).orElse(Double.NaN);
    }

    /** The largest of a column's medians; NaN if no row has one. */
    public double largest(String column) {
        return largest(row -> row.median(column));
    }

    /** The largest of the rows' figures; NaN if no row has one. */
    public double largest(ToDoubleFunction<Row> figure) {
        return rows.stream()
                .map(figure::applyAsDouble)
                .filter(Double::isFinite)
                .max(Double::compare)
                .orElse(Double.NaN);
    }

    private Optional<Spread> spread(String row, String column) {
        return rows.stream()
                .filter(one -> one.name().equals(row))
                .findFirst()
                .map(one -> one.figures().get(column));
    }

    /** Some of its rows, without curves. */
    public Measurement only(Predicate<Row> which) {
        return of(rows.stream().filter(which).toList());
    }

    /**
     * The rows in parts, which are tables of their own: rows of different parts have no column in common. In the order
     * of the rows; one without figures stands in any part.
     */
    public List<List<Row>> parts() {
        List<Set<String>> columns = new ArrayList<>();
        for (Row row : rows) {
            Set<String> together = new HashSet<>(row.figures().keySet());
            for (Set<String> part : List.copyOf(columns)) {
                if (!Collections.disjoint(part, together)) {
                    together.addAll(part);
                    columns.remove(part);
                }
            }
            columns.add(together);
        }
        return List.copyOf(rows.stream()
                .collect(Collectors.groupingBy(
                        row -> columns.stream()
                                .filter(part -> part.containsAll(row.figures().keySet()))
                                .findFirst()
                                .orElseThrow(),
                        LinkedHashMap::new,
                        Collectors.toList()))
                .values());
    }

    /** The curves of one plot. */
    public List<Curve> curves(String plot) {
        return curves.stream().filter(curve -> curve.plot().equals(plot)).toList();
    }
}
