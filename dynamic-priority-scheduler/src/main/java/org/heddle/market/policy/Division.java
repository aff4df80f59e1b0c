// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.policy;

import org.heddle.market.model.amount.Share;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.status.QueueState;

/**
 * The division of the cluster in one epoch. Index i is that of the bid.
 *
 * @param price sum of the rates of the queues that pay
 * @param capacity nano-slots of the cluster
 * @param state of each queue
 * @param weight part of {@code whole} to which a queue is entitled
 * @param whole sum of the weights: the price if each queue can pay for all slots of its share, else the capacity
 */
public record Division(long price, long capacity, QueueState[] state, long[] weight, long whole) {
    /** An empty cluster without queues. */
    public static final Division EMPTY = new Division(0, 0, new QueueState[0], new long[0], 0);

    public SpendingRate priceRate() {
        return new SpendingRate(price);
    }

    public Share share(int i) {
        return weight[i] == 0 ? Share.NONE : new Share(weight[i], whole);
    }

    /** Nano-slots of a queue in a cluster of a given size, rounded down. */
    public long entitled(int i, long capacityNow) {
        return weight[i] == 0 ? 0 : WideMath.mulDiv(weight[i], capacityNow, whole);
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
