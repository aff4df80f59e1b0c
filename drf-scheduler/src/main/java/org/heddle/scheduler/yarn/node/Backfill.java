// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import org.heddle.scheduler.yarn.app.Ask;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.jspecify.annotations.Nullable;

/**
 * Which containers may use the free room of a reserved node: those that are expected to end before the reserved ask can
 * have what it needs (EASY backfilling; Lifka, "The ANL/IBM SP Scheduling System", 1995). ApplicationMasters live as
 * long as their application and may not. Guarded by the scheduler's lock.
 */
final class Backfill {
    private final RoomForecast forecast;
    private @Nullable HeddleNode node;
    private long millis;

    Backfill(RoomForecast forecast) {
        this.forecast = forecast;
    }

    /** Begins the offer of a reserved node, on which the reserved ask is expected to have room after this time. */
    void begin(HeddleNode reserved, long waitMillis) {
        node = reserved;
        millis = waitMillis;
    }

    void end() {
        node = null;
    }

    /** Whether a container of an application may use the free room, although the node is reserved. */
    boolean admits(HeddleAttempt attempt, Ask ask, HeddleNode offered) {
        if (!offered.equals(node) || attempt.awaitsMaster()) {
            return false;
        }
        long lifetime = forecast.lifetimeMillis(
                attempt.getQueueName(), ask.key().getPriority().getPriority());
        return lifetime > 0 && lifetime <= millis;
    }
}
