// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import java.util.List;
import org.heddle.market.model.status.QueueState;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.policy.WideMath;

/**
 * Deficits between queues, which arise because containers are whole and do not end with an epoch. A queue that is
 * entitled to a tenth of a slot can only hold one container or none; in ten intervals it should hold one for one
 * interval.
 *
 * <p>At the end of an epoch, the slot-time that paying queues with pending requests missed is compared with the
 * slot-time that others used beyond their entitlement. The smaller of the two sums is divided in proportion on both
 * sides. So a queue never repays use of capacity that no other queue wanted, and all deficits add up to zero, except
 * those of queues without credit: these are entitled to nothing and repay nothing. In the next epoch a queue's weight
 * is its entitlement plus its deficit over one interval, or over a longer time if containers outlive the interval
 * ({@link ContainerLifetime}).
 */
final class Deficit {
    private Deficit() {}

    /**
     * Updates the deficits at the end of an epoch. Sets {@code repaid} of each queue to the slot-time by which its
     * deficit or surplus shrank: use that the queue was entitled to, but in another interval.
     */
    static void settle(List<QueueMeter> queues, MarketTerms terms) {
        if (terms.maxDeficitIntervals() == 0) {
            return;
        }
        long missed = 0;
        long beyond = 0;
        for (QueueMeter queue : queues) {
            missed = WideMath.saturatedAdd(missed, missed(queue));
            beyond = WideMath.saturatedAdd(beyond, beyond(queue));
        }
        long moved = Math.min(missed, beyond);
        for (QueueMeter queue : queues) {
            long delta = moved == 0
                    ? 0
                    : WideMath.share(missed(queue), moved, missed) - WideMath.share(beyond(queue), moved, beyond);
            queue.repaid = apply(queue, delta, terms);
        }
    }

    private static long apply(QueueMeter queue, long delta, MarketTerms terms) {
        if (queue.state != QueueState.PAYING) {
            queue.deficit = Math.min(queue.deficit, 0);
            return 0;
        }
        long before = queue.deficit;
        long limit = queue.deficitLimit(terms);
        queue.deficit = Math.max(-limit, Math.min(limit, before + delta));
        if (!queue.hasPending()) {
            queue.deficit = Math.min(queue.deficit, 0);
        }
        boolean smaller = before < 0 ? delta > 0 : delta < 0;
        return smaller ? Math.min(Math.abs(before), Math.abs(delta)) : 0;
    }

    private static long missed(QueueMeter queue) {
        return queue.state == QueueState.PAYING && queue.hasPending()
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
