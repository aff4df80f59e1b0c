// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Past usage that fades: for each queue or user the resources that it held times the time for which it held them,
 * halved with each half-life. From it follows the factor of the weight of each of some siblings, by the fair-share
 * formula of Slurm's multifactor plug-in: {@code 2^(-U / S)}, where U is the sibling's part of their faded usage, and S
 * its part of their weights. A sibling that has used exactly its share has a half, so equal use leaves the ratios of
 * weights alone.
 *
 * <p>Not safe for several threads.
 */
public final class UsageMemory {
    /** So that nobody starves because of the past. */
    private static final double LEAST_FACTOR = 1.0 / 16;

    /**
     * It is as if all siblings had held the whole cluster for this part of a half-life, each its share: the first
     * minutes of a cluster, and usage that has nearly faded, do not decide.
     */
    private static final double EVEN_START = 0.001;

    /** Amounts are rescaled after so many half-lives, long before they become too large for a double. */
    private static final double RESCALE_AFTER = 64;

    /** What has faded below this time of the whole cluster, in half-lives, is forgotten. */
    private static final double FORGOTTEN = 1e-9;

    private final double halfLifeMillis;
    private final int resources;
    /** Amounts are kept as they would be at this time, so that only new ones must be multiplied. */
    private long originMillis;

    private final Map<String, double[]> amounts = new HashMap<>();

    /**
     * @param halfLifeMillis 1 or more
     * @param resources number of resource types
     */
    public UsageMemory(long halfLifeMillis, int resources, long nowMillis) {
        this.halfLifeMillis = halfLifeMillis;
        this.resources = resources;
        this.originMillis = nowMillis;
    }

    /** Adds what a queue or user has held from one time to another. */
    public void add(String path, long[] held, long fromMillis, long untilMillis) {
        for (int j = 0; j < resources; j++) {
            add(path, j, (double) held[j] * (untilMillis - fromMillis), fromMillis + (untilMillis - fromMillis) / 2);
        }
    }

    /** Adds an amount times milliseconds of one resource, used around a time. */
    public void add(String path, int resource, double amountMillis, long atMillis) {
        if (amountMillis > 0) {
            amounts.computeIfAbsent(path, unknown -> new double[resources])[resource] +=
                    amountMillis * growth(atMillis);
        }
    }

    /** Adds all that another memory of the same half-life and resources knows. */
    public void addAll(UsageMemory other) {
        double growth = growth(other.originMillis);
        other.amounts.forEach((path, more) -> {
            double[] sum = amounts.computeIfAbsent(path, unknown -> new double[resources]);
            for (int j = 0; j < resources; j++) {
                sum[j] += more[j] * growth;
            }
        });
    }

    private double growth(long atMillis) {
        return Math.pow(2, (atMillis - originMillis) / halfLifeMillis);
    }

    /** The faded usage of the dominant resource, in milliseconds of the whole cluster. */
    public double usage(String path, long[] capacity, long nowMillis) {
        double[] amount = amounts.get(path);
        return amount == null ? 0 : dominant(amount, capacity) / growth(nowMillis);
    }

    private static double dominant(double[] amount, long[] capacity) {
        double most = 0;
        for (int j = 0; j < amount.length; j++) {
            most = capacity[j] > 0 ? Math.max(most, amount[j] / capacity[j]) : most;
        }
        return most;
    }

    /**
     * The factors of the weights of siblings, from 1/16 to 1.
     *
     * @param paths one for each sibling
     * @param weights their configured weights, 0 or more; a sibling of weight 0 keeps its weight
     */
    public double[] factors(List<String> paths, double[] weights, long[] capacity, long nowMillis) {
        double start = EVEN_START * halfLifeMillis;
        double[] used = new double[weights.length];
        double usedTogether = start;
        double weightTogether = 0;
        for (int i = 0; i < weights.length; i++) {
            used[i] = usage(paths.get(i), capacity, nowMillis);
            usedTogether += used[i];
            weightTogether += weights[i];
        }
        double[] factors = new double[weights.length];
        for (int i = 0; i < weights.length; i++) {
            double share = weights[i] / weightTogether;
            double part = (used[i] + share * start) / usedTogether;
            factors[i] = weights[i] > 0 ? Math.max(LEAST_FACTOR, Math.pow(2, -part / share)) : 1;
        }
        return factors;
    }

    /** Keeps the amounts small, and forgets what has faded. To be called from time to time. */
    public void tidy(long[] capacity, long nowMillis) {
        double growth = growth(nowMillis);
        amounts.values().removeIf(amount -> dominant(amount, capacity) / growth < FORGOTTEN * halfLifeMillis);
        if (nowMillis - originMillis > RESCALE_AFTER * halfLifeMillis) {
            amounts.values().forEach(amount -> {
                for (int j = 0; j < resources; j++) {
                    amount[j] /= growth;
                }
            });
            originMillis = nowMillis;
        }
    }
}
