// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import java.util.List;
import org.heddle.market.model.status.QueueState;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.policy.WideMath;

/**
 * What queues owe each other because containers are whole and do not end at boundaries. A queue entitled to a tenth of a
 * slot can only hold a container or none; over ten intervals it shall have held one for one of them.
 *
 * <p>At each boundary the slot-time that hungry payers missed is matched with what others had beyond their entitlement:
 * the smaller of the two sums is a debt, divided in proportion on both sides. So use of what nobody wanted is never held
 * against anybody, and debts add up to zero but for those of queues without credit, which owe nothing because they are
 * entitled to nothing. In the next epoch a queue's weight is its entitlement and what it is owed over one interval, or
 * over longer where containers outlive it ({@link ContainerLifetime}).
 */
final class Deficit {
    private Deficit() {}

    /**
     * Settles the epoch that ends. Leaves in {@code repaid} of each queue the slot-time by which its debt or claim became
     * smaller: use that was entitled to, only not in its own interval.
     */
    static void settle(List<QueueMeter> queues, MarketTerms terms) {
        if (terms.carryIntervals() == 0) {
            return;
        }
        long missed = 0;
        long beyond = 0;
        for (QueueMeter queue : queues) {
            missed = WideMath.saturatedAdd(missed, missed(queue));
            beyond = WideMath.saturatedAdd(beyond, beyond(queue));
        }
        long owed = Math.min(missed, beyond);
        for (QueueMeter queue : queues) {
            long delta = owed == 0
                    ? 0
                    : WideMath.share(missed(queue), owed, missed) - WideMath.share(beyond(queue), owed, beyond);
            queue.repaid = apply(queue, delta, terms);
        }
    }

    private static long apply(QueueMeter queue, long delta, MarketTerms terms) {
        if (queue.state != QueueState.PAYING) {
            queue.carry = Math.min(queue.carry, 0);
            return 0;
        }
        long before = queue.carry;
        long limit = queue.carryLimit(terms);
        queue.carry = Math.max(-limit, Math.min(limit, before + delta));
        if (!queue.isHungry()) {
            queue.carry = Math.min(queue.carry, 0);
        }
        boolean smaller = before < 0 ? delta > 0 : delta < 0;
        return smaller ? Math.min(Math.abs(before), Math.abs(delta)) : 0;
    }

    private static long missed(QueueMeter queue) {
        return queue.state == QueueState.PAYING && queue.isHungry()
                ? Math.max(
                        0,
                        queue.entitledTime().nanoSlotMillis() - queue.usedTime().nanoSlotMillis())
                : 0;
    }

    private static long beyond(QueueMeter queue) {
        return Math.max(
                0, queue.usedTime().nanoSlotMillis() - queue.entitledTime().nanoSlotMillis());
    }
}
