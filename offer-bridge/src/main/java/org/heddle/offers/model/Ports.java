// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.model;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** A set of ports, kept as ranges that neither touch nor overlap, ascending. */
public record Ports(List<PortRange> ranges) {
    public static final Ports NONE = new Ports(List.of());

    public Ports {
        ranges = ranges(bits(ranges));
    }

    public boolean isEmpty() {
        return ranges.isEmpty();
    }

    public boolean contains(Ports other) {
        BitSet rest = bits(other.ranges);
        rest.andNot(bits(ranges));
        return rest.isEmpty();
    }

    public Ports plus(Ports other) {
        if (other.isEmpty()) {
            return this;
        }
        BitSet sum = bits(ranges);
        sum.or(bits(other.ranges));
        return new Ports(ranges(sum));
    }

    public Ports minus(Ports other) {
        if (other.isEmpty() || isEmpty()) {
            return this;
        }
        BitSet rest = bits(ranges);
        rest.andNot(bits(other.ranges));
        return new Ports(ranges(rest));
    }

    /** The lowest {@code count} ports, or fewer if there are not so many. */
    public Ports first(int count) {
        List<PortRange> taken = new ArrayList<>();
        int left = count;
        for (PortRange range : ranges) {
            if (left <= 0) {
                break;
            }
            int size = Math.min(left, range.size());
            taken.add(new PortRange(range.begin(), range.begin() + size - 1));
            left -= size;
        }
        return new Ports(taken);
    }

    private static BitSet bits(List<PortRange> ranges) {
        BitSet bits = new BitSet();
        ranges.forEach(range -> bits.set(range.begin(), range.end() + 1));
        return bits;
    }

    private static List<PortRange> ranges(BitSet bits) {
        List<PortRange> found = new ArrayList<>();
        for (int begin = bits.nextSetBit(0); begin >= 0; ) {
            int end = bits.nextClearBit(begin);
            found.add(new PortRange(begin, end - 1));
            begin = bits.nextSetBit(end);
        }
        return List.copyOf(found);
    }
}
