// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.bound;

import org.heddle.packing.model.Role;
import org.heddle.packing.solve.JobTable;

/**
 * The area bound: no plan with fixed VM counts, phased or not, ends before the least T with
 *
 * <pre>max over l in [0,1] of  sum_j min(A_j, l H_j, (1-l) q E_j)  &lt;=  N T</pre>
 *
 * where A_j, H_j, E_j are the least VM-seconds of job j as normal, host or extra among VM counts that
 * meet T, and q = k / floor(k/r) slots go to each extra. It adds up the two capacity rules
 * normal + host &lt;= N and normal + q extra &lt;= N with weights l and 1-l. Any l gives a valid bound;
 * the best one is found by golden section (the sum is concave in l).
 */
public final class AreaBound {
    private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;
    private final JobTable table;
    private final double[] normal;
    private final double[] host;
    private final double[] extra;
    private double weight = 0.5;

    public AreaBound(JobTable table) {
        this.table = table;
        normal = new double[table.jobs];
        host = new double[table.jobs];
        extra = new double[table.jobs];
    }

    /** Seconds. */
    public double seconds() {
        double high = 0;
        double low = 0;
        for (int j = 0; j < table.jobs; j++) {
            high += table.fastest(j);
            low = Math.max(low, table.fastest(j));
        }
        if (possible(low)) {
            return low;
        }
        for (int i = 0; i < 100 && high - low > 1e-13 * high; i++) {
            double middle = (low + high) / 2;
            if (possible(middle)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return low;
    }

    /** After {@link #seconds()}: l, the part of a slot that a host counts. */
    public double weight() {
        return weight;
    }

    /**
     * After {@link #seconds()}: the VM-seconds of a job in a role in a plan of this length, weighted as in the bound.
     */
    public double weighted(int j, Role role, double seconds) {
        double least = areaAs(j, role, seconds);
        return switch (role) {
            case NORMAL -> least;
            case HOST -> weight * least;
            case EXTRA -> (1 - weight) * table.slotsPerExtra * least;
        };
    }

    private boolean possible(double seconds) {
        fill(seconds);
        double available = table.slots * seconds;
        double a = 0;
        double b = 1;
        double x = b - GOLDEN;
        double y = a + GOLDEN;
        double fx = total(x);
        double fy = total(y);
        double best = Math.max(fx, fy);
        weight = fx >= fy ? x : y;
        for (int i = 0; i < 40 && best <= available; i++) {
            if (fx >= fy) {
                b = y;
                y = x;
                fy = fx;
                x = b - GOLDEN * (b - a);
                fx = total(x);
            } else {
                a = x;
                x = y;
                fx = fy;
                y = a + GOLDEN * (b - a);
                fy = total(y);
            }
            if (Math.max(fx, fy) > best) {
                best = Math.max(fx, fy);
                weight = fx >= fy ? x : y;
            }
        }
        return best <= available;
    }

    private void fill(double seconds) {
        for (int j = 0; j < table.jobs; j++) {
            normal[j] = areaAs(j, Role.NORMAL, seconds);
            host[j] = areaAs(j, Role.HOST, seconds);
            extra[j] = table.slotsPerExtra * areaAs(j, Role.EXTRA, seconds);
        }
    }

    private double areaAs(int j, Role role, double seconds) {
        if (!table.mayBe(j, role)) {
            return Double.POSITIVE_INFINITY;
        }
        double factor = table.leastFactor(j, role);
        return factor * table.area(j, table.width(j, seconds, factor));
    }

    private double least(int j, double l) {
        double least = normal[j];
        if (l > 0) {
            least = Math.min(least, l * host[j]);
        } else if (host[j] < Double.POSITIVE_INFINITY) {
            least = 0;
        }
        if (l < 1) {
            least = Math.min(least, (1 - l) * extra[j]);
        } else if (extra[j] < Double.POSITIVE_INFINITY) {
            least = 0;
        }
        return least;
    }

    private double total(double l) {
        double sum = 0;
        for (int j = 0; j < table.jobs; j++) {
            sum += least(j, l);
        }
        return sum;
    }
}
