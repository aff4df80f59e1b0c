// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.malleable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.heddle.packing.model.Role;
import org.heddle.packing.model.RuntimeModel;
import org.heddle.packing.solve.JobTable;

/**
 * The pricing problem of malleable plans: with a price per job, which mix of VM counts and roles earns
 * most per second? The two capacity rules are added up with a weight and relaxed with a price per slot,
 * which bounds the earnings from above; a mix near the optimum of the relaxation is repaired and filled
 * up. Without overcommit and with concave speeds that is exact.
 */
final class MixPricing {
    private static final double[] WEIGHTS = {0.5, 0.25, 0.4, 0.6, 0.667, 0.75, 0.9, 0.1};

    private final JobTable table;
    private final SpeedHull[] hulls;
    private final boolean overcommit;

    MixPricing(JobTable table) {
        this.table = table;
        hulls = new SpeedHull[table.jobs];
        Map<RuntimeModel, SpeedHull> known = new HashMap<>();
        boolean hosts = false;
        for (int j = 0; j < table.jobs; j++) {
            int job = j;
            hosts |= table.mayHost(j);
            hulls[j] = known.computeIfAbsent(table.problem.jobs().get(j).model(), m -> new SpeedHull(table, job));
        }
        overcommit = hosts;
    }

    /** A bound on all malleable plans. */
    HullBound hullBound() {
        return new HullBound(table, hulls, overcommit);
    }

    /**
     * What one relaxation found, and the price of a slot and the weight of the rules with which it bounds the earnings.
     */
    private record Relaxed(double most, Mix mix, double perSlot, double weight) {}

    /**
     * @param most an upper bound on the earnings per second of every mix
     * @param mixes good mixes
     * @param perSlot the price of a slot that shows the bound; NaN if a search over all mixes shows it
     * @param weight the part of a slot that a host counts there
     */
    record Answer(double most, List<Mix> mixes, double perSlot, double weight) {}

    Answer best(double[] prices) {
        List<Mix> mixes = new ArrayList<>();
        Relaxed plain = relax(prices, Double.NaN);
        mixes.add(plain.mix());
        if (!overcommit) {
            return new Answer(plain.most(), mixes, plain.perSlot(), WEIGHTS[0]);
        }
        Relaxed least = null;
        for (double weight : WEIGHTS) {
            Relaxed relaxed = relax(prices, weight);
            least = least == null || relaxed.most() < least.most() ? relaxed : least;
            mixes.add(relaxed.mix());
        }
        Relaxed best = Objects.requireNonNull(least);
        double most = Math.max(best.most(), plain.mix().earns(table, prices));
        return new Answer(most, mixes, best.perSlot(), best.weight());
    }

    /** A NaN weight stands for: normal jobs only. */
    private Relaxed relax(double[] prices, double weight) {
        double low = 0;
        double high = 0;
        for (int j = 0; j < table.jobs; j++) {
            double cheapest = Double.isNaN(weight) ? 1 : Math.min(weight, (1 - weight) * table.slotsPerExtra);
            high = Math.max(high, prices[j] * hulls[j].steepest() / Math.min(1, cheapest));
        }
        high = high * 1.01 + 1e-300;
        Mix mix = new Mix(table.jobs);
        double most = Double.POSITIVE_INFINITY;
        double perSlot = 0;
        for (int i = 0; i < 60; i++) {
            double price = (low + high) / 2;
            Mix candidate = new Mix(table.jobs);
            double taken = fill(prices, weight, price, candidate);
            double earns = price * table.slots + surplus(prices, weight, price);
            if (earns < most) {
                most = earns;
                perSlot = price;
            }
            if (taken <= table.slots) {
                high = price;
                mix = candidate;
            } else {
                low = price;
            }
        }
        mix.repair(table);
        mix.fillUp(table, prices);
        return new Relaxed(most, mix, perSlot, weight);
    }

    private double fill(double[] prices, double weight, double price, Mix candidate) {
        double taken = 0;
        for (int j = 0; j < table.jobs; j++) {
            double best = 0;
            double bestTakes = 0;
            for (Role role : Role.values()) {
                if (prices[j] <= 0 || !table.mayBe(j, role) || (role != Role.NORMAL && Double.isNaN(weight))) {
                    continue;
                }
                double factor = table.leastFactor(j, role);
                double perVm = perVm(role, weight);
                int width = hulls[j].best(price * perVm * factor / prices[j]);
                if (role == Role.EXTRA && width > table.mostExtras()) {
                    width = table.mostExtras();
                }
                double gain = width == 0 ? 0 : prices[j] / (factor * table.seconds(j, width)) - price * perVm * width;
                if (gain > best) {
                    best = gain;
                    bestTakes = perVm * width;
                    candidate.widths[j] = width;
                    candidate.roles[j] = role;
                }
            }
            taken += bestTakes;
        }
        return taken;
    }

    private double surplus(double[] prices, double weight, double price) {
        double sum = 0;
        for (int j = 0; j < table.jobs; j++) {
            double best = 0;
            for (Role role : Role.values()) {
                if (prices[j] > 0 && table.mayBe(j, role) && (role == Role.NORMAL || !Double.isNaN(weight))) {
                    double factor = table.leastFactor(j, role);
                    double perVm = perVm(role, weight);
                    int width = hulls[j].best(price * perVm * factor / prices[j]);
                    if (width > 0) {
                        best = Math.max(best, prices[j] / (factor * table.seconds(j, width)) - price * perVm * width);
                    }
                }
            }
            sum += best;
        }
        return sum;
    }

    private double perVm(Role role, double weight) {
        return switch (role) {
            case NORMAL -> 1;
            case HOST -> weight;
            case EXTRA -> (1 - weight) * table.slotsPerExtra;
        };
    }
}
