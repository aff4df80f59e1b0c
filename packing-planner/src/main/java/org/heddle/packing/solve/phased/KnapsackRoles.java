// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.phased;

import java.util.Arrays;
import org.heddle.packing.model.Role;
import org.heddle.packing.solve.JobTable;

/**
 * Roles by dynamic programming: over host slots and extra VMs the most normal slots that can be saved.
 * Exact for one overcommit factor; O(jobs x N x extras).
 */
final class KnapsackRoles {
    private KnapsackRoles() {}

    /** Sets {@code roles[0..count)} and returns true if the jobs fit side by side at these VM counts. */
    static boolean fit(JobTable table, int count, int[] normal, int[] host, int[] extra, Role[] roles) {
        int mostHosts = table.slots;
        int mostExtras = table.mostExtras();
        int columns = mostExtras + 1;
        int[] saved = new int[(mostHosts + 1) * columns];
        Arrays.fill(saved, -1);
        saved[0] = 0;
        byte[][] choice = new byte[count][saved.length];
        int plain = 0;
        for (int i = 0; i < count; i++) {
            plain += normal[i];
            for (int h = mostHosts; h >= 0; h--) {
                for (int e = mostExtras; e >= 0; e--) {
                    int at = h * columns + e;
                    int best = saved[at];
                    if (h >= host[i] && saved[at - host[i] * columns] >= 0) {
                        int value = saved[at - host[i] * columns] + normal[i];
                        if (value > best) {
                            best = value;
                            choice[i][at] = 1;
                        }
                    }
                    if (e >= extra[i] && saved[at - extra[i]] >= 0) {
                        int value = saved[at - extra[i]] + normal[i];
                        if (value > best) {
                            best = value;
                            choice[i][at] = 2;
                        }
                    }
                    saved[at] = best;
                }
            }
        }
        for (int h = 0; h <= mostHosts; h++) {
            for (int e = 0; e <= mostExtras; e++) {
                int at = h * columns + e;
                if (saved[at] >= 0 && plain - saved[at] + Math.max(h, table.slotsFor(e)) <= table.slots) {
                    readBack(count, columns, at, choice, host, extra, roles);
                    return true;
                }
            }
        }
        return false;
    }

    private static void readBack(
            int count, int columns, int end, byte[][] choice, int[] host, int[] extra, Role[] roles) {
        int at = end;
        for (int i = count - 1; i >= 0; i--) {
            switch (choice[i][at]) {
                case 1 -> {
                    roles[i] = Role.HOST;
                    at -= host[i] * columns;
                }
                case 2 -> {
                    roles[i] = Role.EXTRA;
                    at -= extra[i];
                }
                default -> roles[i] = Role.NORMAL;
            }
        }
    }
}
