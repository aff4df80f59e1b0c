// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.phased;

import org.heddle.packing.model.Role;
import org.heddle.packing.solve.JobTable;
import org.jspecify.annotations.Nullable;

/**
 * The shortest phase of two jobs, in O(log N): the paper's c_ij and o_ij (section 5.1) with whole VM
 * counts, floor(k/r) extras per machine and both directions of overcommit.
 */
final class PairOracle {
    private PairOracle() {}

    /** Null if the two jobs cannot share the cluster: one slot and no overcommit. */
    static @Nullable PhaseChoice shortest(JobTable table, int i, int j) {
        PhaseChoice best = table.slots > 1 ? beside(table, i, j) : null;
        if (table.mayHost(i) && table.mayBeExtra(j)) {
            best = shorter(best, over(table, i, j, Role.HOST, Role.EXTRA));
        }
        if (table.mayHost(j) && table.mayBeExtra(i)) {
            best = shorter(best, over(table, i, j, Role.EXTRA, Role.HOST));
        }
        return best;
    }

    private static PhaseChoice shorter(@Nullable PhaseChoice a, PhaseChoice b) {
        return a == null || b.seconds() < a.seconds() ? b : a;
    }

    /** F_i falls and F_j(N - x) rises with x, so the best x is where they cross or the one before. */
    private static PhaseChoice beside(JobTable table, int i, int j) {
        int low = 1;
        int high = table.slots - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (table.seconds(i, middle) <= table.seconds(j, table.slots - middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        PhaseChoice at = normal(table, i, j, low);
        return low > 1 ? shorter(at, normal(table, i, j, low - 1)) : at;
    }

    private static PhaseChoice normal(JobTable table, int i, int j, int x) {
        return PhaseChoice.of(
                table, new int[] {i, j}, new Role[] {Role.NORMAL, Role.NORMAL}, new int[] {x, table.slots - x});
    }

    private static PhaseChoice over(JobTable table, int i, int j, Role roleI, Role roleJ) {
        int[] widths = {most(table, roleI), most(table, roleJ)};
        return PhaseChoice.of(table, new int[] {i, j}, new Role[] {roleI, roleJ}, widths);
    }

    private static int most(JobTable table, Role role) {
        return role == Role.HOST ? table.slots : table.mostExtras();
    }
}
