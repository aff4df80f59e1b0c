// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.phased;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.SolveContext;

/**
 * A local search for a partition of the jobs into phases: jobs move, phases merge and split, and from time to time
 * {@link SubsetPlanner} finds the best partition of the jobs of a few small phases.
 */
public final class PhaseSearch {
    private static final int SMALL = 10;
    private static final int REMEMBERED = 200_000;

    private final JobTable table;
    private final LargeOracle oracle;
    private final RandomGenerator random;
    private final Map<Key, PhaseChoice> known = new HashMap<>();
    private List<PhaseChoice> best = new ArrayList<>();
    private double makespan = Double.POSITIVE_INFINITY;

    /** A set of jobs as a map key. */
    private static final class Key {
        private final int[] jobs;
        private final int hash;

        Key(int[] jobs) {
            this.jobs = jobs;
            hash = Arrays.hashCode(jobs);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && Arrays.equals(jobs, key.jobs);
        }
    }

    public PhaseSearch(JobTable table, RandomGenerator random) {
        this.table = table;
        this.random = random;
        oracle = new LargeOracle(table);
    }

    public List<PhaseChoice> best() {
        return best;
    }

    double makespan() {
        return makespan;
    }

    /** The phase of these jobs (ascending); infinite if there are more jobs than slots. */
    PhaseChoice phase(int[] jobs) {
        if (known.size() > REMEMBERED) {
            known.clear();
        }
        return known.computeIfAbsent(new Key(jobs), k -> oracle.shortest(jobs));
    }

    /** Replaces the best partition if this one is better. */
    boolean offer(List<PhaseChoice> phases) {
        double offered = PhasedPlans.makespan(phases);
        if (offered < makespan * (1 - 1e-12)) {
            best = new ArrayList<>(phases);
            makespan = offered;
            return true;
        }
        return false;
    }

    /** The simple partitions: one by one, all at once, superlinear jobs alone and the others at once. */
    public void seed() {
        List<PhaseChoice> alone = new ArrayList<>();
        List<PhaseChoice> some = new ArrayList<>();
        int[] all = new int[table.jobs];
        int[] others = new int[table.jobs];
        int count = 0;
        for (int j = 0; j < table.jobs; j++) {
            all[j] = j;
            PhaseChoice single = PhaseChoice.alone(table, j);
            alone.add(single);
            if (table.area(j, 1) >= table.area(j, table.slots) * (1 - 1e-12)) {
                some.add(single);
            } else {
                others[count++] = j;
            }
        }
        offer(alone);
        addChunks(some, Arrays.copyOf(others, count));
        offer(some);
        List<PhaseChoice> together = new ArrayList<>();
        addChunks(together, all);
        offer(together);
    }

    /** As few phases as slots allow. */
    private void addChunks(List<PhaseChoice> phases, int[] jobs) {
        for (int from = 0; from < jobs.length; from += table.slots) {
            phases.add(phase(Arrays.copyOfRange(jobs, from, Math.min(jobs.length, from + table.slots))));
        }
    }

    /** Makes a partition of columns that may overlap, earlier ones first, and replaces the best one if it is better. */
    boolean offerCover(List<int[]> sets) {
        boolean[] done = new boolean[table.jobs];
        List<PhaseChoice> phases = new ArrayList<>();
        for (int[] set : sets) {
            int[] fresh = Arrays.stream(set).filter(j -> !done[j]).toArray();
            if (fresh.length > 0) {
                phases.add(phase(fresh));
                for (int j : fresh) {
                    done[j] = true;
                }
            }
        }
        for (int j = 0; j < table.jobs; j++) {
            if (!done[j]) {
                phases.add(PhaseChoice.alone(table, j));
            }
        }
        return offer(phases);
    }

