// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import java.util.Arrays;

/**
 * Least squares with coefficients &gt;= 0 for a handful of columns: the best of all subsets of columns whose
 * ordinary solution is nonnegative. Exact, and cheap for up to four columns.
 */
final class NonNegativeFit {
    private NonNegativeFit() {}

    /** Coefficients that minimise the sum of squares of {@code rows x - target}. */
    static double[] solve(double[][] rows, double[] target) {
        int columns = rows[0].length;
        double[] best = new double[columns];
        double least = Double.POSITIVE_INFINITY;
        for (int set = 1; set < 1 << columns; set++) {
            if (Integer.bitCount(set) > rows.length) {
                continue;
            }
            double[] x = solve(rows, target, set);
            if (x.length > 0 && Arrays.stream(x).allMatch(v -> v >= 0)) {
                double squares = squares(rows, target, x) * (1 + 1e-9 * Integer.bitCount(set));
                if (squares < least) {
                    least = squares;
                    best = x;
                }
            }
        }
        return best;
    }

    private static double squares(double[][] rows, double[] target, double[] x) {
        double sum = 0;
        for (int i = 0; i < rows.length; i++) {
            double rest = -target[i];
            for (int c = 0; c < x.length; c++) {
                rest += rows[i][c] * x[c];
            }
            sum += rest * rest;
        }
        return sum;
    }

    /** Normal equations of the chosen columns by elimination with pivoting; empty if they are dependent. */
    private static double[] solve(double[][] rows, double[] target, int set) {
        int size = Integer.bitCount(set);
        int[] columns = new int[size];
        for (int c = 0, left = set; c < size; c++, left &= left - 1) {
            columns[c] = Integer.numberOfTrailingZeros(left);
        }
        double[][] m = new double[size][size + 1];
        for (int r = 0; r < size; r++) {
            for (int i = 0; i < rows.length; i++) {
                for (int c = 0; c < size; c++) {
                    m[r][c] += rows[i][columns[r]] * rows[i][columns[c]];
                }
                m[r][size] += rows[i][columns[r]] * target[i];
            }
        }
        double scale = 0;
        for (int r = 0; r < size; r++) {
            scale = Math.max(scale, m[r][r]);
        }
        for (int p = 0; p < size; p++) {
            int pivot = p;
            for (int r = p + 1; r < size; r++) {
                pivot = Math.abs(m[r][p]) > Math.abs(m[pivot][p]) ? r : pivot;
            }
            double[] swap = m[p];
            m[p] = m[pivot];
            m[pivot] = swap;
            if (Math.abs(m[p][p]) < 1e-12 * scale) {
                return new double[0];
            }
            for (int r = 0; r < size; r++) {
                double factor = r == p ? 0 : m[r][p] / m[p][p];
                for (int c = p; c <= size && factor != 0; c++) {
                    m[r][c] -= factor * m[p][c];
                }
            }
        }
        double[] x = new double[rows[0].length];
        for (int r = 0; r < size; r++) {
            x[columns[r]] = m[r][size] / m[r][r];
        }
        return x;
    }
}
