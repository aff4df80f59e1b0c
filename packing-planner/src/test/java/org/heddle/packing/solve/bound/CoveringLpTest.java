// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CoveringLpTest {
    /** The right-hand sides are raised by up to 1e-7. */
    private static final double RAISED = 1e-5;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Column(double[] coefficients, double cost) {}

    private static CoveringLp<Column> start(Column... diagonal) {
        double[] coefficients = new double[diagonal.length];
        double[] costs = new double[diagonal.length];
        for (int i = 0; i < diagonal.length; i++) {
            coefficients[i] = diagonal[i].coefficients()[i];
            costs[i] = diagonal[i].cost();
        }
        return new CoveringLp<>(coefficients, costs, diagonal, new Random(1), () -> false);
    }

    private static Column column(double cost, double... coefficients) {
        return new Column(coefficients, cost);
    }

    private static boolean enter(CoveringLp<Column> lp, Column column) {
        return lp.enter(column.coefficients(), column.cost(), column);
    }

    @Test
    void startsFromOneColumnPerRow() {
        CoveringLp<Column> lp = start(column(3, 1, 0), column(5, 0, 2));
        assertThat(lp.objective()).isCloseTo(3 + 2.5, within(RAISED));
        assertThat(lp.duals()).containsExactly(new double[] {3, 2.5}, within(1e-12));
    }

    @Test
    void aColumnEntersOnlyIfItLowersTheObjective() {
        CoveringLp<Column> lp = start(column(1, 1, 0), column(1, 0, 1));
        assertThat(enter(lp, column(2, 1, 1))).as("costs as much as both").isFalse();
        assertThat(enter(lp, column(1.5, 1, 1))).isTrue();
        assertThat(lp.objective()).isCloseTo(1.5, within(RAISED));
    }

    /** Each edge covers two corners: half of each edge covers all three. */
    @Test
    void theFractionalEdgeCoverOfATriangleIsThreeHalves() {
        CoveringLp<Column> lp = start(column(1, 1, 0, 0), column(1, 0, 1, 0), column(1, 0, 0, 1));
        List<Column> edges = List.of(column(1, 1, 1, 0), column(1, 0, 1, 1), column(1, 1, 0, 1));
        settle(lp, edges);
        assertThat(lp.objective()).isCloseTo(1.5, within(RAISED));
        assertThat(lp.duals()).containsExactly(new double[] {0.5, 0.5, 0.5}, within(1e-9));
        lp.forEach((column, value) -> {
            assertThat(edges).contains(column);
            assertThat(value).isCloseTo(0.5, within(RAISED));
        });
    }

    /** A feasible primal and a feasible dual solution of one value prove each other optimal. */
    @Test
    void bothSolutionsAreFeasibleAndOfOneValue() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            int rows = 1 + random.nextInt(8);
            Column[] diagonal = new Column[rows];
            for (int i = 0; i < rows; i++) {
                double[] coefficients = new double[rows];
                coefficients[i] = 0.1 + random.nextDouble();
                diagonal[i] = column(0.1 + random.nextDouble(), coefficients);
            }
            List<Column> columns = new ArrayList<>(List.of(diagonal));
            for (int c = random.nextInt(30); c > 0; c--) {
                double[] coefficients = random.doubles(rows).toArray();
                for (int i = 0; i < rows; i++) {
                    coefficients[i] = random.nextInt(3) == 0 ? 0 : coefficients[i];
                }
                columns.add(column(random.nextDouble(), coefficients));
            }
            CoveringLp<Column> lp = start(diagonal);
            settle(lp, columns);

            double[] covered = new double[rows];
            lp.forEach((column, value) -> {
                assertThat(value).isPositive();
                for (int i = 0; i < rows; i++) {
                    covered[i] += value * column.coefficients()[i];
                }
            });
            double dualValue = 0;
            for (int i = 0; i < rows; i++) {
                assertThat(covered[i]).as("row %d, seed %d", i, seed).isGreaterThan(1 - 1e-9);
                assertThat(lp.duals()[i]).as("dual %d, seed %d", i, seed).isGreaterThan(-1e-8);
                dualValue += lp.duals()[i];
            }
            for (Column column : columns) {
                assertThat(earns(lp, column)).as("seed %d", seed).isLessThan(column.cost() + 1e-8);
            }
            assertThat(lp.objective()).as("seed %d", seed).isCloseTo(dualValue, within(RAISED * (1 + dualValue)));
        }
    }

    private static double earns(CoveringLp<Column> lp, Column column) {
        double sum = 0;
        for (int i = 0; i < column.coefficients().length; i++) {
            sum += lp.duals()[i] * column.coefficients()[i];
        }
        return sum;
    }

    /** Offers columns until none enters. */
    private static void settle(CoveringLp<Column> lp, List<Column> columns) {
        for (int round = 0; round < 1_000; round++) {
            boolean entered = false;
            for (Column column : columns) {
                entered |= enter(lp, column);
            }
            if (!entered) {
                return;
            }
        }
        throw new AssertionError("columns still enter after 1,000 rounds");
    }
}
