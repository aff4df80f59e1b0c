// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

/**
 * The length of a phase in which given jobs run side by side, computed without code of the planners. A phase of T
 * seconds holds its jobs if {@code n + max(h, g(e)) <= N}: n, h and e are the VMs of normal, host and extra jobs, each
 * job at the least VM count that meets T, and g(e) is the number of slots of the machines that hold e extras.
 *
 * <p>All roles are tried ({@link #least}), or only those which one weight of the two capacity rules suggests ({@link
 * #quick}). Both lengths are reached by a legal phase.
 */
final class PhaseLength {
    private static final double STEP = 1e-9;
    private static final int QUICK_WEIGHTS = 9;

    private static final int NORMAL = 0;
    private static final int HOST = 1;
    private static final int EXTRA = 2;

    private final BoundTimes times;
    private int[] jobs = {};
    private final int[] roles;
    private final int[][] width;
    private final double[] rest;
    private double limit;

    PhaseLength(BoundTimes times) {
        this.times = times;
        roles = new int[times.jobs];
        width = new int[3][times.jobs];
        rest = new double[times.jobs + 1];
    }

    /** Seconds of the shortest phase if that is below {@code high}, else infinite. */
    double least(int[] set, double high) {
        jobs = set;
        double best = Double.POSITIVE_INFINITY;
        double below = high;
        while (fillWidths(below * (1 - STEP)) && (allNormal() || search(0, 0, 0, 0))) {
            best = shorten(below * (1 - STEP));
            below = best;
        }
        return best;
    }

    /** Seconds of a phase that is often the shortest; infinite if the search finds none. */
    double quick(int[] set) {
        jobs = set;
        double best = Double.POSITIVE_INFINITY;
        double longest = 0;
        for (int j : set) {
            double factor = Math.max(finite(times.hostFactor(j)), finite(times.extraFactor(j)));
            longest = Math.max(longest, factor * times.seconds(j, 1));
        }
        if (fillWidths(longest) && allNormal()) {
            best = shorten(longest);
        }
        for (int w = 0; w < QUICK_WEIGHTS; w++) {
            double at = Math.min(longest, best * (1 - STEP));
            if (fillWidths(at) && suggest((w + 0.5) / QUICK_WEIGHTS) && fitsWithRealFactors(at)) {
                best = shorten(at);
            }
        }
        return best;
    }

    private static double finite(double factor) {
        return factor == Double.POSITIVE_INFINITY ? 1 : factor;
    }

    /** The least number of VMs of each job in each role under a limit. False if a job cannot meet it. */
    private boolean fillWidths(double seconds) {
        limit = seconds;
        boolean possible = true;
        for (int i = 0; i < jobs.length; i++) {
            int j = jobs[i];
            width[NORMAL][i] = times.width(j, seconds, 1);
            width[HOST][i] = times.width(j, seconds, times.hostFactor(j));
            int extra = times.width(j, seconds, times.extraFactor(j));
            width[EXTRA][i] = extra > times.mostExtras() ? times.slots + 1 : extra;
            possible &= width[NORMAL][i] <= times.slots;
        }
        rest[jobs.length] = 0;
        for (int i = jobs.length - 1; i >= 0; i--) {
            rest[i] = rest[i + 1] + Math.min(size(i, NORMAL), Math.min(size(i, HOST), size(i, EXTRA)));
        }
        return possible;
    }

    /** Slots under the mean of the two capacity rules. */
    private double size(int i, int role) {
        if (width[role][i] > times.slots) {
            return Double.POSITIVE_INFINITY;
        }
        return switch (role) {
            case NORMAL -> width[NORMAL][i];
            case HOST -> 0.5 * width[HOST][i];
            default -> 0.5 * times.slotsPerExtra * width[EXTRA][i];
        };
    }

    private boolean allNormal() {
        long sum = 0;
        for (int i = 0; i < jobs.length; i++) {
            roles[i] = NORMAL;
            sum += width[NORMAL][i];
        }
        return sum <= times.slots;
    }

    private boolean search(int i, int n, int h, int e) {
        boolean full = n + 0.5 * h + 0.5 * times.slotsPerExtra * e + rest[i] > times.slots + STEP;
        if (full || n + Math.max(h, times.slotsFor(e)) > times.slots) {
            return false;
        }
        if (i == jobs.length) {
            return h > 0 && e > 0 && fitsWithRealFactors(limit);
        }
        return (tries(i, HOST) && search(i + 1, n, h + width[HOST][i], e))
                || (tries(i, EXTRA) && search(i + 1, n, h, e + width[EXTRA][i]))
                || (tries(i, NORMAL) && search(i + 1, n + width[NORMAL][i], h, e));
    }

    private boolean tries(int i, int role) {
        roles[i] = role;
        return width[role][i] <= times.slots;
    }

    /** Gives each job the role with the least weighted size. False if there are no hosts or no extras. */
    private boolean suggest(double weight) {
        boolean hosts = false;
        boolean extras = false;
        for (int i = 0; i < jobs.length; i++) {
            double asNormal = size(i, NORMAL);
            double asHost = 2 * weight * size(i, HOST);
            double asExtra = 2 * (1 - weight) * size(i, EXTRA);
            roles[i] = asHost < asExtra ? HOST : EXTRA;
            if (asNormal <= Math.min(asHost, asExtra)) {
                roles[i] = NORMAL;
            }
            hosts |= roles[i] == HOST;
            extras |= roles[i] == EXTRA;
        }
        return hosts && extras;
    }

    /** One slowed VM slows its whole job: the factor of a job is the largest among its partners. */
    private double realFactor(int i) {
        double factor = 1;
        for (int o = 0; o < jobs.length && roles[i] != NORMAL; o++) {
            if (roles[i] == HOST && roles[o] == EXTRA) {
                factor = Math.max(factor, times.factor(jobs[i], jobs[o]));
            } else if (roles[i] == EXTRA && roles[o] == HOST) {
                factor = Math.max(factor, times.factor(jobs[o], jobs[i]));
            }
        }
        return factor;
    }

    private boolean fitsWithRealFactors(double seconds) {
        long[] sums = new long[3];
        for (int i = 0; i < jobs.length; i++) {
            int vms = times.width(jobs[i], seconds, realFactor(i));
            if (vms > (roles[i] == EXTRA ? times.mostExtras() : times.slots)) {
                return false;
            }
            sums[roles[i]] += vms;
        }
        return sums[EXTRA] <= times.mostExtras()
                && sums[NORMAL] + Math.max(sums[HOST], times.slotsFor((int) sums[EXTRA])) <= times.slots;
    }

    /** The least length with the present roles, from one that fits; the run time of the slowest job. */
    private double shorten(double fits) {
        double low = 0;
        double high = fits;
        while (high - low > STEP / 10 * high) {
            double middle = (low + high) / 2;
            if (fitsWithRealFactors(middle)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        double longest = 0;
        for (int i = 0; i < jobs.length; i++) {
            double factor = realFactor(i);
            longest = Math.max(longest, factor * times.seconds(jobs[i], times.width(jobs[i], high, factor)));
        }
        return longest;
    }

    /** The members of a bit set as ascending indices. */
    static int[] members(int set) {
        int[] members = new int[Integer.bitCount(set)];
        int size = 0;
        for (int left = set; left != 0; left &= left - 1) {
            members[size++] = Integer.numberOfTrailingZeros(left);
        }
        return members;
    }
}
