// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.status;

import java.time.Duration;
import java.util.Optional;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.Share;

/**
 * Answer to a {@link QuoteRequest}, from the market's simulator: the present bids going on, and the price of others
 * varied as the history says.
 *
 * @param share share of the cluster at the next epoch if everybody else stays
 * @param cost credits, in the middle case
 * @param leastCost in the good case (one in twenty is better)
 * @param mostCost in the bad case (one in twenty is worse)
 * @param duration from the next epoch to the end of the work, in the middle case; empty if it would not end within the
 *     horizon
 * @param shortest in the good case
 * @param longest in the bad case
 * @param affordable the balance covers the bad case
 * @param pricesSeen how many epochs of history the range rests on; few mean a poor range
 */
public record Quote(
        Share share,
        Credits cost,
        Credits leastCost,
        Credits mostCost,
        Optional<Duration> duration,
        Optional<Duration> shortest,
        Optional<Duration> longest,
        boolean affordable,
        int pricesSeen) {}
