// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import java.util.ArrayList;
import java.util.List;
import org.heddle.packing.model.RuntimeModel;
import org.jspecify.annotations.Nullable;

/**
 * The VM count to measure next. A run at n narrows the 90 % band of the power curve; the best run narrows it most per
 * second of run time. The band is averaged over the counts 1 .. N that a plan may use,
 * in even steps of the logarithm. With fewer than three runs the noise is not known and taken as 5 %.
 *
 * @param runs measured so far
 * @param vms n to run at
 * @param bandNow mean relative half-width of the band with the runs there are; infinite if all have one n
 * @param bandThen the same with this run, if the noise stays as it is
 * @param seconds predicted time of the run
 */
public record NextRun(int runs, int vms, double bandNow, double bandThen, double seconds) {
    /** A run that narrows the band by less than this is not worth it. */
    public static final double WORTH = 0.01;

    private static final double LEVEL = 0.9;
    private static final double NORMAL_90 = 1.645;
    private static final double ASSUMED_NOISE = 0.05;
    private static final int GRID = 24;
    private static final int MOST_WITHOUT_NOISE = 3;

    /** Whether the run is worth its time; always true with fewer than three runs, which do not show the noise. */
    public boolean isWorthIt() {
        return runs < MOST_WITHOUT_NOISE || !(bandNow - bandThen < WORTH);
    }

    /**
     * The most useful run.
     *
     * @param runs measured so far, at least one
     * @param model fitted to them
     * @param slots N
     * @return null if there is only one VM count
     */
    public static @Nullable NextRun after(List<Measurement> runs, RuntimeModel model, int slots) {
        double noise = ASSUMED_NOISE;
        PowerFit.Line line = PowerFit.line(runs);
        if (line != null && runs.size() >= MOST_WITHOUT_NOISE) {
            noise = line.noise();
        }
        double now = band(runs, noise, slots);
        NextRun best = null;
        double bestRate = Double.NEGATIVE_INFINITY;
        for (int n : counts(slots)) {
            List<Measurement> with = new ArrayList<>(runs);
            with.add(new Measurement(n, model.seconds(n), "planned"));
            double then = band(with, noise, slots);
            // Runs at one VM count do not show the slope: the run that shows most of it comes first.
            double gain = Double.isInfinite(now) ? 1 / then : now - then;
            double rate = gain / model.seconds(n);
            if (rate > bestRate && Double.isFinite(then)) {
                bestRate = rate;
                best = new NextRun(runs.size(), n, now, then, model.seconds(n));
            }
        }
        return best;
    }

    private static List<Integer> counts(int slots) {
        List<Integer> counts = new ArrayList<>();
        for (int i = 0; i <= GRID; i++) {
            int n = (int) Math.round(Math.pow(slots, (double) i / GRID));
            if (counts.isEmpty() || counts.get(counts.size() - 1) != n) {
                counts.add(n);
            }
        }
        return counts;
    }

    private static double band(List<Measurement> runs, double noise, int slots) {
        int m = runs.size();
        double mean =
                runs.stream().mapToDouble(r -> Math.log(r.vms())).average().orElse(0);
        double spread = runs.stream()
                .mapToDouble(r -> (Math.log(r.vms()) - mean) * (Math.log(r.vms()) - mean))
                .sum();
        if (spread < 1e-12) {
            return Double.POSITIVE_INFINITY;
        }
        double t = m > 2 ? PowerFit.studentT(LEVEL, m - 2) : NORMAL_90;
        double sum = 0;
        for (int i = 0; i <= GRID; i++) {
            double away = Math.log(slots) * i / GRID - mean;
            sum += Math.exp(t * noise * Math.sqrt(1.0 / m + away * away / spread)) - 1;
        }
        return sum / (GRID + 1);
    }
}
