// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.experiment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A picture of a measurement: lines, or bars if there are categories, or ranges on a logarithmic axis.
 *
 * @param name a part of the file's name: lower case, with hyphens
 * @param title above the picture
 * @param xTitle what x is, with its unit
 * @param yTitle what y is, with its unit
 * @param categories names of the groups of bars; empty for lines
 * @param curves lines; or bars, of which each has a y for each category; or the ends and the middle of ranges
 * @param ranges whether the curves are the greatest values, the medians and the least values of the categories
 */
public record Plot(
        String name,
        String title,
        String xTitle,
        String yTitle,
        List<String> categories,
        List<Curve> curves,
        boolean ranges) {
    public Plot {
        categories = List.copyOf(categories);
        curves = List.copyOf(curves);
    }

    /** Lines, or bars if there are categories. */
    public Plot(String name, String title, String xTitle, String yTitle, List<String> categories, List<Curve> curves) {
        this(name, title, xTitle, yTitle, categories, curves, false);
    }

    /**
     * For each category the greatest value, the median and the least value, on a logarithmic axis.
     *
     * @param values one for each category, all above 0
     */
    public static Plot ranges(
            String name, String title, String xTitle, String yTitle, List<String> categories, List<Spread> values) {
        List<Curve> curves = List.of(
                Curve.overSpreads(name, "greatest", values, Spread::most),
                Curve.overSpreads(name, "median", values, Spread::median),
                Curve.overSpreads(name, "least", values, Spread::least));
        return new Plot(name, title, xTitle, yTitle, categories, curves, true);
    }

    /**
     * The same for each row that has the column.
     *
     * @param category what to call a row of this name
     */
    public static Plot ranges(
            Measurement measurement,
            String name,
            String title,
            String yTitle,
            String column,
            UnaryOperator<String> category) {
        List<String> categories = new ArrayList<>();
        List<Spread> values = new ArrayList<>();
        for (Row row : measurement.rows()) {
            Spread value = row.figures().get(column);
            if (value != null) {
                categories.add(category.apply(row.name()));
                values.add(value);
            }
        }
        return ranges(name, title, "", yTitle, categories, values);
    }

    /** Lines through the curves that the measurement keeps under this name. */
    public static Plot lines(Measurement measurement, String name, String title, String xTitle, String yTitle) {
        return new Plot(name, title, xTitle, yTitle, List.of(), measurement.curves(name));
    }

    /** A group of bars for each row and, in each group, a bar for each of the columns. */
    public static Plot bars(Measurement measurement, String name, String title, String yTitle, String... columns) {
        List<Curve> bars = Arrays.stream(columns)
                .map(column -> Curve.overRows(name, column, measurement.rows(), column, 0))
                .toList();
        List<String> rows = measurement.rows().stream().map(Row::name).toList();
        return new Plot(name, title, "", yTitle, rows, bars);
    }
}
