// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.federation;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.LUDecomposition;
import org.apache.commons.math3.linear.RealMatrix;

/**
 * Spreads amounts over sub-clusters so that nothing exceeds a sub-cluster's capacity, if that is possible: of all such
 * spreads the one that is nearest to the sizes of the sub-clusters, in the sense of relative entropy. Every resource of
 * every sub-cluster has a price, and an amount is drawn to a sub-cluster by its size there times exp(-price). The right
 * prices are the maximum of the dual problem, which is concave and has few variables; Newton's method finds it (Boyd
 * and Vandenberghe, Convex Optimization, chapters 5 and 9). Where the amounts do not fit, the dual value grows without
 * a bound; as soon as it is larger than the entropy of any spread, that is proven.
 *
 * <p>All amounts are parts of the whole federation: 0.25 of a dominant resource, for example. Not for concurrent use.
 */
final class Placement {
    /** By which part of a sub-cluster a result may be over what was allowed. */
    static final double EXACT = 1e-5;
    /** A resource with a price is full but for this part. */
    private static final double FULL = 0.002;

    private static final int MOST_STEPS = 300;
    /** How far a price may move in the first step. */
    private static final double FIRST_STEP = 4;
    /** A step is taken if the dual value grows by this part of what its slope promises. */
    private static final double PROMISED = 1e-4;

    private static final double SHORTEST_STEP = 1e-9;
    /** Added to the second derivatives: without it, prices that all rise by the same amount may change nothing. */
    private static final double DAMPING = 1e-9;

    private static final double NEARLY = 1 - 1e-6;

    private final double[][] direction;
    private final double[][] most;
    private final double[][] capacity;
    private final int resources;
    /** By amount and sub-cluster: the logarithm of what an empty one holds; -infinity where the amount may not be. */
    private final double[][] logSize;

    private final double[][] placed;
    /** By sub-cluster, and there by resource. */
    private final double[] price;
    /** What is placed beyond what is allowed, in the order of the prices: the slope of the dual value. */
    private final double[] excess;

    /**
     * @param direction by amount and resource: what one unit of the amount needs; the largest is 1
     * @param most by amount and sub-cluster: the most that may be there; 0 if it may not be there at all
     * @param capacity by sub-cluster and resource
     */
    Placement(double[][] direction, double[][] most, double[][] capacity) {
        this.direction = direction;
        this.most = most;
        this.capacity = capacity;
        resources = capacity.length == 0 ? 0 : capacity[0].length;
        price = new double[capacity.length * resources];
        excess = new double[price.length];
        placed = new double[direction.length][capacity.length];
        logSize = new double[direction.length][capacity.length];
        for (int i = 0; i < direction.length; i++) {
            for (int s = 0; s < capacity.length; s++) {
                logSize[i][s] = Math.log(most[i][s] > 0 ? room(direction[i], capacity[s]) : 0);
            }
        }
    }

    /** How much of a direction an empty sub-cluster holds. */
    private static double room(double[] direction, double[] capacity) {
        double room = Double.POSITIVE_INFINITY;
        for (int r = 0; r < direction.length; r++) {
            if (direction[r] > 0) {
                room = Math.min(room, capacity[r] / direction[r]);
            }
        }
        return Double.isInfinite(room) ? 0 : room;
    }

    /**
     * Places these amounts, if that is possible; {@link #placed} says how.
     *
     * @param over the part by which a sub-cluster may be over its capacity
     */
    boolean place(double[] amounts, double over) {
        Arrays.fill(price, 0);
        double largest = largestEntropy(amounts);
        double longest = FIRST_STEP;
        double value = spread(amounts, over);
        for (int k = 0; k < MOST_STEPS && value <= largest; k++) {
            if (isRight()) {
                return true;
            }
            double[] before = price.clone();
            double[] slope = excess.clone();
            double[] step = step(longest);
            double part = 1;
            double promise = move(before, step, part, slope);
            double next = spread(amounts, over);
            while (next < value + PROMISED * promise && part > SHORTEST_STEP) {
                part /= 4;
                promise = move(before, step, part, slope);
                next = spread(amounts, over);
            }
            longest = part == 1 ? longest * 2 : Math.max(FIRST_STEP, longest / 2);
            value = next;
        }
        return false;
    }

    /** More than the relative entropy of any spread: it is convex, so none has more than one of its corners. */
    private double largestEntropy(double[] amounts) {
        double sum = 1;
        for (int i = 0; i < amounts.length; i++) {
            double least = 0;
            for (double size : logSize[i]) {
                least = size > Double.NEGATIVE_INFINITY ? Math.min(least, size) : least;
            }
            sum += amounts[i] > 0 ? amounts[i] * (Math.log(amounts[i]) - least) : 0;
        }
        return sum;
    }

    /** Moves the prices, none below 0; returns by how much the dual value would grow if its slope stayed. */
    private double move(double[] before, double[] step, double part, double[] slope) {
        double promise = 0;
        for (int j = 0; j < price.length; j++) {
            price[j] = Math.max(0, before[j] + part * step[j]);
            promise += slope[j] * (price[j] - before[j]);
        }
        return promise;
    }

