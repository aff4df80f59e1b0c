// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import org.heddle.benchmarks.experiment.Spread;

/** Writes figures: three digits, more before the point. */
final class Numbers {
    private static final double HUNDRED = 100;
    private static final double TEN = 10;
    private static final double TENTH = 0.1;
    private static final double LARGEST_EXACT = 1e15;

    /** Seconds from which a duration is written in minutes. */
    private static final double MINUTES_FROM = 120;

    private Numbers() {}

    static String text(double value) {
        double size = Math.abs(value);
        if (Double.isNaN(value)) {
            return "-";
        }
        if (Double.isInfinite(value)) {
            return "infinite";
        }
        if (size >= HUNDRED || (size < LARGEST_EXACT && value == Math.rint(value))) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        if (size >= TEN) {
            return String.format(Locale.ROOT, "%.1f", value);
        }
        if (size >= 1) {
            return String.format(Locale.ROOT, "%.2f", value);
        }
        return size >= TENTH ? String.format(Locale.ROOT, "%.3f", value) : String.format(Locale.ROOT, "%.3g", value);
    }

    /** A number that somebody wrote: all of its digits. */
    static String exact(double value) {
        return plain(BigDecimal.valueOf(value));
    }

    /** Four digits, because three can hide on which side of a limit a figure is. */
    static String digits(double value) {
        return Double.isFinite(value) ? plain(new BigDecimal(value).round(new MathContext(4))) : text(value);
    }

    private static String plain(BigDecimal value) {
        return value.stripTrailingZeros().toPlainString();
    }

    /** A duration with its unit. */
    static String duration(double seconds) {
        if (seconds < 1) {
            return "less than 1 s";
        }
        return seconds < MINUTES_FROM
                ? String.format(Locale.ROOT, "%.0f s", seconds)
                : String.format(Locale.ROOT, "%.0f min", seconds / 60);
    }

    /** The median and, where repetitions differ, the smallest and the largest value in brackets. */
    static String text(Spread spread) {
        String median = text(spread.median());
        return spread.spans() ? median + " (" + text(spread.least()) + " to " + text(spread.most()) + ")" : median;
    }
}
