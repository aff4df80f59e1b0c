// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.timed;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.heddle.packing.model.Role;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.SolveContext;
import org.heddle.packing.solve.TimedSolver;

/**
 * Solves a problem of moderate size with a {@link TimedSolver}. It uses the least overcommit factor of each job and
 * counts extras in total, so the bound of the solver holds for all plans; {@link TimedSearch} recomputes the times of
 * its schedule under the full rules.
 */
final class ExactTimedSearch {
    private static final int MOST_MODES = 1_500;

    private final JobTable table;
    private final TimedSolver solver;

    ExactTimedSearch(JobTable table, TimedSolver solver) {
        this.table = table;
        this.solver = solver;
    }

    /** One way to run a job. */
    private record Mode(Role role, int vms, double seconds) {}

    /** The bound, at least the known one; better plans are offered to the search. */
    double improve(TimedSearch search, double bound, SolveContext context) {
        double makespan = search.best().makespan();
        List<List<Mode>> modes = new ArrayList<>();
        int count = 0;
        for (int j = 0; j < table.jobs; j++) {
            modes.add(modes(j, makespan, search));
            count += modes.get(j).size();
        }
        if (count > MOST_MODES) {
            return bound;
        }
        TimedSolver.Answer answer = solver.solve(
                instance(modes, search, bound), context.limitSeconds() - context.elapsed(), context::mustStop);
        if (answer.mode().length > 0) {
            Integer[] order = new Integer[table.jobs];
            int[] widths = new int[table.jobs];
            Role[] roles = new Role[table.jobs];
            for (int j = 0; j < table.jobs; j++) {
                order[j] = j;
                Mode mode = modes.get(j).get(answer.mode()[j]);
                widths[j] = mode.vms();
                roles[j] = mode.role();
            }
            Arrays.sort(order, Comparator.comparingDouble(j -> answer.start()[j]));
            search.offer(Arrays.stream(order).mapToInt(Integer::intValue).toArray(), widths, roles);
        }
        return Math.max(bound, Math.min(answer.lowerBound(), search.best().makespan()));
    }

    /** All VM counts that are faster than the count below them, and the mode of the job in the known schedule. */
    private List<Mode> modes(int j, double makespan, TimedSearch search) {
        List<Mode> modes = new ArrayList<>();
        for (Role role : Role.values()) {
            if (!table.mayBe(j, role)) {
                continue;
            }
            double factor = table.leastFactor(j, role);
            int most = role == Role.EXTRA ? table.mostExtras() : table.slots;
            for (int n = 1; n <= most; n++) {
                boolean faster = n == 1 || table.seconds(j, n) < table.seconds(j, n - 1);
                double seconds = factor * table.seconds(j, n);
                boolean known = search.role(j) == role && search.width(j) == n;
                if (known || (faster && seconds <= makespan)) {
                    modes.add(new Mode(role, n, seconds));
                }
            }
        }
        return modes;
    }

    private TimedSolver.Instance instance(List<List<Mode>> modes, TimedSearch search, double bound) {
        double[][] seconds = new double[table.jobs][];
        int[][] first = new int[table.jobs][];
        int[][] second = new int[table.jobs][];
        int[] chosen = new int[table.jobs];
        int perMachine = table.extrasPerMachine;
        for (int j = 0; j < table.jobs; j++) {
            int size = modes.get(j).size();
            seconds[j] = new double[size];
            first[j] = new int[size];
            second[j] = new int[size];
            for (int m = 0; m < size; m++) {
                Mode mode = modes.get(j).get(m);
                seconds[j][m] = mode.seconds();
                first[j][m] = mode.role() == Role.EXTRA ? 0 : perMachine * mode.vms();
                second[j][m] = switch (mode.role()) {
                    case NORMAL -> perMachine * mode.vms();
                    case HOST -> 0;
                    case EXTRA -> table.problem.disks() * mode.vms();
                };
                if (mode.role() == search.role(j) && mode.vms() == search.width(j)) {
                    chosen[j] = m;
                }
            }
        }
        return new TimedSolver.Instance(
                seconds,
                first,
                second,
                perMachine * table.slots,
                chosen,
                search.starts(),
                search.best().makespan(),
                bound);
    }
}
