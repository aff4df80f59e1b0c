// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.agent;

import java.util.List;

/** Decides about a rate. Pure: the same input gives the same answer. */
public interface RateStrategy {
    /**
     * @param others what the other accounts paid in the past, one value for each epoch or so
     */
    RateDecision decide(MarketView market, JobProgress job, List<Double> others);

    /** The highest rate that the money allows now, whatever the job does. */
    double limit(MarketView market);

    /** The time after which an agent does not wait for a job that has not come, by the market's clock. */
    long untilMillis();

    /** A rate below the limit that the money allows for several epochs, so that it need not be changed in each. */
    double steady(MarketView market);
}
