// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.status;

import java.time.Duration;
import java.util.Optional;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.Share;
import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.amount.SpendingRate;

/**
 * One queue at one moment: the paper's five numbers and the values from which they follow.
 *
 * @param name the queue's path without {@code root.}
 * @param budget its balance in the ledger; never negative
 * @param rate its spending rate; applies from the next epoch on
 * @param effectiveRate the rate that it pays in this epoch; 0 if it does not pay
 * @param share part of the cluster to which it is entitled in this epoch
 * @param entitled slots to which it is entitled now
 * @param wholeSlots the same in whole slots, which add up to those of the cluster (largest remainder, ties by name)
 * @param used slots in use now
 * @param usedContainers running containers
 * @param pendingContainers requested containers
 * @param state its state in this epoch
 * @param accrued its cost in this epoch so far; not in the ledger yet
 * @param runway the time for which its balance lasts at the present use and rate; empty if it lasts forever
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
