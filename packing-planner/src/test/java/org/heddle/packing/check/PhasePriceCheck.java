// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.heddle.packing.model.Role;

/**
 * What prices of the jobs prove about phased plans. If the jobs of each phase cost at most r times what the phase
 * lasts, the prices of all jobs divided by r are a lower bound. A phase that lasts from a to b seconds costs at most
 * what fits under b, a knapsack of N slots in which each job takes its least number, divided by a. Intervals are halved
 * until the bound of interest is proven, or until one of them is a point that denies it.
 */
final class PhasePriceCheck {
    private static final int INTERVALS = 64;
    private static final double NARROW = 1 + 1e-9;
    /** Of the two capacity rules, which are added up. */
    private static final double[] WEIGHTS = {0.5, 0.35, 0.67, 0.2, 0.8, 1, 0};

    private static final int GRAINS = 4;
    private static final long MOST_CELLS = 50_000_000;

    private final BoundTimes times;
    private final double[] prices;
    private final Map<Role, int[]> widths = new EnumMap<>(Role.class);
    private final double[] size;
    private final Integer[] order;

    /** Phases of these lengths, and the most per second that their jobs cost. */
    private record Lengths(double from, double to, double worth) {
        double most() {
            return worth / from;
        }
    }

    PhasePriceCheck(BoundTimes times, double[] prices) {
        this.times = times;
        this.prices = prices;
        size = new double[times.jobs];
        order = new Integer[times.jobs];
    }

    /** @return seconds that the prices prove, at most {@code claim}; empty if {@code mustStop} returned true before */
    OptionalDouble seconds(double claim, BooleanSupplier mustStop) {
        double all = Arrays.stream(prices).sum();
        if (!(all > 0)) {
            return OptionalDouble.of(0);
        }
        double allowed = all / (claim * (1 - PlanChecker.TOLERANCE / 2));
        double shortest = Double.POSITIVE_INFINITY;
        for (int j = 0; j < times.jobs; j++) {
            shortest = Math.min(shortest, times.seconds(j, times.slots));
        }
        PriorityQueue<Lengths> open = new PriorityQueue<>(Comparator.comparingDouble(i -> -i.most()));
        double from = shortest * (1 - 1e-12);
        double longest = Math.max(from * NARROW, all / allowed); // longer phases may cost all prices together
        double step = Math.pow(longest / from, 1.0 / INTERVALS);
        for (int i = 0; i < INTERVALS && from < longest; i++) {
            double to = i == INTERVALS - 1 ? longest * NARROW : from * step;
            open.add(new Lengths(from, to, worth(to, from * allowed)));
            from = to;
        }
        while (open.element().most() > allowed) {
            if (mustStop.getAsBoolean()) {
                return OptionalDouble.empty();
            }
            Lengths wide = open.remove();
            if (wide.to() <= wide.from() * NARROW) {
                return OptionalDouble.of(all / wide.most());
            }
            double middle = Math.sqrt(wide.from() * wide.to());
            open.add(new Lengths(wide.from(), middle, worth(middle, wide.from() * allowed)));
            open.add(new Lengths(middle, wide.to(), wide.worth()));
        }
        return OptionalDouble.of(claim);
    }

    /** At least what the jobs of a phase of this length cost; sharper only if it would be more than {@code enough}. */
    private double worth(double seconds, double enough) {
        for (Role role : Role.values()) {
            int most = role == Role.EXTRA ? times.mostExtras() : times.slots;
            int[] ofRole = widths.computeIfAbsent(role, r -> new int[times.jobs]);
            for (int j = 0; j < times.jobs; j++) {
                int vms = times.width(j, seconds, times.factor(j, role));
                ofRole[j] = vms > most ? -1 : vms;
            }
        }
        double least = Double.POSITIVE_INFINITY;
        for (double weight : WEIGHTS) {
            int count = sortBySize(weight);
            least = Math.min(least, inParts(count));
            if (least > enough && (long) count * times.slots * GRAINS <= MOST_CELLS) {
                least = Math.min(least, whole(count));
            }
            if (least <= enough) {
                break;
            }
        }
        return least;
    }

    private int sortBySize(double weight) {
        int[] normal = Objects.requireNonNull(widths.get(Role.NORMAL));
        int[] host = Objects.requireNonNull(widths.get(Role.HOST));
        int[] extra = Objects.requireNonNull(widths.get(Role.EXTRA));
        int count = 0;
        for (int j = 0; j < times.jobs; j++) {
            double shared = Math.min(slots(host[j], weight), slots(extra[j], (1 - weight) * times.slotsPerExtra));
            size[j] = Math.min(slots(normal[j], 1), shared);
            if (size[j] <= times.slots && prices[j] > 0) {
                order[count++] = j;
            }
        }
        Arrays.sort(order, 0, count, Comparator.comparingDouble(j -> size[j] / prices[j]));
        return count;
    }

    private static double slots(int vms, double perVm) {
        return vms < 0 ? Double.POSITIVE_INFINITY : perVm * vms;
    }

    private double inParts(int count) {
        double left = times.slots;
        double worth = 0;
        for (int i = 0; i < count; i++) {
            int j = order[i];
            if (size[j] > left) {
                return worth + prices[j] * left / size[j];
            }
            left -= size[j];
            worth += prices[j];
        }
        return worth;
    }

    private double whole(int count) {
        double[] best = new double[times.slots * GRAINS + 1];
        for (int i = 0; i < count; i++) {
            int j = order[i];
            int takes = (int) Math.floor(size[j] * GRAINS + 1e-9);
            for (int c = best.length - 1; c >= takes; c--) {
                best[c] = Math.max(best[c], best[c - takes] + prices[j]);
            }
        }
        return best[best.length - 1];
    }
}
