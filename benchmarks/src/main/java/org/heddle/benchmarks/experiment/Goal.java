// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.experiment;

import java.util.function.ToDoubleFunction;

/**
 * What an experiment has to reach. It is set before the measurement, and the page says whether it was reached.
 *
 * @param what is judged
 * @param bound which side of the limit is good
 * @param limit in the unit of the figure
 * @param figure from a measurement; NaN if that does not have it
 */
public record Goal(String what, Bound bound, double limit, ToDoubleFunction<Measurement> figure) {
    /** Which side of a limit is good; the limit itself always is. */
    public enum Bound {
        AT_MOST("at most"),
        AT_LEAST("at least");

        private final String words;

        Bound(String words) {
            this.words = words;
        }

        /** For the page. */
        public String words() {
            return words;
        }
    }

    /** A limit of the median of a column in a row. */
    public static Goal atMost(String row, String column, double limit) {
        return atMost(row + ": " + column, limit, measurement -> measurement.median(row, column));
    }

    /** A limit of a figure that is computed from a measurement. */
    public static Goal atMost(String what, double limit, ToDoubleFunction<Measurement> figure) {
        return new Goal(what, Bound.AT_MOST, limit, figure);
    }

    /** What the median of a column in a row has to reach. */
    public static Goal atLeast(String row, String column, double limit) {
        return atLeast(row + ": " + column, limit, measurement -> measurement.median(row, column));
    }

    /** What a figure that is computed from a measurement has to reach. */
    public static Goal atLeast(String what, double limit, ToDoubleFunction<Measurement> figure) {
        return new Goal(what, Bound.AT_LEAST, limit, figure);
    }

    /** Whether this figure reaches it; NaN does not. */
    public boolean isReachedBy(double seen) {
        return bound == Bound.AT_MOST ? seen <= limit : seen >= limit;
    }
}
