// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.policy;

import java.math.BigInteger;
import org.heddle.market.model.amount.Slots;

/**
 * The bill of a queue for one epoch: rate x slot-time / rate unit, in whole nano-credits. The fraction of a nano-credit
 * is carried to the next bill, so that the bills add up to the exact product, rounded down once.
 *
 * @param nanos nano-credits, 0 or more; {@code Long.MAX_VALUE} if it is larger than any balance
 * @param remainder carried to the next bill, in parts of 1 / (10^9 * rate unit in ms) of a nano-credit
 */
public record Bill(long nanos, long remainder) {

    /**
     * Computes a bill.
     *
     * @param rateNanos nano-credits for one slot and rate unit
     * @param used slot-time to charge
     * @param unitMillis the rate unit
     * @param carried remainder of the bill before
     */
    public static Bill of(long rateNanos, SlotTime used, long unitMillis, long carried) {
        long divisor = Slots.NANOS * unitMillis;
        if (used.fits()) {
            long time = used.nanoSlotMillis();
            long low = rateNanos * time;
            long sum = low + carried;
            long high = Math.multiplyHigh(rateNanos, time) + (Long.compareUnsigned(sum, low) < 0 ? 1 : 0);
            if (high >= 0 && high < divisor >>> 1) {
                long quotient = WideMath.divide(high, sum, divisor);
                if (quotient >= 0) {
                    return new Bill(quotient, sum - quotient * divisor);
                }
            }
        }
        return of(BigInteger.valueOf(rateNanos).multiply(used.exact()), divisor, carried);
    }

    /** The same for a product that does not fit in 128 bits, or is not of two factors. */
    static Bill of(BigInteger product, long divisor, long carried) {
        BigInteger[] parts = product.add(BigInteger.valueOf(carried)).divideAndRemainder(BigInteger.valueOf(divisor));
        if (parts[0].bitLength() < Long.SIZE) {
            return new Bill(parts[0].longValue(), parts[1].longValue());
        }
        return new Bill(Long.MAX_VALUE, 0);
    }
}
