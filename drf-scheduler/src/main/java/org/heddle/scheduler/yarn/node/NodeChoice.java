// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.yarn.app.Ask;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.jspecify.annotations.Nullable;

/** The best node for an ask among those that had a heartbeat in a round. Guarded by the scheduler's lock. */
final class NodeChoice {
    private final HeddleAttempt attempt;
    private final SchedulerRequestKey key;
    private final long round;
    private @Nullable HeddleNode best;
    private long waitMillis = RoomForecast.NEVER;
    private int looks;

    NodeChoice(HeddleAttempt attempt, Ask ask, long round) {
        this.attempt = attempt;
        this.key = ask.key();
        this.round = round;
    }

    boolean isFor(HeddleAttempt other, Ask ask) {
        return attempt.equals(other) && key.equals(ask.key());
    }

    void look(HeddleNode node, long nodeWaitMillis) {
        looks++;
        if (best == null || nodeWaitMillis < waitMillis) {
            best = node;
            waitMillis = nodeWaitMillis;
        }
    }

    @Nullable
    HeddleNode best() {
        return best;
    }

    int looks() {
        return looks;
    }

    /** The engine's round in which it began. */
    long round() {
        return round;
    }
}
