// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.phased;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.SolveContext;
import org.jspecify.annotations.Nullable;

/**
 * Simulated annealing with restarts for a partition of the jobs into phases: jobs move, phases merge and split, and
 * from time to time {@link SubsetPlanner} finds the best partition of the jobs of a few small phases.
 */
public final class PhaseSearch {
    private static final int SMALL = 10;
    /** Jobs whose best partition is searched at the end of a round, and how often that may fail. */
    private static final int LARGE = 14;

    private static final int LARGE_TRIES = 6;
    private static final int MOST_LARGE_CELLS = 20_000;
    private static final int MOST_MISSES = 4;
    private static final double REPARTITION = 0.003;
    private static final double HOTTEST = 0.02;
    private static final double COLDEST = 1e-5;
    private static final int FIRST_STEPS = 500;
    private static final int MOST_EXACT_JOBS = 31;
    private static final int MOST_EXACT_SLOTS = 200;
    private static final int MOST_JOBS_IN_PAIRS = 200;
    private static final int REMEMBERED = 200_000;
    /** Jobs in all remembered phases together; each takes about 20 bytes. */
    private static final int MOST_KNOWN_JOBS = 4_000_000;

    private final JobTable table;
    private final LargeOracle oracle;
    /** For few jobs and slots, where the roles that {@link LargeOracle} misses matter most. */
    private final @Nullable PhaseOracle exact;

