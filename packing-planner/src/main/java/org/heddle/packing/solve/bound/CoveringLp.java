// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.bound;

import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * min c x subject to A x &gt;= 1, x &gt;= 0, with columns that appear one by one (column generation): the
 * revised simplex method with an explicit basis inverse. All entries of A and c are &gt;= 0. The right-hand
 * sides are raised by random parts up to 1e-7 against cycling, so a solution covers slightly more than 1.
 *
 * @param <T> what a column stands for
 */
public final class CoveringLp<T> {
    private static final double EPSILON = 1e-9;

    private final BooleanSupplier mustStop;
    private final int rows;
    private final double[][] inverse;
    private final double[] value;
    private final double[] cost;
    private final Object[] tags;
    private final double[] dual;

    /**
     * Starts from one column per row that covers only this row.
     *
     * @param diagonal the coefficient of row i in column i, &gt; 0
     * @param mustStop whether no more time is left; the solution stays valid, but may not be the best
     */
    public CoveringLp(double[] diagonal, double[] cost, T[] tags, RandomGenerator random, BooleanSupplier mustStop) {
        this.mustStop = mustStop;
        rows = diagonal.length;
        inverse = new double[rows][rows];
        value = new double[rows];
        this.cost = cost.clone();
        this.tags = tags.clone();
        dual = new double[rows];
        for (int i = 0; i < rows; i++) {
            inverse[i][i] = 1 / diagonal[i];
            value[i] = (1 + 1e-7 * random.nextDouble()) / diagonal[i];
        }
        price();
    }

    /** Dual values of the rows, &gt;= 0 up to rounding once {@link #settle} has run to its end. Not a copy. */
    public double[] duals() {
        return dual;
    }

    /** Brings a column into the basis if its reduced cost is negative; else, or if no time is left, returns false. */
    public boolean enter(double[] column, double columnCost, T tag) {
        return !mustStop.getAsBoolean() && pivot(column, columnCost, tag) && settle();
    }

    private boolean settle() {
        for (int turn = 0; turn < 20 * rows && !mustStop.getAsBoolean(); turn++) {
            int worst = -1;
            for (int i = 0; i < rows; i++) {
                if (dual[i] < -EPSILON && (worst < 0 || dual[i] < dual[worst])) {
                    worst = i;
                }
            }
            if (worst < 0) {
                return true;
            }
            double[] surplus = new double[rows];
            surplus[worst] = -1;
            if (!pivot(surplus, 0, null)) {
                return true;
            }
        }
        return true;
    }

    private boolean pivot(double[] column, double columnCost, @Nullable T tag) {
        double reduced = columnCost;
        for (int i = 0; i < rows; i++) {
            reduced -= dual[i] * column[i];
        }
        if (reduced >= -EPSILON) {
            return false;
        }
        double[] direction = new double[rows];
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int k = 0; k < rows; k++) {
                sum += column[k] == 0 ? 0 : inverse[i][k] * column[k];
            }
            direction[i] = sum;
        }
        int leaves = -1;
        for (int i = 0; i < rows; i++) {
            if (direction[i] > EPSILON && (leaves < 0 || value[i] / direction[i] < value[leaves] / direction[leaves])) {
                leaves = i;
            }
        }
        if (leaves < 0) {
            return false;
        }
        pivot(leaves, direction, columnCost, tag);
        price();
        return true;
    }

    @SuppressWarnings("NullAway") // the tag of a surplus column is null, and so is never handed out
    private void pivot(int leaves, double[] direction, double columnCost, @Nullable T tag) {
        double step = value[leaves] / direction[leaves];
        double[] pivotRow = inverse[leaves];
        for (int k = 0; k < rows; k++) {
            pivotRow[k] /= direction[leaves];
        }
        for (int i = 0; i < rows; i++) {
            if (i != leaves && direction[i] != 0) {
                for (int k = 0; k < rows; k++) {
                    inverse[i][k] -= direction[i] * pivotRow[k];
                }
                value[i] = Math.max(0, value[i] - direction[i] * step);
            }
        }
        value[leaves] = step;
        cost[leaves] = columnCost;
        tags[leaves] = tag;
    }

    private void price() {
        for (int k = 0; k < rows; k++) {
            double sum = 0;
            for (int i = 0; i < rows; i++) {
                sum += cost[i] == 0 ? 0 : cost[i] * inverse[i][k];
            }
            dual[k] = sum;
        }
    }

    /** Receives the columns of a solution. */
    public interface Visitor<T> {
        void column(T tag, double value);
    }

    /** The columns with positive value. */
    @SuppressWarnings("unchecked") // only T and null go into tags
    public void forEach(Visitor<T> visitor) {
        for (int i = 0; i < rows; i++) {
            if (tags[i] != null && value[i] > 0) {
                visitor.column((T) tags[i], value[i]);
            }
        }
    }

    public double objective() {
        double sum = 0;
        for (int i = 0; i < rows; i++) {
            sum += cost[i] * value[i];
        }
        return sum;
    }
}
