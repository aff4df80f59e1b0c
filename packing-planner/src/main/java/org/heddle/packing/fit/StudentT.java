// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

/** Student's t distribution: what confidence intervals of few points need. */
final class StudentT {
    private StudentT() {}

    /** The t with P(|T| &lt;= t) = {@code level} at {@code degrees} &gt;= 1 degrees of freedom. */
    static double twoSided(double level, int degrees) {
        double low = 0;
        double high = 1;
        while (inside(high, degrees) < level) {
            high *= 2;
        }
        for (int i = 0; i < 100; i++) {
            double middle = (low + high) / 2;
            if (inside(middle, degrees) < level) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /**
     * P(|T| &lt;= t) in closed form (Abramowitz and Stegun 26.7.3 and 26.7.4), with theta = atan(t / sqrt(degrees)).
     */
    static double inside(double t, int degrees) {
        double theta = Math.atan(t / Math.sqrt(degrees));
        double cos = Math.cos(theta);
        boolean odd = degrees % 2 == 1;
        double term = odd ? cos : 1;
        double sum = degrees == 1 ? 0 : term;
        for (int i = odd ? 3 : 2; i <= degrees - 2; i += 2) {
            term *= cos * cos * (i - 1) / i;
            sum += term;
        }
        return odd ? 2 / Math.PI * (theta + Math.sin(theta) * sum) : Math.sin(theta) * sum;
    }
}
