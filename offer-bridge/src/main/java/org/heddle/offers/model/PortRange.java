// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.model;

/** Ports from {@code begin} to {@code end}, both included. */
public record PortRange(int begin, int end) {
    public PortRange {
        if (begin < 0 || end > 65535 || begin > end) {
            throw new IllegalArgumentException(
                    "port range [" + begin + "-" + end + "]: want 0 <= begin <= end <= 65535");
        }
    }

    public int size() {
        return end - begin + 1;
    }
}