    private final RandomGenerator random;
    private final Map<Key, PhaseChoice> known = new HashMap<>();
    private List<PhaseChoice> best = new ArrayList<>();
    private double makespan = Double.POSITIVE_INFINITY;
    private List<PhaseChoice> current = new ArrayList<>();
    private double length = Double.POSITIVE_INFINITY;
    private double temperature;
    private double cooling = 1;
    private int stepsLeft;
    private int round;
    private long knownJobs;

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
        boolean small = table.jobs <= MOST_EXACT_JOBS && table.slots <= MOST_EXACT_SLOTS && table.uniformAlpha;
        exact = small ? new PhaseOracle(table) : null;
    }

    public List<PhaseChoice> best() {
        return best;
    }

    double makespan() {
        return makespan;
    }

    /** The phase of these jobs (ascending); infinitely long if their VMs do not fit side by side. */
    PhaseChoice phase(int[] jobs) {
        if (known.size() > REMEMBERED || knownJobs > MOST_KNOWN_JOBS) {
            forget();
        }
        knownJobs += jobs.length;
        return known.computeIfAbsent(new Key(jobs), k -> shortest(jobs));
    }

    /** Frees the memory of all phases but those of the best and the present partition. */
    void forget() {
        known.clear();
        knownJobs = 0;
    }

    private PhaseChoice shortest(int[] jobs) {
        PhaseChoice quick = oracle.shortest(jobs);
        if (exact == null || jobs.length < 2) {
            return quick;
        }
        int set = 0;
        double low = 0;
        for (int j : jobs) {
            set |= 1 << j;
            low = Math.max(low, table.fastest(j));
        }
        double seconds = exact.leastSeconds(set, low, quick.seconds() * (1 - 1e-9));
        return seconds < quick.seconds() ? exact.choose(set, seconds) : quick;
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

    /**
     * The simple partitions: one by one, all at once, superlinear jobs alone and the others at once, jobs of similar
     * length together where there are more jobs than slots, and, except for many jobs, the best pairs.
     */
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
        addChunks(some, Arrays.copyOf(others, count), table.slots);
        offer(some);
        List<PhaseChoice> together = new ArrayList<>();
        addChunks(together, all, table.slots);
        offer(together);
        if (table.jobs > table.slots) {
            int[] byLength = IntStream.of(all)
                    .boxed()
                    .sorted(Comparator.comparingDouble(j -> -table.seconds(j, 1)))
                    .mapToInt(j -> j)
                    .toArray();
            for (int size = table.slots; size >= 1 && size >= table.slots / 4; size /= 2) {
                List<PhaseChoice> alike = new ArrayList<>();
                addChunks(alike, byLength, size);
                offer(alike);
            }
        }
        if (table.jobs <= MOST_JOBS_IN_PAIRS) {
            offer(PairPlanner.phases(table));
        }
    }

    /** Phases of {@code size} jobs each, in this order. */
    private void addChunks(List<PhaseChoice> phases, int[] jobs, int size) {
        for (int from = 0; from < jobs.length; from += size) {
            int[] chunk = Arrays.copyOfRange(jobs, from, Math.min(jobs.length, from + size));
            Arrays.sort(chunk);
            phases.add(phase(chunk));
        }
    }

    /** Makes a partition of columns that may overlap, earlier ones first, and replaces the best one if it is better. */
    boolean offerCover(List<int[]> sets) {
        boolean[] done = new boolean[table.jobs];
        List<PhaseChoice> phases = new ArrayList<>();
        for (int[] set : sets) {
            int[] fresh = Arrays.stream(set).filter(j -> !done[j]).toArray();
            if (fresh.length > 0 && phase(fresh).seconds() < Double.POSITIVE_INFINITY) {
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

    /**
     * Tries one random change. Simulated annealing: a longer plan is kept with a chance that falls from round to round
     * of steps; each round but every fourth starts from the best partition. Returns true if the best partition is
     * better.
     */
    boolean step(SolveContext context) {
        if (stepsLeft-- <= 0) {
            boolean better = round > 0 && polish(context);
            restart();
            if (better) {
                return true;
            }
        }
        temperature *= cooling;
        int phases = current.size();
        double dice = random.nextDouble();
        if (phases > 1 && dice < REPARTITION) {
            return repartition(context, SMALL + (random.nextInt(10) == 0 ? random.nextInt(4) : 0));
        }
        if (phases > 1 && dice < 0.2) {
            int a = random.nextInt(phases);
            int b = random.nextInt(phases - 1);
            b += b >= a ? 1 : 0;
            int[] merged = union(current.get(a).jobs(), current.get(b).jobs());
            return replace(a, b, merged, new int[0]);
        }
        if (dice < 0.35) {
            return split();
        }
        return phases > 1 && (dice < 0.75 ? move() : swap());
    }

    private boolean move() {
        int a = random.nextInt(current.size());
        int b = random.nextInt(current.size() - 1);
        b += b >= a ? 1 : 0;
        int[] from = current.get(a).jobs();
        int[] moved = {from[random.nextInt(from.length)]};
        int[] to = union(current.get(b).jobs(), moved);
        return replace(a, b, without(from, moved), to);
    }

    private boolean swap() {
        int a = random.nextInt(current.size());
        int b = random.nextInt(current.size() - 1);
        b += b >= a ? 1 : 0;
        int[] x = current.get(a).jobs();
        int[] y = current.get(b).jobs();
        int[] fromX = {x[random.nextInt(x.length)]};
        int[] fromY = {y[random.nextInt(y.length)]};
        return replace(a, b, union(without(x, fromX), fromY), union(without(y, fromY), fromX));
    }

    /** Takes one job, or a random part, out of a phase into one of its own. */
    private boolean split() {
        int a = random.nextInt(current.size());
        int[] jobs = current.get(a).jobs();
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
        for (int i = 0; i < current.size(); i++) {
            if (i != a && i != b) {
                next.add(current.get(i));
            }
        }
        if (newA.length > 0) {
            next.add(phase(newA));
        }
        if (newB.length > 0) {
            next.add(phase(newB));
        }
        return consider(next);
    }

    private void restart() {
        int steps = (FIRST_STEPS * table.jobs) << Math.min(6, round / 2);
        stepsLeft = steps;
        temperature = HOTTEST;
        cooling = Math.pow(COLDEST / HOTTEST, 1.0 / steps);
        if (round++ % 4 != 3 || current.isEmpty()) {
            current = new ArrayList<>(best);
            length = makespan;
        }
    }

    /** Makes a partition the current one if it is shorter, or by chance if it is little longer. */
    private boolean consider(List<PhaseChoice> phases) {
        double next = PhasedPlans.makespan(phases);
        if (next < length * (1 - temperature * Math.log(1 - random.nextDouble()))) {
            current = phases;
            length = next;
            return offer(phases);
        }
        return false;
    }

    /** Partitions the jobs of some phases of the best plan anew, until that has often been in vain. */
    private boolean polish(SolveContext context) {
        if ((long) LARGE * table.slots > MOST_LARGE_CELLS || best.size() < 2) {
            return false;
        }
        boolean better = false;
        for (int failures = 0; failures < LARGE_TRIES && !context.mustStop(); failures++) {
            current = new ArrayList<>(best);
            length = makespan;
            temperature = 0;
            if (repartition(context, LARGE)) {
                better = true;
                failures = -1;
            }
        }
        return better;
    }

    private boolean repartition(SolveContext context, int size) {
        List<PhaseChoice> kept = new ArrayList<>(current);
        int[] jobs = new int[0];
        for (int misses = 0; !kept.isEmpty() && misses < MOST_MISSES; ) {
            PhaseChoice taken = kept.get(random.nextInt(kept.size()));
            if (jobs.length + taken.jobs().length > size) {
                misses++;
                continue;
            }
            kept.remove(taken);
            jobs = union(jobs, taken.jobs());
        }
        if (jobs.length < 3) {
            return false;
        }
        int[] chosen = jobs;
        JobTable part = table.of(chosen);
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
        return consider(kept);
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
