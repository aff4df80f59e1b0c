// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.experiment;

import java.util.Arrays;
import java.util.List;

/**
 * A picture of a measurement: lines, or bars if there are categories.
 *
 * @param name a part of the file's name: lower case, with hyphens
 * @param title above the picture
 * @param xTitle what x is, with its unit
 * @param yTitle what y is, with its unit
 * @param categories names of the groups of bars; empty for lines
 * @param curves lines; or bars, of which each has a y for each category
 */
public record Plot(
        String name, String title, String xTitle, String yTitle, List<String> categories, List<Curve> curves) {
    public Plot {
        categories = List.copyOf(categories);
        curves = List.copyOf(curves);
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
