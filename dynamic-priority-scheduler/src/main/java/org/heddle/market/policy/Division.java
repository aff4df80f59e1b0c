// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.policy;

import org.heddle.market.model.amount.Share;
import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.status.QueueState;

/**
 * How the cluster is divided in one epoch. Index i is that of the bid.
 *
 * @param price sum of the rates of those who pay
 * @param capacity nano-slots that were divided
 * @param state who pays, and why others do not
 * @param weight part of {@code whole} that a queue is entitled to
 * @param whole what the weights are parts of: the price while everybody can pay for all that his rate buys, else the
 *     capacity
 */
public record Division(long price, long capacity, QueueState[] state, long[] weight, long whole) {
    /** Nothing divided among nobody. */
    public static final Division EMPTY = new Division(0, 0, new QueueState[0], new long[0], 0);

    public SpendingRate priceRate() {
        return new SpendingRate(price);
    }

    public Share share(int i) {
        return weight[i] == 0 ? Share.NONE : new Share(weight[i], whole);
    }

    /** Nano-slots that a queue is entitled to of a cluster with so many, rounded down. */
    public long entitled(int i, long capacityNow) {
        return weight[i] == 0 ? 0 : WideMath.mulDiv(weight[i], capacityNow, whole);
    }

    public Slots entitledSlots(int i) {
        return new Slots(entitled(i, capacity));
    }

    public int paying() {
        int count = 0;
        for (QueueState each : state) {
            if (each == QueueState.PAYING) {
                count++;
            }
        }
        return count;
    }
}
