// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.model.RuntimeModel;

/**
 * A problem as arrays: run times that never increase with n (a job may leave VMs idle), least areas, and the smallest
 * and largest overcommit factor of each job. Jobs are indices 0 .. M-1 in the order of the problem, VM counts 1 .. N.
 */
public final class JobTable {
    private static final int MOST_JOBS_IN_MATRIX = 1_500;

    public final Problem problem;
    public final int jobs;
    /** N. */
    public final int slots;
    /** floor(k / r). */
    public final int extrasPerMachine;
    /** Slots that one extra takes at least when machines fill up: k / floor(k / r) &gt;= r. */
    public final double slotsPerExtra;
    /** True if every pair of jobs has the same overcommit factor. */
    public final boolean uniformAlpha;

    private final double[][] time;
    private final double[][] leastArea;
    private final double constant;
    private final Map<Long, Double> measured;
    /** The factors of all pairs, for fast access; empty without measured pairs and for many jobs. */
    private final double[][] matrix;

    private final double[][] least;
    private final double[][] most;
    private final boolean[] io;
    private final boolean[] cpu;

    public JobTable(Problem problem) {
        this(
                problem,
                new double[problem.jobs().size()][],
                new double[problem.jobs().size()][]);
        Map<RuntimeModel, Integer> known = new HashMap<>();
        for (int j = 0; j < jobs; j++) {
            RuntimeModel model = problem.jobs().get(j).model();
            Integer twin = known.putIfAbsent(model, j);
            time[j] = twin == null ? envelope(model) : time[twin];
            leastArea[j] = twin == null ? areas(time[j]) : leastArea[twin];
        }
    }

    private JobTable(Problem problem, double[][] time, double[][] leastArea) {
        this.problem = problem;
        this.time = time;
        this.leastArea = leastArea;
        jobs = problem.jobs().size();
        slots = problem.slots();
        extrasPerMachine = problem.extrasPerMachine();
        slotsPerExtra = (double) problem.disks() / extrasPerMachine;
        least = new double[2][jobs];
        most = new double[2][jobs];
        io = new boolean[jobs];
        cpu = new boolean[jobs];
        for (int j = 0; j < jobs; j++) {
            io[j] = problem.jobs().get(j).io();
            cpu[j] = problem.jobs().get(j).cpu();
        }
        constant = problem.alpha().constant();
        measured = measured(problem);
        matrix = measured.isEmpty() || jobs > MOST_JOBS_IN_MATRIX ? new double[0][] : matrix();
        uniformAlpha = fillFactors();
    }

    /** The table of some jobs, in this order. It shares the run times of this one. */
    public JobTable of(int[] some) {
        return new JobTable(
                problem.withJobs(
                        Arrays.stream(some).mapToObj(problem.jobs()::get).toList()),
                Arrays.stream(some).mapToObj(j -> time[j]).toArray(double[][]::new),
                Arrays.stream(some).mapToObj(j -> leastArea[j]).toArray(double[][]::new));
    }

    /** The same table, but one job must run as a normal job. It shares the run times of this one. */
    public JobTable withNormal(int job) {
        List<Job> others = new ArrayList<>(problem.jobs());
        Job old = others.get(job);
        others.set(job, new Job(old.name(), old.model(), false, false));
        return new JobTable(problem.withJobs(others), time, leastArea);
    }

    /** Factors of the pairs that were measured, by host * M + extra. */
    private Map<Long, Double> measured(Problem of) {
        Map<Long, Double> factors = new HashMap<>();
        if (!of.alpha().measured().isEmpty()) {
            Map<String, Integer> index = new HashMap<>();
            for (int j = 0; j < jobs; j++) {
                index.put(of.jobs().get(j).name(), j);
            }
            of.alpha().measured().forEach((pair, factor) -> {
                Integer host = index.get(pair.host());
                Integer extra = index.get(pair.extra());
                if (host != null && extra != null) {
                    factors.put((long) host * jobs + extra, factor);
                }
            });
        }
        return factors;
    }

    private double[] envelope(RuntimeModel model) {
        double[] seconds = new double[slots + 1];
        seconds[0] = Double.POSITIVE_INFINITY;
        for (int n = 1; n <= slots; n++) {
            seconds[n] = Math.min(seconds[n - 1], model.seconds(n));
        }
        return seconds;
    }

