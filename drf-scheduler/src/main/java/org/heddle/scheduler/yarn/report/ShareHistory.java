// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.report;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.policy.DominantShare;
import org.heddle.scheduler.snapshot.History;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.heddle.settings.Clocks;

/** The shares of at most 100 queues in the last hour: one sample every five seconds, taken by the update thread. */
public final class ShareHistory {
    private static final long EVERY_MILLIS = 5_000;
    private static final int MOST_SAMPLES = 720;
    private static final int MOST_QUEUES = 100;

    private final ShareEngine engine;

    /** Their times are those of the monotonic clock. */
    @GuardedBy("this")
    private final Deque<History.Sample> samples = new ArrayDeque<>();

    @GuardedBy("this")
    private long lastMillis;

    public ShareHistory(ShareEngine engine) {
        this.engine = engine;
    }

    /** Takes a sample if it is time; under the scheduler's lock. */
    synchronized void sample(QueueTree queues, long nowMillis) {
        if (!samples.isEmpty() && nowMillis - lastMillis < EVERY_MILLIS) {
            return;
        }
        lastMillis = nowMillis;
        long[] capacity = queues.vectors().counted(engine.capacity());
        Map<String, Double> shares = new HashMap<>();
        for (HeddleQueue queue : queues.all()) {
            if (shares.size() < MOST_QUEUES) {
                shares.put(
                        queue.getQueueName(),
                        DominantShare.of(queue.schedulable().usage(), capacity));
            }
        }
        samples.add(new History.Sample(nowMillis, shares));
        while (samples.size() > MOST_SAMPLES) {
            samples.remove();
        }
    }

    synchronized History all(Clocks clocks) {
        return new History(samples.stream()
                .map(sample -> new History.Sample(clocks.dateOf(sample.atMillis()), sample.shares()))
                .toList());
    }
}
