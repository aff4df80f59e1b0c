// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.malleable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Role;
import org.heddle.packing.model.RuntimeModel;
import org.heddle.packing.solve.JobTable;

/**
 * Groups of jobs with equal models and classes. The master problem of {@link MalleablePlanner} has one row per group,
 * which keeps it small and free of ties; afterwards the members of a group take turns at the VM counts of a mix, so
 * that each does the same work. With factors that differ from pair to pair every job is a group of its own.
 */
final class JobGroups {
    private final List<int[]> members = new ArrayList<>();
    private final int[] group;

    private record Kind(RuntimeModel model, boolean cpu, boolean io, int unique) {}

    /** The VM count and role of one job in a mix. */
    private record Place(int width, Role role) {}

    JobGroups(JobTable table) {
        group = new int[table.jobs];
        Map<Kind, List<Integer>> kinds = new HashMap<>();
        List<List<Integer>> inOrder = new ArrayList<>();
        for (int j = 0; j < table.jobs; j++) {
            Job job = table.problem.jobs().get(j);
            Kind kind = new Kind(job.model(), job.cpu(), job.io(), table.uniformAlpha ? 0 : j);
            kinds.computeIfAbsent(kind, k -> {
                        List<Integer> fresh = new ArrayList<>();
                        inOrder.add(fresh);
                        return fresh;
                    })
                    .add(j);
        }
        for (List<Integer> jobs : inOrder) {
            jobs.forEach(j -> group[j] = members.size());
            members.add(jobs.stream().mapToInt(Integer::intValue).toArray());
        }
    }

    int count() {
        return members.size();
    }

    int of(int job) {
        return group[job];
    }

    int size(int group) {
        return members.get(group).length;
    }

    int first(int group) {
        return members.get(group)[0];
    }

    /** A mix and the part of a duration for which it runs. */
    record Turn(Mix mix, double part) {}

    /**
     * The mix, then the mix with the places of each group's members exchanged, and so on until all have had all places.
     */
    List<Turn> turns(Mix mix) {
        List<int[]> orders = new ArrayList<>();
        int[] steps = new int[members.size()];
        double[] borders = {1};
        for (int g = 0; g < members.size(); g++) {
            orders.add(byPlace(mix, members.get(g)));
            steps[g] = members.get(g).length / block(mix, members.get(g));
            double[] more = new double[steps[g]];
            for (int s = 0; s < steps[g]; s++) {
                more[s] = (s + 1.0) / steps[g];
            }
            borders = merge(borders, more);
        }
        List<Turn> turns = new ArrayList<>();
        double from = 0;
        for (double to : borders) {
            Mix turned = new Mix(mix.widths.length);
            for (int g = 0; g < members.size(); g++) {
                int[] own = orders.get(g);
                int shift = ((int) ((from + to) / 2 * steps[g])) * (own.length / steps[g]);
                for (int i = 0; i < own.length; i++) {
                    int source = own[(i + shift) % own.length];
                    turned.widths[own[i]] = mix.widths[source];
                    turned.roles[own[i]] = mix.roles[source];
                }
            }
            turns.add(new Turn(turned, to - from));
            from = to;
        }
        return turns;
    }

    /** The members ordered by place, so that equal places are neighbours. */
    private static int[] byPlace(Mix mix, int[] jobs) {
        return Arrays.stream(jobs)
                .boxed()
                .sorted(Comparator.<Integer>comparingInt(j -> mix.widths[j]).thenComparing(j -> mix.roles[j]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** Members that move on together: the greatest common divisor of the numbers of equal places. */
    private static int block(Mix mix, int[] jobs) {
        Map<Place, Integer> counts = new HashMap<>();
        for (int j : jobs) {
            counts.merge(new Place(mix.widths[j], mix.widths[j] == 0 ? Role.NORMAL : mix.roles[j]), 1, Integer::sum);
        }
        int divisor = 0;
        for (int count : counts.values()) {
            divisor = divisor(count, divisor);
        }
        return divisor;
    }

    private static int divisor(int a, int b) {
        return b == 0 ? a : divisor(b, a % b);
    }

    private static double[] merge(double[] a, double[] b) {
        double[] all = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, all, a.length, b.length);
        Arrays.sort(all);
        int size = 0;
        for (double border : all) {
            if (size == 0 || border > all[size - 1] + 1e-12) {
                all[size++] = border;
            }
        }
        return Arrays.copyOf(all, size);
    }
}
