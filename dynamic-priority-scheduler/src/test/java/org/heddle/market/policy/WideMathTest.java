// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WideMathTest {
    private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

    /** Numbers of every size, and the ends of the range. */
    private static long any(SplittableRandom random) {
        return switch (random.nextInt(8)) {
            case 0 -> Long.MAX_VALUE - random.nextInt(3);
            case 1 -> random.nextInt(3);
            case 2 -> (1L << random.nextInt(63)) + random.nextInt(2);
            default -> random.nextLong() >>> (1 + random.nextInt(63));
        };
    }

    @Test
    void productsAndQuotientsAreExact() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 400_000; i++) {
            long a = any(random);
            long b = any(random);
            long c = Math.max(1, any(random));
            BigInteger exact = BigInteger.valueOf(a).multiply(BigInteger.valueOf(b));
            assertThat(WideMath.mulDiv(a, b, c))
                    .as("%d * %d / %d", a, b, c)
                    .isEqualTo(exact.divide(BigInteger.valueOf(c)).min(MOST).longValue());
            assertThat(WideMath.saturatedMultiply(a, b))
                    .isEqualTo(exact.min(MOST).longValue());
        }
    }

    @Test
    void slotTimeAddsUpExactly() {
        SplittableRandom random = new SplittableRandom(8);
        for (int round = 0; round < 200; round++) {
            SlotTime time = new SlotTime();
            SlotTime twice = new SlotTime();
            BigInteger exact = BigInteger.ZERO;
            for (int i = 0; i < 50; i++) {
                long a = any(random) >>> random.nextInt(40);
                long b = any(random) >>> random.nextInt(40) >>> 4;
                time.add(a, b);
                exact = exact.add(BigInteger.valueOf(a).multiply(BigInteger.valueOf(b)));
                twice.add(time);
            }
            assertThat(time.exact()).isEqualTo(exact);
            assertThat(time.nanoSlotMillis()).isEqualTo(exact.min(MOST).longValue());
        }
    }

    @Test
    void billsWithRemaindersAddUpToTheExactProduct() {
        SplittableRandom random = new SplittableRandom(9);
        for (int round = 0; round < 300; round++) {
            long unit = 1 + random.nextLong(8_640_000_000L);
            BigInteger divisor = BigInteger.valueOf(unit).multiply(BigInteger.valueOf(1_000_000_000L));
            BigInteger exact = BigInteger.ZERO;
            BigInteger billed = BigInteger.ZERO;
            long carried = 0;
            for (int i = 0; i < 40; i++) {
                long rate = any(random) >>> (14 + random.nextInt(40));
                SlotTime used = new SlotTime();
                used.add(random.nextLong(1L << 44), random.nextLong(1L << random.nextInt(1, 33)));
                Bill bill = Bill.of(rate, used, unit, carried);
                if (bill.nanos() == Long.MAX_VALUE) {
                    continue;
                }
                carried = bill.remainder();
                exact = exact.add(BigInteger.valueOf(rate).multiply(used.exact()));
                billed = billed.add(BigInteger.valueOf(bill.nanos()));
            }
            assertThat(billed).isEqualTo(exact.divide(divisor));
        }
    }
}
