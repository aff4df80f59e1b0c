// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.spark.util.Clock;

/**
 * The clock by which Spark counts failures of executors. Spark's own is the date, which can step: then old failures
 * would count for ever, or new ones not at all.
 */
final class FailureClock implements Clock {
    private final LongSupplier millis;

    /** @param millis of a clock that never goes back */
    FailureClock(LongSupplier millis) {
        this.millis = millis;
    }

    @Override
    public long getTimeMillis() {
        return millis.getAsLong();
    }

    @Override
    public long nanoTime() {
        return TimeUnit.MILLISECONDS.toNanos(millis.getAsLong());
    }

    @Override
    public long waitTillTime(long millis) {
        throw new UnsupportedOperationException("failures are counted, and not waited for");
    }
}
