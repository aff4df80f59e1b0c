// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The work that an application has been served: its dominant share of the cluster times the time that it held it, in
 * shares times milliseconds. All that it ever held counts, whatever it asks for now. The scheduler's lock guards it.
 */
public final class ServedWork implements UsageMeter {
    /** The dominant share of a usage, 0 or more. */
    @FunctionalInterface
    public interface Share {
        double of(long[] usage);
    }

    private final LongSupplier clock;
    private final Share shares;
    private double work;
    private double share;
    private long started;
    private long sinceMillis;

    /** Its place in the equal sharing of the siblings whose order counts served work; null if no order did so yet. */
    EqualSharing.@Nullable Member member;

    /**
     * @param clock monotonic, in milliseconds
     * @param shares of the cluster as it is now
     */
    public ServedWork(LongSupplier clock, Share shares) {
        this.clock = clock;
        this.shares = shares;
        this.sinceMillis = clock.getAsLong();
    }

    @Override
    public void usageChanged(long[] usage) {
        long now = clock.getAsLong();
        work = work(now);
        sinceMillis = Math.max(sinceMillis, now);
        double before = share;
        share = shares.of(usage);
        if (share > before) {
            started++;
        }
    }

    /** The work at a time; no less than at the last change. */
    double work(long nowMillis) {
        return work + share * Math.max(0, nowMillis - sinceMillis);
    }

    /** The share that it holds now. */
    double share() {
        return share;
    }

    /** How many containers it has been given. */
    long started() {
        return started;
    }

    /** When its share changed last. */
    long sinceMillis() {
        return sinceMillis;
    }

    long nowMillis() {
        return clock.getAsLong();
    }
}