    /** Places by the present prices; returns the dual value, infinite if an amount has no room under its bounds. */
    private double spread(double[] amounts, double over) {
        double value = 0;
        for (int j = 0; j < excess.length; j++) {
            excess[j] = -capacity[j / resources][j % resources] * (1 + over);
        }
        for (int i = 0; i < amounts.length; i++) {
            double[] draw = new double[capacity.length];
            for (int s = 0; s < draw.length; s++) {
                draw[s] = logSize[i][s] - cost(i, s);
            }
            if (fill(placed[i], amounts[i], draw, most[i]) > EXACT * amounts[i]) {
                return Double.POSITIVE_INFINITY;
            }
            for (int s = 0; s < draw.length; s++) {
                double here = placed[i][s];
                value += here > 0 ? here * (Math.log(here) - logSize[i][s]) : 0;
                for (int r = 0; r < resources; r++) {
                    excess[s * resources + r] += here * direction[i][r];
                }
            }
        }
        for (int j = 0; j < price.length; j++) {
            value += price[j] * excess[j];
        }
        return value;
    }

    /** What one unit of an amount costs in a sub-cluster. */
    private double cost(int amount, int cluster) {
        double cost = 0;
        for (int r = 0; r < resources; r++) {
            cost += price[cluster * resources + r] * direction[amount][r];
        }
        return cost;
    }

    /** Divides an amount by exp(draw), none more than its bound; returns what found no room. */
    private static double fill(double[] placed, double amount, double[] draw, double[] most) {
        Arrays.fill(placed, 0);
        double left = amount;
        while (left > 0) {
            double strongest = Double.NEGATIVE_INFINITY;
            for (int s = 0; s < placed.length; s++) {
                strongest = placed[s] < most[s] ? Math.max(strongest, draw[s]) : strongest;
            }
            if (strongest == Double.NEGATIVE_INFINITY) {
                return left;
            }
            double all = 0;
            for (int s = 0; s < placed.length; s++) {
                all += placed[s] < most[s] ? Math.exp(draw[s] - strongest) : 0;
            }
            double tooMuch = 0;
            for (int s = 0; s < placed.length; s++) {
                if (placed[s] < most[s]) {
                    double wanted = placed[s] + left * Math.exp(draw[s] - strongest) / all;
                    placed[s] = Math.min(wanted, most[s]);
                    tooMuch += wanted - placed[s];
                }
            }
            left = tooMuch;
        }
        return 0;
    }

    /** Whether nothing is crowded, and only what is full has a price. */
    private boolean isRight() {
        for (int j = 0; j < excess.length; j++) {
            double room = capacity[j / resources][j % resources];
            if (excess[j] > EXACT * room || (price[j] > 0 && excess[j] < -FULL * room)) {
                return false;
            }
        }
        return true;
    }

    /** Newton's step of the prices, but for those that are 0 and would fall. */
    private double[] step(double longest) {
        int[] moving = IntStream.range(0, price.length)
                .filter(j -> price[j] > 0 || excess[j] > 0)
                .toArray();
        RealMatrix curvature = curvature(moving);
        double[] slope = new double[moving.length];
        for (int m = 0; m < moving.length; m++) {
            slope[m] = excess[moving[m]];
            curvature.addToEntry(m, m, DAMPING);
        }
        double[] found = new LUDecomposition(curvature, 0)
                .getSolver()
                .solve(new ArrayRealVector(slope, false))
                .toArray();
        double farthest = Arrays.stream(found).map(Math::abs).max().orElse(0);
        double[] step = new double[price.length];
        for (int m = 0; m < moving.length; m++) {
            step[moving[m]] = found[m] * Math.min(1, longest / farthest);
        }
        return step;
    }

    /**
     * The second derivatives of the dual value, with the other sign: how much less is placed of one if the price of
     * another rises.
     */
    private RealMatrix curvature(int[] moving) {
        double[][] sum = new double[moving.length][moving.length];
        for (int i = 0; i < placed.length; i++) {
            double free = 0;
            double[] needs = new double[moving.length];
            for (int s = 0; s < capacity.length; s++) {
                free += placed[i][s] < most[i][s] ? placed[i][s] : 0;
            }
            for (int m = 0; m < moving.length; m++) {
                int s = moving[m] / resources;
                needs[m] = placed[i][s] < most[i][s] ? placed[i][s] * direction[i][moving[m] % resources] : 0;
            }
            for (int m = 0; m < moving.length && free > 0; m++) {
                for (int n = 0; n < moving.length && needs[m] > 0; n++) {
                    boolean same = moving[m] / resources == moving[n] / resources;
                    sum[m][n] += needs[m] * ((same ? direction[i][moving[n] % resources] : 0) - needs[n] / free);
                }
            }
        }
        return new Array2DRowRealMatrix(sum, false);
    }

    /** How much of an amount is in a sub-cluster. */
    double placed(int amount, int cluster) {
        return placed[amount][cluster];
    }

    /**
     * After amounts that could not be placed: what more of this amount costs where it is cheapest, as a part of the
     * highest price. The resources that are the reason have very high prices, so who could be elsewhere pays nearly
     * nothing. Infinite if the amount is at all its bounds.
     */
    double cheapest(int amount) {
        double highest = Arrays.stream(price).max().orElse(0);
        double least = Double.POSITIVE_INFINITY;
        for (int s = 0; s < capacity.length; s++) {
            if (logSize[amount][s] > Double.NEGATIVE_INFINITY && placed[amount][s] < most[amount][s] * NEARLY) {
                least = Math.min(least, highest > 0 ? cost(amount, s) / highest : 0);
            }
        }
        return least;
    }
}
