// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.status;

import java.time.Duration;
import java.util.Optional;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.Share;
import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.amount.SpendingRate;

/**
 * One queue at one instant: the paper's five numbers and what they follow from.
 *
 * @param name as the market calls it: the queue's path without {@code root.}
 * @param budget its balance in the books; never negative
 * @param rate the spending rate that it has asked for; counts from the next epoch on
 * @param effectiveRate the rate at which it pays in this epoch; 0 if it does not pay
 * @param share part of the cluster that it is entitled to in this epoch
 * @param entitled slots that it is entitled to now
 * @param wholeSlots the same in whole slots, all queues' adding up to the cluster's (largest remainder, ties by name)
 * @param used slots that it uses now
 * @param usedContainers containers that it holds
 * @param pendingContainers containers that it waits for
 * @param state how it stands in this epoch
 * @param accrued what this epoch has cost it so far; not in the books yet
 * @param runway how long its balance lasts at the present use and rate; empty if it lasts for ever
 */
public record QueueStatus(
        String name,
        Credits budget,
        SpendingRate rate,
        SpendingRate effectiveRate,
        Share share,
        Slots entitled,
        long wholeSlots,
        Slots used,
        long usedContainers,
        long pendingContainers,
        QueueState state,
        Credits accrued,
        Optional<Duration> runway) {}
