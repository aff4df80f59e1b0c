// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.amount;

/**
 * A number of standard slots, not necessarily whole: nano-slots in 64 bits. A queue that holds the part D of its
 * dominant resource of a cluster with c slots uses D * c slots.
 *
 * @param nanos nano-slots, 0 or more
 */
public record Slots(long nanos) implements Comparable<Slots> {
    public static final Slots ZERO = new Slots(0);
    /** Nano-slots in one slot. */
    public static final long NANOS = Decimal.ONE;

    public Slots {
        if (nanos < 0) {
            throw new IllegalArgumentException(Decimal.print(nanos) + " slots are below 0");
        }
    }

    /**
     * Reads plain decimals such as {@code 7.5}.
     *
     * @throws IllegalArgumentException one sentence, if it is not a number, negative, has more than nine decimals or is
     *     too large
     */
    public static Slots parse(String text) {
        return new Slots(Decimal.parse(text, "the number of slots"));
    }

    /** For charts; money is not computed from it. */
    public double toDouble() {
        return nanos / (double) NANOS;
    }

    @Override
    public int compareTo(Slots other) {
        return Long.compare(nanos, other.nanos);
    }

    /** Plain decimals: {@code 7.5}. */
    @Override
    public String toString() {
        return Decimal.print(nanos);
    }
}
