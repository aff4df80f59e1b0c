// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Token buckets by name: each holds up to {@code burst} tokens and gains {@code perSecond} of them each second. Keeps a
 * bounded number of recently used names. Thread-safe.
 */
final class TokenBuckets {
    private static final double NANOS_PER_SECOND = 1e9;

    private static final class Bucket {
        private double left;
        private long atNanos;
    }

    private final double perSecond;
    private final double burst;
    private final Map<String, Bucket> buckets;

    TokenBuckets(double perSecond, double burst, int names) {
        this.perSecond = perSecond;
        this.burst = burst;
        this.buckets = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
                return size() > names;
            }
        };
    }

    /** Takes a token. @return 0 if there was one, else the milliseconds until there is one */
    synchronized long take(String name, long nowNanos) {
        long wait = peek(name, nowNanos);
        if (wait == 0) {
            bucket(name, nowNanos).left -= 1;
        }
        return wait;
    }

    /** Like {@link #take}, but takes no token. */
    synchronized long peek(String name, long nowNanos) {
        Bucket bucket = bucket(name, nowNanos);
        return bucket.left >= 1 ? 0 : (long) Math.ceil((1 - bucket.left) / perSecond * 1_000);
    }

    private Bucket bucket(String name, long nowNanos) {
        Bucket bucket = buckets.get(name);
        if (bucket == null) {
            bucket = new Bucket();
            bucket.left = burst;
            bucket.atNanos = nowNanos;
            buckets.put(name, bucket);
            return bucket;
        }
        double seconds = Math.max(0, nowNanos - bucket.atNanos) / NANOS_PER_SECOND;
        bucket.left = Math.min(burst, bucket.left + seconds * perSecond);
        bucket.atNanos = nowNanos;
        return bucket;
    }
}
