// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a task again and again, with pauses that the task chooses; a failure is logged and the next run follows. */
final class EpochClock {
    private static final Logger LOG = LoggerFactory.getLogger(EpochClock.class);
    private static final long LONGEST_END_MILLIS = 2_000;

    private final Runnable tick;
    private final LongSupplier pauseMillis;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "heddle-market-epochs");

    EpochClock(Runnable tick, LongSupplier pauseMillis) {
        this.tick = tick;
        this.pauseMillis = pauseMillis;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void end() throws InterruptedException {
        ended.countDown();
        thread.join(LONGEST_END_MILLIS);
    }

    private void run() {
        try {
            while (!ended.await(pauseMillis.getAsLong(), TimeUnit.MILLISECONDS)) {
                try {
                    tick.run();
                } catch (RuntimeException e) {
                    LOG.error("An epoch step of the market failed; the next one follows", e);
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("The market's epoch thread is stopped");
        }
    }
}
