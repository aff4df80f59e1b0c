// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.policy;

import java.math.BigInteger;

/**
 * An exact sum of slot-time in nano-slot-milliseconds with 128 bits, enough for ten thousand slots over many times
 * three hundred years. Mutable, allocates nothing; guarded by its owner.
 */
public final class SlotTime implements Comparable<SlotTime> {
    private static final BigInteger NANOS = BigInteger.valueOf(1_000_000_000L);

    private long high;
    private long low;

    /**
     * Adds nano-slots times milliseconds.
     *
     * @param nanoSlots 0 or more
     * @param millis 0 or more
     */
    public void add(long nanoSlots, long millis) {
        long more = nanoSlots * millis;
        low += more;
        high += Math.multiplyHigh(nanoSlots, millis) + (Long.compareUnsigned(low, more) < 0 ? 1 : 0);
    }

    public void add(SlotTime other) {
        long more = other.low;
        low += more;
        high += other.high + (Long.compareUnsigned(low, more) < 0 ? 1 : 0);
    }

    @Override
    public int compareTo(SlotTime other) {
        return high != other.high ? Long.compare(high, other.high) : Long.compareUnsigned(low, other.low);
    }

    /** A copy that does not change. */
    public SlotTime copy() {
        SlotTime copy = new SlotTime();
        copy.add(this);
        return copy;
    }

    public void clear() {
        high = 0;
        low = 0;
    }

    public boolean isZero() {
        return high == 0 && low == 0;
    }

    /** Whether the sum fits in 63 bits, so that {@link #nanoSlotMillis} is exact. */
    public boolean fits() {
        return high == 0 && low >= 0;
    }

    /** Nano-slot-milliseconds; {@code Long.MAX_VALUE} if there are more. */
    public long nanoSlotMillis() {
        return fits() ? low : Long.MAX_VALUE;
    }

    public BigInteger exact() {
        if (fits()) {
            return BigInteger.valueOf(low);
        }
        return BigInteger.valueOf(high).shiftLeft(Long.SIZE).add(unsigned(low));
    }

    /** Whole slot-milliseconds, rounded down. */
    public long slotMillis() {
        return fits() ? low / 1_000_000_000L : exact().divide(NANOS).min(MOST).longValue();
    }

    private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

    private static BigInteger unsigned(long value) {
        BigInteger signed = BigInteger.valueOf(value);
        return value >= 0 ? signed : signed.add(BigInteger.ONE.shiftLeft(Long.SIZE));
    }

    @Override
    public String toString() {
        return exact() + " nano-slot-ms";
    }
}
