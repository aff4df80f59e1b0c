// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.heddle.packing.model.ErnestModel;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.RuntimeModel;
import org.heddle.packing.model.WaveModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FitTest {
    private static final int[] FOUR = {2, 4, 8, 16};

    private static List<Measurement> runs(RuntimeModel model, int[] widths, double noise, Random random) {
        return Arrays.stream(widths)
                .mapToObj(n -> new Measurement(n, model.seconds(n) * Math.exp(noise * random.nextGaussian()), "test"))
                .toList();
    }

    @Test
    void oneOutlierOfFourAndTwoOfSixAreLeftOutWhereverTheyAre() {
        int[] widths = {1, 2, 3, 4, 8, 16};
        for (int count : new int[] {4, 6}) {
            for (int bad = 0; bad < count; bad++) {
                for (double factor : new double[] {1e-9, 0.1, 10, 1e9}) {
                    List<Measurement> runs = new ArrayList<>();
                    for (int i = 0; i < count; i++) {
                        boolean wrong = i == bad || (count == 6 && i == (bad + 3) % 6);
                        runs.add(new Measurement(
                                widths[i], (wrong ? factor : 1) * 100 / widths[i] * (1 + 0.01 * (i % 2)), "run " + i));
                    }
                    FittedModel fitted = ModelFit.fit(runs, 0, null).get(0);
                    assertThat(fitted.model().seconds(4))
                            .as("%d of %d, factor %g", bad, count, factor)
                            .isCloseTo(25, within(1.5));
                    assertThat(ModelFit.warnings(runs, false)).hasSize(count == 6 ? 2 : 1);
                }
            }
        }
    }

    @Test
    void recoversThePowerLawWithoutNoise() {
        Random random = new Random(1);
        for (int i = 0; i < 200; i++) {
            PowerModel truth = new PowerModel(10 + 5000 * random.nextDouble(), -1.3 * random.nextDouble());
            PowerModel found = (PowerModel)
                    ModelFit.fit(runs(truth, FOUR, 0, random), 0, null).get(0).model();
            assertThat(found.a()).isCloseTo(truth.a(), within(1e-6 * truth.a()));
            assertThat(found.b()).isCloseTo(truth.b(), within(1e-6));
        }
    }

    @Test
    void timesThatGrowAreFittedAsAConstantWithAWarning() {
        List<Measurement> runs =
                List.of(new Measurement(1, 10, "test"), new Measurement(2, 20, "test"), new Measurement(4, 40, "test"));
        PowerModel found = (PowerModel) ModelFit.fit(runs, 0, null).get(0).model();
        assertThat(found.a()).isCloseTo(20, within(1e-9));
        assertThat(found.b()).isZero();
        assertThat(ModelFit.fit(runs, 0, null).get(0).coefficients().get(1).value())
                .isZero();
        assertThat(ModelFit.warnings(runs, false)).singleElement().asString().startsWith("the times grow with n");
    }

    @Test
    void oneOutlierIsLeftOutWithAWarning() {
        List<Measurement> runs = new ArrayList<>(runs(new PowerModel(100, -0.8), FOUR, 0.02, new Random(5)));
        runs.add(new Measurement(12, 1e9, "test"));
        PowerModel found = (PowerModel) ModelFit.fit(runs, 0, null).get(0).model();
        assertThat(found.a()).isCloseTo(100, within(15.0));
        assertThat(ModelFit.warnings(runs, false)).singleElement().asString().contains("at n = 12 is left out");
    }

    @Test
    void fourPointsWithFivePercentNoisePredictWithinFivePercentAndIntervalsCover() {
        Random random = new Random(2);
        List<Double> inside = new ArrayList<>();
        List<Double> beyond = new ArrayList<>();
        int covered = 0;
        int trials = 2_000;
        for (int i = 0; i < trials; i++) {
            PowerModel truth = new PowerModel(1000, -0.3 - 0.8 * random.nextDouble());
            FittedModel fit =
                    ModelFit.fit(runs(truth, FOUR, 0.05, random), 0, null).get(0);
            for (int n = 2; n <= 16; n++) {
                inside.add(Math.abs(fit.model().seconds(n) / truth.seconds(n) - 1));
            }
            beyond.add(Math.abs(fit.model().seconds(32) / truth.seconds(32) - 1));
            FittedModel.Coefficient b = fit.coefficients().get(1);
            covered += b.low() <= truth.b() && truth.b() <= b.high() ? 1 : 0;
        }
        assertThat(median(inside)).isLessThan(0.05);
        assertThat(median(beyond)).isLessThan(0.10);
        assertThat(covered / (double) trials).isBetween(0.85, 0.95);
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }

    @Test
    void otherFormsAreChosenWhereTheyPredictBetter() {
        int[] many = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
        RuntimeModel ernest = new ErnestModel(30, 400, 0, 2);
        FittedModel found =
                ModelFit.fit(runs(ernest, many, 0, new Random(3)), 0, null).get(0);
        assertThat(found.kind()).isEqualTo("ernest");
        assertThat(found.model().seconds(48)).isCloseTo(ernest.seconds(48), within(1e-6));
        RuntimeModel waves = new WaveModel(10, 7, 20);
        assertThat(ModelFit.fit(runs(waves, many, 0, new Random(4)), 10, null)
                        .get(0)
                        .kind())
                .isEqualTo("waves");
        RuntimeModel power = new PowerModel(500, -0.7);
        assertThat(ModelFit.fit(runs(power, many, 0.02, new Random(5)), 10, null)
                        .get(0)
                        .kind())
                .isEqualTo("power");
    }

    @Test
    void aJobOfFewTasksGetsAStaircaseIfOnlyOneRunHasMoreWaves() {
        RuntimeModel twoTasks = new WaveModel(2, 10, 20);
        FittedModel found = ModelFit.fit(runs(twoTasks, new int[] {4, 2, 1}, 0, new Random(6)), 2, null)
                .get(0);
        assertThat(found.kind()).isEqualTo("waves");
        assertThat(IntStream.of(1, 2, 3, 4))
                .allMatch(n -> Math.abs(found.model().seconds(n) - twoTasks.seconds(n)) < 1e-6);
        assertThat(found.leaveOneOutError()).isCloseTo(0, within(1e-9));
    }

    @Test
    void runsWithAsManyWavesDoNotTellTheTimeOfOne() {
        RuntimeModel twoTasks = new WaveModel(2, 10, 20);
        assertThat(ModelFit.fit(runs(twoTasks, new int[] {4, 3, 2}, 0, new Random(7)), 2, null))
                .extracting(FittedModel::kind)
                .containsExactly("power");
    }

    @ParameterizedTest
    @CsvSource({"1, 6.314", "2, 2.920", "3, 2.353", "5, 2.015", "10, 1.812", "30, 1.697"})
    void quantilesAreThoseOfTheTables(int degrees, double t) {
        assertThat(PowerFit.studentT(0.9, degrees)).isCloseTo(t, within(0.0006));
    }

    @Test
    void fewPointsGiveACurveAndNoInterval() {
        FittedModel one =
                ModelFit.fit(List.of(new Measurement(4, 100, "x")), 0, null).get(0);
        assertThat(one.model().seconds(9)).isCloseTo(100, within(1e-9));
        FittedModel two = ModelFit.fit(List.of(new Measurement(2, 100, "x"), new Measurement(4, 50, "y")), 0, null)
                .get(0);
        assertThat(two.coefficients()).allMatch(c -> Double.isNaN(c.low()));
        assertThat(two.extrapolates(8)).isTrue();
        assertThat(IntStream.of(2, 3, 4)).noneMatch(two::extrapolates);
    }
}
