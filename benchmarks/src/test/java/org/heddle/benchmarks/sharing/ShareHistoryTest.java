// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.heddle.benchmarks.sharing.Framework.MAP_REDUCE;
import static org.heddle.benchmarks.sharing.Framework.MPI;
import static org.heddle.benchmarks.sharing.Framework.SPARK;

import java.util.List;
import java.util.Map;
import org.heddle.benchmarks.experiment.Curve;
import org.junit.jupiter.api.Test;

class ShareHistoryTest {
    private static final ShareHistory HISTORY = new ShareHistory(List.of(
            new ShareSample(0, Map.of()),
            new ShareSample(1, Map.of(SPARK, 0.0)),
            new ShareSample(2, Map.of(SPARK, 1.0)),
            new ShareSample(3, Map.of(SPARK, 1.0, MAP_REDUCE, 0.0)),
            new ShareSample(5, Map.of(SPARK, 0.75, MAP_REDUCE, 0.25)),
            new ShareSample(6, Map.of(SPARK, 0.5, MAP_REDUCE, 0.5)),
            new ShareSample(7, Map.of(SPARK, 0.5)),
            new ShareSample(8, Map.of(SPARK, 1.0)),
            new ShareSample(9, Map.of())));

    @Test
    void aPhaseHasTheMeansOfAllTimesInWhichItsFrameworksWerePresent() {
        List<ShareHistory.Phase> phases = HISTORY.phases();

        assertThat(phases).extracting(ShareHistory.Phase::title).containsExactly("Spark", "Spark and MapReduce");
        assertThat(phases).extracting(ShareHistory.Phase::seconds).containsExactly(4.0, 4.0);
        assertThat(phases.get(0).shares()).containsOnlyKeys(SPARK);
        assertThat(phases.get(0).inUse()).isCloseTo((1 + 0.5 + 1) / 4, within(1e-9));
        assertThat(phases.get(1).shares().get(SPARK)).isCloseTo((2 + 0.75 + 0.5) / 4, within(1e-9));
        assertThat(phases.get(1).shares().get(MAP_REDUCE)).isCloseTo((0.25 + 0.5) / 4, within(1e-9));
        assertThat(phases.get(1).inUse()).isCloseTo(1, within(1e-9));
    }

    @Test
    void anArrivalLastsUntilTheFrameworkHasItsFairShare() {
        assertThat(HISTORY.slowestArrival(SPARK)).isEqualTo(1);
        assertThat(HISTORY.slowestArrival(MAP_REDUCE)).isEqualTo(3);
    }

    @Test
    void theSlowestOfSeveralArrivalsCounts() {
        ShareHistory twice = new ShareHistory(List.of(
                new ShareSample(0, Map.of(SPARK, 1.0)),
                new ShareSample(1, Map.of()),
                new ShareSample(2, Map.of(SPARK, 0.5)),
                new ShareSample(6, Map.of(SPARK, 1.0))));

        assertThat(twice.slowestArrival(SPARK)).isEqualTo(4);
    }

    @Test
    void anApplicationThatNeverHasItsFairShareIsInfinitelySlow() {
        ShareHistory left =
                new ShareHistory(List.of(new ShareSample(0, Map.of(SPARK, 0.5)), new ShareSample(1, Map.of())));
        ShareHistory waits = new ShareHistory(List.of(new ShareSample(0, Map.of(SPARK, 0.5))));

        assertThat(left.slowestArrival(SPARK)).isInfinite();
        assertThat(waits.slowestArrival(SPARK)).isInfinite();
    }

    @Test
    void curvesAreReadFromTheLinesThatWerePrinted() {
        List<String> lines = HISTORY.lines();

        List<Curve> curves = ShareHistory.curves("shares", lines);

        assertThat(curves).extracting(Curve::name).containsExactly("Spark", "MapReduce", "MPI", "cluster in use");
        assertThat(curves.get(0).x()).containsExactly(0.0, 1.0, 2.0, 3.0, 5.0, 6.0, 7.0, 8.0, 9.0);
        assertThat(curves.get(0).y()).containsExactly(0.0, 0.0, 100.0, 100.0, 75.0, 50.0, 50.0, 100.0, 0.0);
        assertThat(curves.get(1).y()).containsExactly(0.0, 0.0, 0.0, 0.0, 25.0, 50.0, 0.0, 0.0, 0.0);
        assertThat(curves.get(3).y()).containsExactly(0.0, 0.0, 100.0, 100.0, 100.0, 100.0, 50.0, 100.0, 0.0);
    }

    @Test
    void otherLinesAreNoCurves() {
        assertThat(ShareHistory.curves("shares", List.of("| what | share, % |", "at last")))
                .extracting(Curve::x)
                .allSatisfy(x -> assertThat(x).isEmpty());
    }

    @Test
    void frameworksShareIfEachHasSomethingWhileAllHaveApplications() {
        Map<Framework, Double> all = Map.of(SPARK, 0.5, MAP_REDUCE, 0.25, MPI, 0.25);
        assertThat(new ShareHistory(List.of(new ShareSample(0, all), new ShareSample(6, Map.of()))).problem())
                .isEmpty();
        assertThat(new ShareHistory(List.of(new ShareSample(0, all), new ShareSample(4, Map.of()))).problem())
                .hasValue("All frameworks had an application together for 4.0 s only.");
        assertThat(HISTORY.problem()).hasValue("All frameworks had an application together for 0.0 s only.");
        Map<Framework, Double> waits = Map.of(SPARK, 1.0, MAP_REDUCE, 0.0, MPI, 0.0);
        assertThat(new ShareHistory(List.of(new ShareSample(0, waits), new ShareSample(30, Map.of()))).problem())
                .hasValue(
                        "MapReduce had nothing of the cluster in the 30.0 s in which all frameworks had an application.");
    }
}
