// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import java.util.List;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.rank.Median;
import org.heddle.packing.model.PowerModel;
import org.jspecify.annotations.Nullable;

/**
 * Power regression (paper section 4): least squares of ln F = ln a + b ln n, which treats errors as
 * relative. An exponent above 0 is set to 0 and a is fitted for it: a job may leave VMs idle, so more VMs do not make
 * it slower.
 */
final class PowerFit {
    private static final double LEVEL = 0.9;

    private static final int LEAST_WITH_OUTLIERS = 4;
    /** A measured exponent above this is more than noise. */
    private static final double GROWS = 0.05;

    private static final double FAR = Math.log(3);

    private PowerFit() {}

    /** The t with P(|T| &lt;= t) = {@code level} in Student's distribution with {@code degrees} degrees of freedom. */
    static double studentT(double level, int degrees) {
        return new TDistribution(null, degrees).inverseCumulativeProbability((1 + level) / 2);
    }

    /** The line through the logarithms, or null if all runs have the same n. */
    record Line(double a, double b, boolean grows, double meanLog, double spread, double noise, int points) {
        PowerModel model() {
            return new PowerModel(a, b);
        }

        /** 90 % intervals of a and b; NaN without spare points. */
        List<FittedModel.Coefficient> coefficients() {
            if (points < 3) {
                return List.of(
                        new FittedModel.Coefficient("a", a, Double.NaN, Double.NaN),
                        new FittedModel.Coefficient("b", b, Double.NaN, Double.NaN));
            }
            double t = studentT(LEVEL, points - 2);
            double errorB = t * noise / Math.sqrt(spread);
            double errorA = t * noise * Math.sqrt(1.0 / points + meanLog * meanLog / spread);
            return List.of(
                    new FittedModel.Coefficient("a", a, a * Math.exp(-errorA), a * Math.exp(errorA)),
                    new FittedModel.Coefficient("b", b, b - errorB, b + errorB));
        }

        /** Factor by which the curve at n may be off with 90 % confidence; NaN without spare points. */
        double band(int n) {
            if (points < 3) {
                return Double.NaN;
            }
            double away = Math.log(n) - meanLog;
            return Math.exp(studentT(LEVEL, points - 2) * noise * Math.sqrt(1.0 / points + away * away / spread));
        }
    }

    /**
     * Runs that take more than three times as long, or as short, as the line of repeated medians says (Siegel: it
     * stands up to half of the runs being wrong, wherever they are), if at most a third of the runs do. With fewer than
     * four runs nothing tells which of them is wrong.
     */
    static List<Measurement> outliers(List<Measurement> runs) {
        if (runs.size() < LEAST_WITH_OUTLIERS) {
            return List.of();
        }
        double[] slopes = new double[runs.size()];
        int size = 0;
        for (Measurement run : runs) {
            double[] toOthers = runs.stream()
                    .filter(other -> other.vms() != run.vms())
                    .mapToDouble(other ->
                            Math.log(other.seconds() / run.seconds()) / (Math.log(other.vms()) - Math.log(run.vms())))
                    .toArray();
            if (toOthers.length > 0) {
                slopes[size++] = new Median().evaluate(toOthers);
            }
        }
        double slope = size == 0 ? 0 : new Median().evaluate(slopes, 0, size);
        double level = new Median()
                .evaluate(runs.stream()
                        .mapToDouble(r -> Math.log(r.seconds()) - slope * Math.log(r.vms()))
                        .toArray());
        List<Measurement> far = runs.stream()
                .filter(r -> Math.abs(Math.log(r.seconds()) - level - slope * Math.log(r.vms())) > FAR)
                .toList();
        return 3 * far.size() <= runs.size() ? far : List.of();
    }

    /** The line through all runs but {@link #outliers}. */
    static @Nullable Line line(List<Measurement> all) {
        List<Measurement> far = outliers(all);
        List<Measurement> runs = all.stream().filter(r -> !far.contains(r)).toList();
        int m = runs.size();
        double meanX = 0;
        double meanY = 0;
        for (Measurement run : runs) {
            meanX += Math.log(run.vms()) / m;
            meanY += Math.log(run.seconds()) / m;
        }
        double xx = 0;
        double xy = 0;
        for (Measurement run : runs) {
            double dx = Math.log(run.vms()) - meanX;
            xx += dx * dx;
            xy += dx * (Math.log(run.seconds()) - meanY);
        }
        if (xx < 1e-12) {
            return null;
        }
        // A job that takes longer on more VMs leaves them idle: b = 0, and a is fitted again for this b.
        double b = Math.min(0, xy / xx);
        double logA = meanY - b * meanX;
        double squares = 0;
        for (Measurement run : runs) {
            double rest = Math.log(run.seconds()) - logA - b * Math.log(run.vms());
            squares += rest * rest;
        }
        double noise = m > 2 ? Math.sqrt(squares / (m - 2)) : Double.NaN;
        return new Line(Math.exp(logA), b, xy / xx > GROWS, meanX, xx, noise, m);
    }
}
