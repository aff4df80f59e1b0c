// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.status;

import java.time.Instant;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.terms.MarketTerms;

/**
 * The market as a whole at one moment.
 *
 * @param terms its rules
 * @param epoch number of the present epoch; grows by one each interval over restarts and leaders
 * @param epochStart its start, wall clock
 * @param nextEpoch due time of the next one, wall clock
 * @param now wall clock
 * @param price sum of the spending rates of the queues that pay, credits for one slot and rate unit
 * @param capacity slots of the cluster
 * @param used slots in use by all queues
 * @param moneySupply sum of all queues' balances
 * @param revenue sum of all charges since the ledger was created
 * @param queues number of queues
 * @param store whether the ledger can be written
 * @param storeProblem one sentence while it cannot; empty otherwise
 * @param unmeasured one sentence if no market measured the time before this process's start; empty otherwise, and a day
 *     later
 * @param unbilledEpochs epochs since the start of this process that were not charged because it does not lead any more
 * @param waste what preemption cost since the start of this process
 */
public record MarketStatus(
        MarketTerms terms,
        long epoch,
        Instant epochStart,
        Instant nextEpoch,
        Instant now,
        SpendingRate price,
        Slots capacity,
        Slots used,
        Credits moneySupply,
        Credits revenue,
        int queues,
        StoreState store,
        String storeProblem,
        String unmeasured,
        long unbilledEpochs,
        PreemptionWaste waste) {}
