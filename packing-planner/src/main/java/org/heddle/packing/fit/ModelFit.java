// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.heddle.packing.model.ErnestModel;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.RuntimeModel;
import org.heddle.packing.model.WaveModel;
import org.jspecify.annotations.Nullable;

/**
 * Fits all models that the points allow and chooses by leave-one-out error: each run is predicted from the others,
 * where these determine every model, and the mean relative error decides. (The only run with two waves is not left out:
 * those with one wave do not tell how long a second one takes.) Another model must be better than the power curve by
 * more than a tenth, so that noise does not change the form.
 */
public final class ModelFit {
    /** The kind of a curve from the tasks of a run. */
    public static final String TASKS = "tasks";

    private static final double MUCH_BETTER = 0.9;
    private static final int ERNEST_POINTS = 5;

    /**
     * A kind of model.
     *
     * @param fit null for runs that do not determine it
     * @param coefficients with their intervals, as far as they are known
     */
    private record Form(
            String kind,
            Function<List<Measurement>, @Nullable RuntimeModel> fit,
            List<FittedModel.Coefficient> coefficients) {}

    private ModelFit() {}

    /**
     * @param runs at least one
     * @param tasks tasks of the job for the wave model; 0 if unknown
     * @param curve F(n) by what the tasks of one run took; null if no history tells it
     * @return the candidates, the chosen one first; none of them uses the runs that {@link #warnings} names as left out
     */
    public static List<FittedModel> fit(List<Measurement> runs, int tasks, @Nullable RuntimeModel curve) {
        List<Measurement> far = leftOut(runs);
        return fitAll(runs.stream().filter(r -> !far.contains(r)).toList(), tasks, curve);
    }

    /** The runs that no model uses, because they are far from the curve of the others. */
    public static List<Measurement> leftOut(List<Measurement> runs) {
        return PowerFit.outliers(runs);
    }

    private static List<FittedModel> fitAll(List<Measurement> runs, int tasks, @Nullable RuntimeModel curve) {
        List<Form> forms = forms(runs, tasks, curve);
        List<Measurement> leftOut = runs.stream()
                .filter(run -> determine(forms, without(run, runs)))
                .toList();
        List<FittedModel> candidates = new ArrayList<>();
        int best = 0;
        for (Form form : forms) {
            FittedModel candidate = candidate(form, runs, leftOut);
            if (!candidates.isEmpty()) {
                double limit = candidates.get(best).leaveOneOutError() * (best == 0 ? MUCH_BETTER : 1);
                if (candidate.leaveOneOutError() < limit - 1e-9) {
                    best = candidates.size();
                }
            }
            candidates.add(candidate);
        }
        candidates.add(0, candidates.remove(best));
        return candidates;
    }

    /** The forms that the runs determine; the first is taken unless another is much better. */
    private static List<Form> forms(List<Measurement> runs, int tasks, @Nullable RuntimeModel curve) {
        List<Form> forms = new ArrayList<>();
        if (curve != null) {
            forms.add(new Form(TASKS, some -> scaled(curve, some), List.of()));
        }
        forms.add(new Form("power", ModelFit::power, coefficientsOfPower(runs)));
        if (widths(runs) >= ERNEST_POINTS) {
            forms.add(new Form("ernest", ModelFit::ernest, List.of()));
        }
        if (tasks > 0 && widths(runs) >= 3) {
            forms.add(new Form("waves", some -> waves(some, tasks), List.of()));
        }
        forms.removeIf(form -> form.fit().apply(runs) == null);
        return forms;
    }

    /** A single run may have waited, which is no work; several agree on a factor. */
    private static RuntimeModel scaled(RuntimeModel curve, List<Measurement> runs) {
        if (runs.size() < 2) {
            return curve;
        }
        double mean = runs.stream()
                .mapToDouble(run -> Math.log(run.seconds() / curve.seconds(run.vms())))
                .average()
                .orElse(0);
        return curve.times(Math.exp(mean));
    }

    private static List<FittedModel.Coefficient> coefficientsOfPower(List<Measurement> runs) {
        PowerFit.Line line = PowerFit.line(runs);
        if (line != null) {
            return line.coefficients();
        }
        return List.of(new FittedModel.Coefficient("a", power(runs).a(), Double.NaN, Double.NaN));
    }

    private static long widths(List<Measurement> runs) {
        return runs.stream().mapToInt(Measurement::vms).distinct().count();
    }

    private static List<Measurement> without(Measurement run, List<Measurement> runs) {
        List<Measurement> others = new ArrayList<>(runs);
        others.remove(run);
        return others;
    }

    private static boolean determine(List<Form> forms, List<Measurement> runs) {
        return widths(runs) >= 2 && forms.stream().allMatch(form -> form.fit().apply(runs) != null);
    }

    private static FittedModel candidate(Form form, List<Measurement> runs, List<Measurement> leftOut) {
        return new FittedModel(
                form.kind(),
                model(form, runs),
                form.coefficients(),
                leftOut.stream()
                        .mapToDouble(run ->
                                Math.abs(model(form, without(run, runs)).seconds(run.vms()) / run.seconds() - 1))
                        .average()
                        .orElse(Double.NaN),
                runs.stream().mapToInt(Measurement::vms).min().orElse(1),
                runs.stream().mapToInt(Measurement::vms).max().orElse(1));
    }

    private static RuntimeModel model(Form form, List<Measurement> runs) {
        return Objects.requireNonNull(form.fit().apply(runs), form.kind());
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
        if (runs.stream()
                        .mapToInt(run -> WaveModel.waves(tasks, run.vms()))
                        .distinct()
                        .count()
                < 2) {
            return null; // the time of a wave and that outside of the waves cannot be told apart
        }
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

    /**
     * Sentences about runs that the power curve leaves out or cannot follow.
     *
     * @param byTasks whether the curve comes from the tasks of a run
     */
    public static List<String> warnings(List<Measurement> runs, boolean byTasks) {
        List<String> warnings = new ArrayList<>();
        for (Measurement run : leftOut(runs)) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "the run of %.6g s at n = %d is left out: it differs from the curve of the others by more than a"
                            + " factor of three; measure it again",
                    run.seconds(),
                    run.vms()));
        }
        PowerFit.Line line = PowerFit.line(runs);
        String at = "all runs have n = " + runs.get(0).vms();
        if (line == null && byTasks) {
            warnings.add(at + ", so other n are concluded from what its tasks took, as if they took the same there");
        }
        if (line == null && !byTasks) {
            warnings.add(at + ", so nothing is known about other n, and the curve is constant; measure another n");
        }
        if (line != null && line.grows() && !byTasks) {
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
