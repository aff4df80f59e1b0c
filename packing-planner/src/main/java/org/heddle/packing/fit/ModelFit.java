// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.heddle.packing.model.ErnestModel;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.RuntimeModel;
import org.heddle.packing.model.WaveModel;
import org.jspecify.annotations.Nullable;

/**
 * Fits all models that the points allow and chooses by leave-one-out error: each run is predicted from
 * the others, and the mean relative error decides. Another model must be better than the power curve by more than a tenth, so
 * that noise does not change the form.
 */
public final class ModelFit {
    private static final double MUCH_BETTER = 0.9;
    private static final int ERNEST_POINTS = 5;

    private ModelFit() {}

    /**
     * @param runs at least one
     * @param tasks tasks of the job for the wave model; 0 if unknown
     * @return the candidates, the chosen one first; none of them uses the runs that {@link #warnings} names as left out
     */
    public static List<FittedModel> fit(List<Measurement> runs, int tasks) {
        List<Measurement> far = PowerFit.outliers(runs);
        return fitAll(runs.stream().filter(r -> !far.contains(r)).toList(), tasks);
    }

    private static List<FittedModel> fitAll(List<Measurement> runs, int tasks) {
        List<FittedModel> candidates = new ArrayList<>();
        PowerFit.Line line = PowerFit.line(runs);
        List<FittedModel.Coefficient> coefficients = line == null
                ? List.of(new FittedModel.Coefficient("a", power(runs).a(), Double.NaN, Double.NaN))
                : line.coefficients();
        candidates.add(candidate("power", runs, power(runs), coefficients, ModelFit::power));
        long widths = runs.stream().mapToInt(Measurement::vms).distinct().count();
        if (widths >= ERNEST_POINTS) {
            add(candidates, "ernest", runs, ModelFit::ernest);
        }
        if (tasks > 0 && widths >= 3) {
            add(candidates, "waves", runs, some -> waves(some, tasks));
        }
        int best = 0;
        for (int i = 1; i < candidates.size(); i++) {
            double limit = candidates.get(best).leaveOneOutError() * (best == 0 ? MUCH_BETTER : 1);
            if (candidates.get(i).leaveOneOutError() < limit - 1e-9) {
                best = i;
            }
        }
        candidates.add(0, candidates.remove(best));
        return candidates;
    }

    private static void add(
            List<FittedModel> candidates,
            String kind,
            List<Measurement> runs,
            Function<List<Measurement>, @Nullable RuntimeModel> fit) {
        RuntimeModel model = fit.apply(runs);
        if (model != null) {
            candidates.add(candidate(kind, runs, model, List.of(), fit));
        }
    }

    private static FittedModel candidate(
            String kind,
            List<Measurement> runs,
            RuntimeModel model,
            List<FittedModel.Coefficient> coefficients,
            Function<List<Measurement>, @Nullable RuntimeModel> fit) {
        return new FittedModel(
                kind,
                model,
                coefficients,
                leaveOneOut(runs, fit),
                runs.stream().mapToInt(Measurement::vms).min().orElse(1),
                runs.stream().mapToInt(Measurement::vms).max().orElse(1));
    }

    private static double leaveOneOut(List<Measurement> runs, Function<List<Measurement>, @Nullable RuntimeModel> fit) {
        double sum = 0;
        for (int i = 0; i < runs.size(); i++) {
            List<Measurement> others = new ArrayList<>(runs);
            Measurement left = others.remove(i);
            if (others.stream().mapToInt(Measurement::vms).distinct().count() < 2) {
                return Double.NaN;
            }
            RuntimeModel model = fit.apply(others);
            if (model == null) {
                return Double.NaN;
            }
            sum += Math.abs(model.seconds(left.vms()) / left.seconds() - 1);
        }
        return sum / runs.size();
    }

    private static PowerModel power(List<Measurement> runs) {
        PowerFit.Line line = PowerFit.line(runs);
        if (line != null) {
            return line.model();
        }
        double mean =
                runs.stream().mapToDouble(r -> Math.log(r.seconds())).average().orElse(0);
        return new PowerModel(Math.exp(mean), 0);
    }

    private static @Nullable RuntimeModel ernest(List<Measurement> runs) {
        double[][] rows = new double[runs.size()][];
        for (int i = 0; i < rows.length; i++) {
            int n = runs.get(i).vms();
            double seconds = runs.get(i).seconds();
            rows[i] = new double[] {1 / seconds, 1.0 / n / seconds, Math.log(n) / seconds, n / seconds};
        }
        double[] x = NonNegativeFit.solve(rows, ones(rows.length));
        return x[0] + x[1] + x[3] > 0 ? new ErnestModel(x[0], x[1], x[2], x[3]) : null;
    }

    private static @Nullable RuntimeModel waves(List<Measurement> runs, int tasks) {
        double[][] rows = new double[runs.size()][];
        for (int i = 0; i < rows.length; i++) {
            double seconds = runs.get(i).seconds();
            rows[i] = new double[] {
                1 / seconds, WaveModel.waves(tasks, runs.get(i).vms()) / seconds
            };
        }
        double[] x = NonNegativeFit.solve(rows, ones(rows.length));
        return x[1] > 0 ? new WaveModel(tasks, x[1], x[0]) : null;
    }

    private static double[] ones(int size) {
        double[] ones = new double[size];
        Arrays.fill(ones, 1);
        return ones;
    }

    /** Sentences about runs that the power curve leaves out or cannot follow. */
    public static List<String> warnings(List<Measurement> runs) {
        List<String> warnings = new ArrayList<>();
        for (Measurement run : PowerFit.outliers(runs)) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "the run of %.6g s at n = %d is left out: it differs from the curve of the others by more than a"
                            + " factor of three; measure it again",
                    run.seconds(),
                    run.vms()));
        }
        PowerFit.Line line = PowerFit.line(runs);
        if (line != null && line.grows()) {
            warnings.add("the times grow with n; the power curve is constant, because a job may leave VMs idle");
        }
        return warnings;
    }

    /** Factor by which the power curve may be off at n with 90 % confidence; NaN with fewer than three runs. */
    public static double band(List<Measurement> runs, int n) {
        PowerFit.Line line = PowerFit.line(runs);
        return line == null ? Double.NaN : line.band(n);
    }
}
