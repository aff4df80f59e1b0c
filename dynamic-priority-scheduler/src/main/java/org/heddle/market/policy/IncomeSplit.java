// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.policy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Divides an amount by weights. The parts add up to it exactly: largest remainder, ties by name. */
public final class IncomeSplit {
    private record Part(String queue, long nanos, BigInteger rest) {}

    private IncomeSplit() {}

    /**
     * Divides an amount.
     *
     * @param nanos nano-credits, 0 or more
     * @param weights at least one, each more than 0
     */
    public static SortedMap<String, Long> divide(long nanos, Map<String, Long> weights) {
        BigInteger total = BigInteger.ZERO;
        for (long weight : weights.values()) {
            total = total.add(BigInteger.valueOf(weight));
        }
        List<Part> parts = new ArrayList<>();
        long left = nanos;
        for (Map.Entry<String, Long> each : new TreeMap<>(weights).entrySet()) {
            BigInteger[] exact = BigInteger.valueOf(nanos)
                    .multiply(BigInteger.valueOf(each.getValue()))
                    .divideAndRemainder(total);
            parts.add(new Part(each.getKey(), exact[0].longValueExact(), exact[1]));
            left -= exact[0].longValueExact();
        }
        parts.sort(Comparator.comparing(Part::rest).reversed().thenComparing(Part::queue));
        SortedMap<String, Long> divided = new TreeMap<>();
        for (Part part : parts) {
            divided.put(part.queue(), left-- > 0 ? part.nanos() + 1 : part.nanos());
        }
        return divided;
    }
}