    private double[] areas(double[] seconds) {
        double[] area = new double[slots + 2];
        area[slots + 1] = Double.POSITIVE_INFINITY;
        for (int n = slots; n >= 1; n--) {
            area[n] = Math.min(area[n + 1], n * seconds[n]);
        }
        return area;
    }

    private double[][] matrix() {
        double[][] factors = new double[jobs][jobs];
        for (double[] row : factors) {
            Arrays.fill(row, constant);
        }
        measured.forEach((pair, factor) -> factors[(int) (pair / jobs)][(int) (pair % jobs)] = factor);
        return factors;
    }

    private boolean fillFactors() {
        boolean uniform = true;
        Arrays.fill(least[0], Double.POSITIVE_INFINITY);
        Arrays.fill(least[1], Double.POSITIVE_INFINITY);
        for (int h = 0; h < jobs; h++) {
            // Without measured pairs one partner of each job tells as much as all of them.
            for (int e = 0; e < jobs && (!measured.isEmpty() || least[0][h] == Double.POSITIVE_INFINITY); e++) {
                uniform &= addPair(h, e);
            }
        }
        for (int e = 0; e < jobs && measured.isEmpty(); e++) {
            for (int h = 0; h < jobs && least[1][e] == Double.POSITIVE_INFINITY; h++) {
                addPair(h, e);
            }
        }
        return uniform;
    }

    private boolean addPair(int h, int e) {
        if (h == e || !io[h] || !cpu[e]) {
            return true;
        }
        double f = alpha(h, e);
        least[0][h] = Math.min(least[0][h], f);
        most[0][h] = Math.max(most[0][h], f);
        least[1][e] = Math.min(least[1][e], f);
        most[1][e] = Math.max(most[1][e], f);
        return f == constant;
    }

    public boolean mayHost(int j) {
        return least[0][j] < Double.POSITIVE_INFINITY;
    }

    public boolean mayBeExtra(int j) {
        return least[1][j] < Double.POSITIVE_INFINITY;
    }

    public boolean mayBe(int j, Role role) {
        return role == Role.NORMAL || (role == Role.HOST ? mayHost(j) : mayBeExtra(j));
    }

    /** Overcommit factor of a host beside an extra. */
    public double alpha(int host, int extra) {
        if (measured.isEmpty()) {
            return constant;
        }
        return matrix.length > 0 ? matrix[host][extra] : measured.getOrDefault((long) host * jobs + extra, constant);
    }

    /** The smallest factor of job {@code j} in {@code role} with any partner; 1 for a normal job. */
    public double leastFactor(int j, Role role) {
        return factor(least, j, role);
    }

    /** The largest factor of job {@code j} in {@code role} with any partner; 1 for a normal job. */
    public double mostFactor(int j, Role role) {
        return factor(most, j, role);
    }

    private static double factor(double[][] byRole, int j, Role role) {
        return switch (role) {
            case NORMAL -> 1;
            case HOST -> byRole[0][j];
            case EXTRA -> byRole[1][j];
        };
    }

    /** Seconds of job {@code j} on at most {@code n} VMs, without penalty. */
    public double seconds(int j, int n) {
        return time[j][n];
    }

    /** Seconds of the fastest run of job {@code j}: alone on all slots. */
    public double fastest(int j) {
        return time[j][slots];
    }

    /** Seconds of the slowest run of job {@code j}: on one VM, with its largest overcommit factor. */
    public double slowest(int j) {
        double factor = 1;
        for (Role role : Role.values()) {
            factor = mayBe(j, role) ? Math.max(factor, mostFactor(j, role)) : factor;
        }
        return factor * time[j][1];
    }

    /** Least n with factor F_j(n) &lt;= seconds, or N + 1 if there is none. */
    public int width(int j, double seconds, double factor) {
        double[] t = time[j];
        if (factor * t[slots] > seconds) {
            return slots + 1;
        }
        int low = 0;
        int high = slots;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (factor * t[middle] <= seconds) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    /** Least n F_j(n) over n &gt;= {@code from}: VM-seconds of the cheapest run that wide; infinite beyond N. */
    public double area(int j, int from) {
        return leastArea[j][Math.min(from, slots + 1)];
    }

    /** Slots that {@code extras} VMs block: k per machine, machines filled one after the other. */
    public int slotsFor(int extras) {
        return (extras + extrasPerMachine - 1) / extrasPerMachine * problem.disks();
    }

    /** Most extra VMs on the cluster. */
    public int mostExtras() {
        return problem.machines() * extrasPerMachine;
    }
}
