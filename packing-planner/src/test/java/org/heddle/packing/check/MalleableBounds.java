// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;

/**
 * The makespan of the shortest malleable plan between two bounds, without code of the planners. With prices p of the
 * jobs, the linear program
 *
 * <pre>
 * maximise sum_j p_j  subject to  sum_j p_j rate_j(c) &lt;= 1  for every set c of jobs that runs side by side
 * </pre>
 *
 * has that makespan as its optimum. Sets are added one by one: the next one earns the most under the present prices,
 * which dynamic programming over the VMs of normal, host and extra jobs finds.
 */
final class MalleableBounds {
    private static final long MOST_WORK = 60_000_000;
    private static final long MOST_STATES = 8_000_000;
    private static final int STATES_BETWEEN_LOOKS = 1_024;
    private static final double CONVERGED = 1e-9;

    private final BoundTimes times;
    private final int hosts;
    private final int extras;
    private final double scale;
    private double shortestFound = Double.POSITIVE_INFINITY;
    private double proven;

    /** @param scale roughly the makespan, seconds */
    MalleableBounds(BoundTimes times, double scale) {
        this.times = times;
        this.scale = scale;
        boolean overcommit = false;
        for (int j = 0; j < times.jobs; j++) {
            overcommit |= times.hostFactor(j) < Double.POSITIVE_INFINITY;
        }
        hosts = overcommit ? times.slots : 0;
        extras = overcommit ? times.mostExtras() : 0;
    }

    /** False if the problem is too large, or has measured factors of pairs. */
    boolean canSolve() {
        double cells = (times.slots + 1.0) * (hosts + 1) * (extras + 1);
        return times.problem.alpha().measured().isEmpty()
                && cells * times.jobs * (times.slots + hosts + extras) <= MOST_WORK;
    }

    /** Narrows the bounds until one decides about the claim, or until {@code mustStop} returns true. */
    void narrow(double claim, BooleanSupplier mustStop) {
        PriceProgram program = new PriceProgram(times.jobs);
        for (int j = 0; j < times.jobs; j++) {
            double[] alone = new double[times.jobs];
            alone[j] = scale / times.seconds(j, times.slots);
            program.addRow(alone);
        }
        while (!mustStop.getAsBoolean() && proven < claim && shortestFound >= claim * (1 - PlanChecker.TOLERANCE)) {
            double[] prices = program.solve();
            if (prices == null) {
                return; // rounding errors: the bounds so far hold
            }
            double[] rates = new double[times.jobs];
            double earned = best(prices, rates);
            double sum = Arrays.stream(prices).sum() * scale;
            shortestFound = Math.min(shortestFound, sum);
            proven = Math.max(proven, sum / Math.max(1, earned));
            if (earned <= 1 + CONVERGED) {
                return;
            }
            program.addRow(rates);
        }
    }

    /**
     * Seconds that prices of the jobs prove: their sum, divided by the most that a mix of running jobs earns per
     * second. The scale must be 1.
     *
     * @return empty if {@code mustStop} returned true before; 0 if the problem is too large for that search
     */
    OptionalDouble provenBy(double[] prices, BooleanSupplier mustStop) {
        if ((times.slots + 1L) * (hosts + 1L) * (extras + 1L) > MOST_STATES) {
            return OptionalDouble.of(0);
        }
        double[] value = new double[(times.slots + 1) * (hosts + 1) * (extras + 1)];
        int[] anyChoice = new int[value.length];
        for (int j = 0; j < times.jobs; j++) {
            double[] next = new double[value.length];
            for (int state = 0; state < value.length && prices[j] > 0; state++) {
                if (state % STATES_BETWEEN_LOOKS == 0 && mustStop.getAsBoolean()) {
                    return OptionalDouble.empty();
                }
                add(j, prices[j], state, value, next, anyChoice);
            }
            value = prices[j] > 0 ? next : value;
        }
        double earned = value[bestState(value)];
        return OptionalDouble.of(earned > 0 ? Arrays.stream(prices).sum() / earned : 0);
    }

    /** Seconds of a malleable plan that exists. */
    double shortestFound() {
        return shortestFound;
    }

    /** Seconds that no malleable plan can beat. */
    double proven() {
        return proven;
    }

    /** The most that a set of jobs earns in {@code scale} seconds; fills in the rates of that set. */
    private double best(double[] prices, double[] rates) {
        int states = (times.slots + 1) * (hosts + 1) * (extras + 1);
        double[] value = new double[states];
        int[][] choice = new int[times.jobs][states];
        for (int j = 0; j < times.jobs; j++) {
            double[] next = new double[states];
            for (int state = 0; state < states; state++) {
                add(j, prices[j], state, value, next, choice[j]);
            }
            value = next;
        }
        int at = bestState(value);
        double earned = value[at];
        for (int j = times.jobs - 1; j >= 0; j--) {
            int vms = choice[j][at];
            rates[j] = rate(j, vms);
            at -= vms <= times.slots ? state(vms, 0, 0) : 0;
            at -= vms > times.slots && vms <= times.slots + hosts ? state(0, vms - times.slots, 0) : 0;
            at -= vms > times.slots + hosts ? state(0, 0, vms - times.slots - hosts) : 0;
        }
        return earned;
    }

    private int bestState(double[] value) {
        int at = 0;
        for (int shared = 0; shared <= hosts; shared++) {
            int beside = Math.min(extras, shared / times.problem.disks() * times.extrasPerMachine);
            int state = state(times.slots - shared, shared, beside);
            at = value[state] > value[at] ? state : at;
        }
        return at;
    }

    private int state(int normal, int host, int extra) {
        return (normal * (hosts + 1) + host) * (extras + 1) + extra;
    }

    /**
     * VM counts 1 .. N are those of a normal job, then follow those of a host, then those of an extra; 0 is a pause.
     */
    private void add(int j, double price, int state, double[] value, double[] next, int[] choice) {
        int extra = state % (extras + 1);
        int host = state / (extras + 1) % (hosts + 1);
        int normal = state / (extras + 1) / (hosts + 1);
        next[state] = value[state];
        int step = state(1, 0, 0);
        for (int n = 1; n <= normal; n++) {
            take(next, choice, state, value[state - n * step] + price * rate(j, n), n);
        }
        if (times.hostFactor(j) < Double.POSITIVE_INFINITY) {
            for (int n = 1; n <= host; n++) {
                int vms = times.slots + n;
                take(next, choice, state, value[state - n * (extras + 1)] + price * rate(j, vms), vms);
            }
        }
        if (times.extraFactor(j) < Double.POSITIVE_INFINITY) {
            for (int n = 1; n <= extra; n++) {
                int vms = times.slots + hosts + n;
                take(next, choice, state, value[state - n] + price * rate(j, vms), vms);
            }
        }
    }

    private static void take(double[] next, int[] choice, int state, double value, int vms) {
        if (value > next[state]) {
            next[state] = value;
            choice[state] = vms;
        }
    }

    /** Part of the job's work in {@code scale} seconds. */
    private double rate(int j, int vms) {
        if (vms == 0) {
            return 0;
        }
        if (vms <= times.slots) {
            return scale / times.seconds(j, vms);
        }
        if (vms <= times.slots + hosts) {
            return scale / (times.hostFactor(j) * times.seconds(j, vms - times.slots));
        }
        return scale / (times.extraFactor(j) * times.seconds(j, vms - times.slots - hosts));
    }
}
