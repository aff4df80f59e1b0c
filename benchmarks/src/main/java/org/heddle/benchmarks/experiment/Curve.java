// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.experiment;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Points of a plot.
 *
 * @param plot name of the plot that it belongs to
 * @param name as the legend has it
 * @param x in the order of drawing
 * @param y as many as x
 * @param errors the standard deviation of each y; empty if there is none
 */
public record Curve(String plot, String name, List<Double> x, List<Double> y, List<Double> errors) {
    public Curve {
        if (x.size() != y.size() || (!errors.isEmpty() && errors.size() != y.size())) {
            throw new IllegalArgumentException("curve " + name + " of plot " + plot + " has " + x.size() + " x, "
                    + y.size() + " y and " + errors.size() + " errors: their numbers must be equal");
        }
        x = List.copyOf(x);
        y = List.copyOf(y);
        errors = List.copyOf(errors);
    }

    public Curve(String plot, String name, List<Double> x, List<Double> y) {
        this(plot, name, x, y, List.of());
    }

    /**
     * The medians of a column over the numbers of the rows; 0 for a median that is not finite.
     *
     * @param first the number of the first row
     */
    public static Curve overRows(String plot, String name, List<Row> rows, String column, int first) {
        return new Curve(
                plot,
                name,
                numbers(first, rows.size()),
                rows.stream()
                        .map(row -> row.median(column))
                        .map(median -> Double.isFinite(median) ? median : 0.0)
                        .toList());
    }

    /** One value of each spread over their numbers from 0 on. */
    static Curve overSpreads(String plot, String name, List<Spread> spreads, ToDoubleFunction<Spread> value) {
        return new Curve(
                plot,
                name,
                numbers(0, spreads.size()),
                spreads.stream().mapToDouble(value).boxed().toList());
    }

    private static List<Double> numbers(int first, int count) {
        return IntStream.range(first, first + count).asDoubleStream().boxed().toList();
    }
}
