// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cpsat;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CumulativeConstraint;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.IntervalVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.sat.Literal;
import org.heddle.packing.solve.TimedSolver.Instance;

/**
 * One interval of variable length per job, one literal per mode, two cumulative constraints, and the two
 * energy sums as cuts. Times are whole units of a millionth of the known makespan; run times are rounded
 * down, so the optimum of the model is a lower bound.
 */
final class CpSatModel {
    private static final int UNITS = 1_000_000;

    private final CpModel model = new CpModel();
    private final double secondsPerUnit;
    private final IntVar[] starts;
    private final BoolVar[][] modes;

    CpSatModel(Instance instance) {
        int jobs = instance.seconds().length;
        secondsPerUnit = instance.makespan() / UNITS;
        starts = new IntVar[jobs];
        modes = new BoolVar[jobs][];
        int least = (int) Math.floor(instance.lowerBound() / secondsPerUnit * (1 - 1e-9));
        IntVar makespan = model.newIntVar(Math.min(least, UNITS), UNITS, "makespan");
        CumulativeConstraint firstRule = model.addCumulative(instance.capacity());
        CumulativeConstraint secondRule = model.addCumulative(instance.capacity());
        LinearExprBuilder firstEnergy = LinearExpr.newBuilder();
        LinearExprBuilder secondEnergy = LinearExpr.newBuilder();
        for (int j = 0; j < jobs; j++) {
            int count = instance.seconds()[j].length;
            modes[j] = new BoolVar[count];
            long[] lengths = new long[count];
            long[] first = new long[count];
            long[] second = new long[count];
            for (int m = 0; m < count; m++) {
                modes[j][m] = model.newBoolVar("j" + j + "m" + m);
                lengths[m] = (long) Math.floor(instance.seconds()[j][m] / secondsPerUnit * (1 - 1e-12));
                first[m] = instance.first()[j][m];
                second[m] = instance.second()[j][m];
                firstEnergy.addTerm(modes[j][m], lengths[m] * first[m]);
                secondEnergy.addTerm(modes[j][m], lengths[m] * second[m]);
                model.addHint((Literal) modes[j][m], m == instance.mode()[j]);
            }
            model.addExactlyOne(modes[j]);
            starts[j] = model.newIntVar(0, UNITS, "start" + j);
            model.addHint(starts[j], (long) Math.floor(instance.start()[j] / secondsPerUnit));
            IntVar length = chosen(lengths, j, "length");
            IntVar end = model.newIntVar(0, UNITS, "end" + j);
            IntervalVar interval = model.newIntervalVar(starts[j], length, end, "job" + j);
            firstRule.addDemand(interval, chosen(first, j, "first"));
            secondRule.addDemand(interval, chosen(second, j, "second"));
            model.addLessOrEqual(end, makespan);
        }
        model.addLessOrEqual(firstEnergy, LinearExpr.term(makespan, instance.capacity()));
        model.addLessOrEqual(secondEnergy, LinearExpr.term(makespan, instance.capacity()));
        model.minimize(makespan);
    }

    /** The value of the mode that job j takes. */
    private IntVar chosen(long[] values, int j, String name) {
        long least = Long.MAX_VALUE;
        long most = 0;
        for (long value : values) {
            least = Math.min(least, value);
            most = Math.max(most, value);
        }
        IntVar variable = model.newIntVar(least, most, name + j);
        model.addEquality(variable, LinearExpr.weightedSum(modes[j], values));
        return variable;
    }

    CpModel model() {
        return model;
    }

    double secondsPerUnit() {
        return secondsPerUnit;
    }

    int[] modes(CpSolver solver) {
        int[] chosen = new int[modes.length];
        for (int j = 0; j < modes.length; j++) {
            for (int m = 0; m < modes[j].length; m++) {
                if (solver.value(modes[j][m]) == 1) {
                    chosen[j] = m;
                }
            }
        }
        return chosen;
    }

    double[] starts(CpSolver solver) {
        double[] seconds = new double[starts.length];
        for (int j = 0; j < seconds.length; j++) {
            seconds[j] = solver.value(starts[j]) * secondsPerUnit;
        }
        return seconds;
    }
}
