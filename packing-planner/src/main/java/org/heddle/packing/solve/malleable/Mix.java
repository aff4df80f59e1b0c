// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.malleable;

import java.util.Arrays;
import org.heddle.packing.model.Role;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.phased.PhaseChoice;

/** What runs at one moment of a malleable plan: VM counts (0 = paused) and roles per job. */
final class Mix {
    final int[] widths;
    final Role[] roles;

    Mix(int jobs) {
        widths = new int[jobs];
        roles = new Role[jobs];
        Arrays.fill(roles, Role.NORMAL);
    }

    /** The mix of one phase. */
    static Mix of(JobTable table, PhaseChoice phase) {
        Mix mix = new Mix(table.jobs);
        for (int i = 0; i < phase.jobs().length; i++) {
            mix.widths[phase.jobs()[i]] = phase.widths()[i];
            mix.roles[phase.jobs()[i]] = phase.roles()[i];
        }
        return mix;
    }

    /** This mix without the jobs that have nothing left to do. */
    Mix without(double[] left) {
        Mix rest = new Mix(widths.length);
        for (int j = 0; j < widths.length; j++) {
            rest.widths[j] = left[j] > 0 ? widths[j] : 0;
            rest.roles[j] = roles[j];
        }
        return rest;
    }

    /** The running jobs as one phase; roles without a partner become normal. */
    PhaseChoice asPhase(JobTable table) {
        int[] jobs = new int[widths.length];
        int count = 0;
        for (int j = 0; j < widths.length; j++) {
            if (widths[j] > 0) {
                jobs[count++] = j;
            }
        }
        int[] chosen = Arrays.copyOf(jobs, count);
        Role[] as = new Role[count];
        int[] vms = new int[count];
        for (int i = 0; i < count; i++) {
            as[i] = roles[chosen[i]];
            vms[i] = widths[chosen[i]];
        }
        return PhaseChoice.of(table, chosen, as, vms);
    }

    private int sum(Role role) {
        int sum = 0;
        for (int j = 0; j < widths.length; j++) {
            sum += roles[j] == role ? widths[j] : 0;
        }
        return sum;
    }

    /** Removes VMs, from the widest job first, until both capacity rules hold. */
    void repair(JobTable table) {
        while (true) {
            int host = sum(Role.HOST);
            int blocked = table.slotsFor(sum(Role.EXTRA));
            int over = sum(Role.NORMAL) + Math.max(host, blocked) - table.slots;
            if (over <= 0) {
                return;
            }
            Role from = host >= blocked ? Role.HOST : Role.EXTRA;
            int widest = -1;
            for (int j = 0; j < widths.length; j++) {
                if ((roles[j] == from || roles[j] == Role.NORMAL)
                        && widths[j] > 0
                        && (widest < 0 || widths[j] > widths[widest])) {
                    widest = j;
                }
            }
            int step = Math.max(1, Math.min(widths[widest] / 8, over / 4));
            widths[widest] -= Math.min(widths[widest], step);
        }
    }

    /** Gives the free slots, VM by VM, to the job that earns most from the next VM. */
    void fillUp(JobTable table, double[] prices) {
        int normal = sum(Role.NORMAL);
        int host = sum(Role.HOST);
        int extra = sum(Role.EXTRA);
        for (int turn = 0; turn < table.slots; turn++) {
            int best = -1;
            double bestGain = 0;
            for (int j = 0; j < widths.length; j++) {
                int n = normal + (roles[j] == Role.NORMAL ? 1 : 0);
                int h = host + (roles[j] == Role.HOST ? 1 : 0);
                int e = extra + (roles[j] == Role.EXTRA ? 1 : 0);
                if (prices[j] <= 0 || n + Math.max(h, table.slotsFor(e)) > table.slots) {
                    continue;
                }
                double now = widths[j] == 0 ? 0 : 1 / table.seconds(j, widths[j]);
                double gain = prices[j] * (1 / table.seconds(j, widths[j] + 1) - now) / table.leastFactor(j, roles[j]);
                if (gain > bestGain) {
                    bestGain = gain;
                    best = j;
                }
            }
            if (best < 0) {
                return;
            }
            widths[best]++;
            switch (roles[best]) {
                case NORMAL -> normal++;
                case HOST -> host++;
                case EXTRA -> extra++;
            }
        }
    }

    /** Price times speed, summed up. */
    double earns(JobTable table, double[] prices) {
        PhaseChoice phase = asPhase(table);
        double sum = 0;
        for (int i = 0; i < phase.jobs().length; i++) {
            sum += prices[phase.jobs()[i]] / phase.jobSeconds()[i];
        }
        return sum;
    }
}
