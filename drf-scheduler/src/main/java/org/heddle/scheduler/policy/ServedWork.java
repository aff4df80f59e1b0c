// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The work that an application has been served: its dominant share of the cluster times the time that it held it, in
 * shares times milliseconds. All that it ever held counts, whatever it asks for now. The scheduler's lock guards it.
 */
public final class ServedWork implements UsageMeter {
    private final LongSupplier clock;
    private final IntToLongFunction capacity;
    private double work;
    private double share;
    private long started;
    private long startedCounted;
    private long sinceMillis;

    /** The order in which it has its place; an order that sees it first lets it arrive. */
    @Nullable
    SojournOrder order;

    /** The virtual time at which it arrived there. */
    double arrival;

    /** The part of its work by which that order's virtual time has advanced. */
    double counted;

    /**
     * @param clock monotonic, in milliseconds
     * @param capacity the cluster's total of a resource, by its number
     */
    public ServedWork(LongSupplier clock, IntToLongFunction capacity) {
        this.clock = clock;
        this.capacity = capacity;
        this.sinceMillis = clock.getAsLong();
    }

    @Override
    public void usageChanged(long[] usage) {
        advance();
        double before = share;
        share = 0;
        for (int j = 0; j < usage.length; j++) {
            long total = capacity.applyAsLong(j);
            if (total > 0) {
                share = Math.max(share, (double) usage[j] / total);
            }
        }
        if (share > before) {
            started++;
        }
    }

    private void advance() {
        long now = clock.getAsLong();
        work += share * Math.max(0, now - sinceMillis);
        sinceMillis = now;
    }

    /** Up to now. */
    double work() {
        advance();
        return work;
    }

    /** How many containers it has been given since the last call. */
    long newlyStarted() {
        long more = started - startedCounted;
        startedCounted = started;
        return more;
    }

    /** How many containers it has been given. */
    long started() {
        return started;
    }
}