    /** Tries one random change and keeps it if the makespan falls. */
    boolean step(SolveContext context) {
        int phases = best.size();
        double dice = random.nextDouble();
        if (phases > 1 && dice < 0.05) {
            return repartition(context);
        }
        if (phases > 1 && dice < 0.2) {
            int a = random.nextInt(phases);
            int b = random.nextInt(phases - 1);
            b += b >= a ? 1 : 0;
            int[] merged = union(best.get(a).jobs(), best.get(b).jobs());
            return merged.length <= table.slots && replace(a, b, merged, new int[0]);
        }
        if (dice < 0.35) {
            return split();
        }
        return phases > 1 && (dice < 0.75 ? move() : swap());
    }

    private boolean move() {
        int a = random.nextInt(best.size());
        int b = random.nextInt(best.size() - 1);
        b += b >= a ? 1 : 0;
        int[] from = best.get(a).jobs();
        int[] moved = {from[random.nextInt(from.length)]};
        int[] to = union(best.get(b).jobs(), moved);
        return to.length <= table.slots && replace(a, b, without(from, moved), to);
    }

    private boolean swap() {
        int a = random.nextInt(best.size());
        int b = random.nextInt(best.size() - 1);
        b += b >= a ? 1 : 0;
        int[] x = best.get(a).jobs();
        int[] y = best.get(b).jobs();
        int[] fromX = {x[random.nextInt(x.length)]};
        int[] fromY = {y[random.nextInt(y.length)]};
        return replace(a, b, union(without(x, fromX), fromY), union(without(y, fromY), fromX));
    }

    /** Takes one job, or a random part, out of a phase into one of its own. */
    private boolean split() {
        int a = random.nextInt(best.size());
        int[] jobs = best.get(a).jobs();
        if (jobs.length < 2) {
            return false;
        }
        int[] part;
        if (random.nextBoolean()) {
            part = new int[] {jobs[random.nextInt(jobs.length)]};
        } else {
            double chance = random.nextDouble();
            part = Arrays.stream(jobs).filter(j -> random.nextDouble() < chance).toArray();
        }
        return part.length > 0 && part.length < jobs.length && replace(a, -1, without(jobs, part), part);
    }

    private boolean replace(int a, int b, int[] newA, int[] newB) {
        List<PhaseChoice> next = new ArrayList<>();
        for (int i = 0; i < best.size(); i++) {
            if (i != a && i != b) {
                next.add(best.get(i));
            }
        }
        if (newA.length > 0) {
            next.add(phase(newA));
        }
        if (newB.length > 0) {
            next.add(phase(newB));
        }
        return offer(next);
    }

    private boolean repartition(SolveContext context) {
        List<PhaseChoice> kept = new ArrayList<>(best);
        int[] jobs = new int[0];
        while (!kept.isEmpty()) {
            PhaseChoice taken = kept.get(random.nextInt(kept.size()));
            if (jobs.length + taken.jobs().length > SMALL) {
                break;
            }
            kept.remove(taken);
            jobs = union(jobs, taken.jobs());
        }
        if (jobs.length < 3) {
            return false;
        }
        int[] chosen = jobs;
        JobTable part = new JobTable(table.problem.withJobs(
                Arrays.stream(chosen).mapToObj(table.problem.jobs()::get).toList()));
        List<PhaseChoice> solved = new SubsetPlanner(part).solve(context);
        if (solved == null) {
            return false;
        }
        for (PhaseChoice phase : solved) {
            int[] own = Arrays.stream(phase.jobs()).map(i -> chosen[i]).toArray();
            PhaseChoice mapped = PhaseChoice.of(table, own, phase.roles(), phase.widths());
            known.put(new Key(own), mapped);
            kept.add(mapped);
        }
        return offer(kept);
    }

    private static int[] union(int[] a, int[] b) {
        int[] all = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, all, a.length, b.length);
        Arrays.sort(all);
        return all;
    }

    private static int[] without(int[] from, int[] gone) {
        return Arrays.stream(from)
                .filter(j -> Arrays.stream(gone).noneMatch(g -> g == j))
                .toArray();
    }
}
