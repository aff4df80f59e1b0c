// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.phased;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.SolveContext;
import org.jspecify.annotations.Nullable;

/**
 * The optimal partition of up to 22 jobs into phases: dynamic programming over sets,
 *
 * <pre>OPT(S) = min over phases A of S that hold S's first job:  T(A) + OPT(S \ A)</pre>
 *
 * with T(A) from {@link PhaseOracle}. Sets come in ascending order, so when S is reached the best way to
 * split it is known; T(S) matters only if it is below that, and it is never below T of a subset. Most
 * sets need one call of the oracle or none.
 */
public final class SubsetPlanner {
    public static final int MOST_JOBS = 22;
    /** Measured with 17 to 20 jobs. */
    private static final double SECONDS_PER_SPLIT = 1.4e-9;

    private final PhaseOracle oracle;
    private final double[] length;
    private final double[] atLeast;
    private final double[] best;
    private final int[] firstPhase;
    private final int all;

    public SubsetPlanner(JobTable table) {
        if (table.jobs > MOST_JOBS) {
            throw new IllegalArgumentException(table.jobs + " jobs: at most " + MOST_JOBS);
        }
        oracle = new PhaseOracle(table);
        int sets = 1 << table.jobs;
        all = sets - 1;
        length = new double[sets];
        atLeast = new double[sets];
        best = new double[sets];
        firstPhase = new int[sets];
        Arrays.fill(length, Double.POSITIVE_INFINITY);
    }

    /** Roughly how long {@link #solve} takes for this many jobs, seconds: it grows with 3^M. */
    static double roughSeconds(int jobs) {
        return SECONDS_PER_SPLIT * Math.pow(3, jobs);
    }

    /** The phases of an optimal plan, or null if the search had to stop before. */
    @Nullable
    public List<PhaseChoice> solve(SolveContext context) {
        for (int set = 1; set <= all; set++) {
            if ((set & 255) == 0 && context.mustStop()) {
                return null;
            }
            solve(set);
        }
        List<PhaseChoice> phases = new ArrayList<>();
        for (int left = all; left != 0; left &= ~firstPhase[left]) {
            phases.add(oracle.choose(firstPhase[left], length[firstPhase[left]]));
        }
        return phases;
    }

    private void solve(int set) {
        int low = set & -set;
        int others = set ^ low;
        double shortest = others == 0 ? Double.MAX_VALUE : Double.POSITIVE_INFINITY;
        int phase = set;
        for (int apart = others; apart != 0; apart = (apart - 1) & others) {
            double value = length[set ^ apart] + best[apart];
            if (value < shortest) {
                shortest = value;
                phase = set ^ apart;
            }
        }
        double bound = 0;
        for (int rest = set; rest != 0; rest &= rest - 1) {
            bound = Math.max(bound, atLeast[set ^ (rest & -rest)]);
        }
        if (bound < shortest) {
            double whole = oracle.leastSeconds(set, bound, shortest);
            if (whole < shortest) {
                length[set] = whole;
                shortest = whole;
                bound = whole;
                phase = set;
            } else {
                bound = Math.max(bound, shortest);
            }
        }
        atLeast[set] = bound;
        best[set] = shortest;
        firstPhase[set] = phase;
    }
}
