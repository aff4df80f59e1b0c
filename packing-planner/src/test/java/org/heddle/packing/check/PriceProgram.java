// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The linear program: maximise sum_j p_j subject to sum_j a_ij p_j &lt;= 1 for rows i that are added one by one, p
 * &gt;= 0 and a &gt;= 0. Simplex method on a dense tableau, from the start for each solution; for some hundred rows and
 * few columns. The right-hand sides are raised by up to 1e-8 against cycling, so the optimum is too large by at most
 * that part.
 */
final class PriceProgram {
    private static final double EPSILON = 1e-11;
    private static final int MOST_PIVOTS = 20_000;
    private static final int PERTURBATIONS = 101;
    private static final double PERTURBATION = 1e-8 / PERTURBATIONS;

    private final int columns;
    private final List<double[]> rows = new ArrayList<>();

    PriceProgram(int columns) {
        this.columns = columns;
    }

    void addRow(double[] row) {
        rows.add(row.clone());
    }

    /** The optimal p; null if the method has not ended after very many pivots. */
    double @Nullable [] solve() {
        int m = rows.size();
        double[][] tableau = new double[m + 1][];
        int[] basic = new int[m];
        int[] nonbasic = new int[columns];
        for (int i = 0; i < m; i++) {
            tableau[i] = Arrays.copyOf(rows.get(i), columns + 1);
            tableau[i][columns] = 1 + PERTURBATION * (i * 37 % PERTURBATIONS);
            basic[i] = columns + i;
        }
        tableau[m] = new double[columns + 1];
        for (int j = 0; j < columns; j++) {
            tableau[m][j] = 1;
            nonbasic[j] = j;
        }
        for (int pivots = 0; pivots < MOST_PIVOTS; pivots++) {
            int enters = largest(tableau[m]);
            if (enters < 0) {
                double[] solution = new double[columns];
                for (int i = 0; i < m; i++) {
                    if (basic[i] < columns) {
                        solution[basic[i]] = Math.max(0, tableau[i][columns]);
                    }
                }
                return solution;
            }
            int leaves = leaving(tableau, m, enters);
            if (leaves < 0) {
                return null;
            }
            pivot(tableau, leaves, enters);
            int name = basic[leaves];
            basic[leaves] = nonbasic[enters];
            nonbasic[enters] = name;
        }
        return null;
    }

    private int largest(double[] gains) {
        int best = -1;
        for (int j = 0; j < columns; j++) {
            if (gains[j] > EPSILON && (best < 0 || gains[j] > gains[best])) {
                best = j;
            }
        }
        return best;
    }

    private int leaving(double[][] tableau, int m, int enters) {
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < m; i++) {
            if (tableau[i][enters] > EPSILON) {
                double ratio = tableau[i][columns] / tableau[i][enters];
                if (ratio < least) {
                    least = ratio;
                    best = i;
                }
            }
        }
        return best;
    }

    /** Exchanges a basic and a nonbasic variable; the column of the one that leaves takes the place of the other's. */
    private void pivot(double[][] tableau, int leaves, int enters) {
        double[] row = tableau[leaves];
        double by = row[enters];
        row[enters] = 1;
        for (int j = 0; j <= columns; j++) {
            row[j] /= by;
        }
        for (double[] other : tableau) {
            double factor = other[enters];
            if (other == row || factor == 0) {
                continue;
            }
            other[enters] = 0;
            for (int j = 0; j <= columns; j++) {
                other[j] -= factor * row[j];
            }
        }
    }
}
