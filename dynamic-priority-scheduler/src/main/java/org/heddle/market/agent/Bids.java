// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.agent;

import java.util.List;
import org.heddle.market.quote.SlotPrice;

/** Bids that do not follow from the work that is left, and what the others' rates of the past are worth. */
final class Bids {
    /** With rate 0 an account does not pay, and its jobs wait behind all others. Where nobody pays, this has it all. */
    static final double LEAST = 1e-6;

    /** Part of the cluster that is bought for a job that shows no progress yet. */
    private static final double FIRST_PART = 0.1;

    /** A step up or down by this factor, which lasts for this number of epochs, makes the time before it worthless. */
    private static final double STEP = 2;

    private static final int LASTS = 5;

    private Bids() {}

    /** Enough for the master and the first tasks: without a rate nothing starts, and there is no progress. */
    static double first(MarketView market, JobProgress job) {
        double most = Math.max(market.containerSlots(), FIRST_PART * market.capacity());
        double slots = Math.min(Math.max(1, job.width()), Math.min(most, market.capacity() / 2));
        return Math.max(LEAST, SlotPrice.rateFor(slots, market.others(), market.capacity()));
    }

    /**
     * What the others paid since the last lasting step: at least {@value #LASTS} values that are all beyond those
     * before it. All values if there is none.
     */
    static List<Double> sinceTheLastStep(List<Double> past) {
        int n = past.size();
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (int i = n - 1; i >= LASTS; i--) {
            least = Math.min(least, past.get(i));
            most = Math.max(most, past.get(i));
            if (n - i >= LASTS && isStep(past.subList(i - LASTS, i), least, most)) {
                return past.subList(i, n);
            }
        }
        return past;
    }

    private static boolean isStep(List<Double> before, double least, double most) {
        double high = before.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        double low = before.stream().mapToDouble(Double::doubleValue).min().orElse(0);
        return least > STEP * high || most < low / STEP;
    }
}
