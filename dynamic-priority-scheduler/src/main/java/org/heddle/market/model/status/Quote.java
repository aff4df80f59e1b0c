// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.status;

import java.time.Duration;
import java.util.Optional;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.Share;
import org.heddle.market.model.amount.SpendingRate;

/**
 * Answer to a {@link QuoteRequest}. It assumes that the other queues pay what they paid in the price history.
 *
 * @param share share of the cluster in the next epoch if no other bid changes
 * @param cost credits, in the middle case
 * @param leastCost in the good case (one in twenty is better)
 * @param mostCost in the bad case (one in twenty is worse)
 * @param duration from the next epoch to the end of the work, in the middle case; empty if it does not end within the
 *     horizon
 * @param shortest in the good case
 * @param longest in the bad case
 * @param affordable whether the balance covers the bad case
 * @param neededRate the smallest rate whose bad case ends within the requested time; empty if none was requested, or if
 *     no rate that the market takes is enough
 * @param pricesSeen number of epochs in the history; the range of a quote is poor if there are few
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
        Optional<SpendingRate> neededRate,
        int pricesSeen) {}
