// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.malleable;

import java.util.Arrays;
import java.util.List;
import org.heddle.packing.model.Certificate;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.SolveContext;
import org.jspecify.annotations.Nullable;

/**
 * The rounds of the column generation: prices of the jobs from the master problem, good mixes for them from
 * {@link MixPricing}, and from {@link ExactMixPricing} on small clusters once the former finds no further mix. The
 * prices are smoothed with those of the best bound, because a master problem with many equal solutions changes its
 * prices in jumps; every fourth round uses its own prices.
 */
final class ColumnRounds {
    private static final int MOST_IDLE = 60;
    private static final int PLAIN_EVERY = 4;
    private static final double SMOOTH = 0.7;

    private final JobTable table;
    private final MixMaster master;
    private final MixPricing pricing;
    private final SolveContext context;
    private @Nullable Certificate certificate;
    private double certified;

    ColumnRounds(JobTable table, MixMaster master, MixPricing pricing, SolveContext context) {
        this.table = table;
        this.master = master;
        this.pricing = pricing;
        this.context = context;
    }

    /**
     * Shortens the plan of the master problem until its mixes are optimal, the gap is closed or the time is over.
     *
     * @param known a lower bound, seconds
     * @param rigid makespan of a known plan, seconds
     * @return the best lower bound, seconds
     */
    double raise(double known, double rigid) {
        ExactMixPricing exact = ExactMixPricing.of(table);
        double bound = known;
        double[] center = {};
        master.solve();
        double best = master.makespan();
        int idle = 0;
        for (int round = 0; idle < MOST_IDLE && !context.mustStop() && !context.goodEnough(); round++) {
            boolean plain = center.length == 0 || round % PLAIN_EVERY == PLAIN_EVERY - 1;
            double[] prices = master.prices();
            for (int j = 0; j < prices.length && !plain; j++) {
                prices[j] = SMOOTH * center[j] + (1 - SMOOTH) * prices[j];
            }
            MixPricing.Answer answer = pricing.best(prices);
            double proven = bound(prices, answer, bound);
            boolean entered = enter(answer);
            if (!entered && plain && exact != null) {
                answer = exact.best(prices);
                proven = Math.max(proven, bound(prices, answer, bound));
                entered = enter(answer);
            }
            if (!entered && plain) {
                idle = MOST_IDLE;
            }
            if (proven > bound || center.length == 0) {
                center = prices;
            }
            boolean better = proven > bound * (1 + 1e-9) || master.makespan() < best * (1 - 1e-9);
            bound = Math.max(bound, proven);
            best = Math.min(best, master.makespan());
            idle = better ? 0 : idle + 1;
            context.report(Math.min(rigid, best), bound);
        }
        master.solve();
        return bound;
    }

    /** Proves the bound; null if it is the known one. After {@link #raise}. */
    @Nullable
    Certificate certificate() {
        return certificate;
    }

    private double bound(double[] prices, MixPricing.Answer answer, double known) {
        double most = Math.max(answer.most(), 1e-300);
        double bound = Arrays.stream(prices).sum() / most;
        if (bound > Math.max(known, certified)) {
            certified = bound;
            List<Double> ofJobs = Arrays.stream(prices).mapToObj(p -> p / most).toList();
            if (Double.isNaN(answer.perSlot())) {
                certificate = Certificate.of(Certificate.Kind.MIX_PRICES, ofJobs);
            } else {
                double perSlot = answer.perSlot() / most;
                certificate = new Certificate(Certificate.Kind.MIX_PRICES, ofJobs, perSlot, answer.weight());
            }
        }
        return bound;
    }

    private boolean enter(MixPricing.Answer answer) {
        boolean entered = false;
        for (Mix mix : answer.mixes()) {
            entered |= master.offer(mix);
        }
        return entered;
    }
}
