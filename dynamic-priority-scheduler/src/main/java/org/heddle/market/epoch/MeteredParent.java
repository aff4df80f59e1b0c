// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import java.util.ArrayList;
import java.util.List;

/** The meter of a parent queue below the root: the sums of its leaf queues. */
final class MeteredParent implements MarketMeter {
    private final List<MeteredQueue> leaves = new ArrayList<>();

    void add(MeteredQueue leaf) {
        leaves.add(leaf);
    }

    /** Its leaves measure. */
    @Override
    public void usageChanged(long[] usage) {}

    @Override
    public boolean pays() {
        for (MeteredQueue leaf : leaves) {
            if (leaf.pays()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean keepsLag() {
        return !leaves.isEmpty() && leaves.get(0).keepsLag();
    }

    @Override
    public double target() {
        double sum = 0;
        for (MeteredQueue leaf : leaves) {
            sum += leaf.pays() ? Math.max(0, leaf.target()) : 0;
        }
        return sum;
    }

    @Override
    public double held() {
        double sum = 0;
        for (MeteredQueue leaf : leaves) {
            sum += leaf.held();
        }
        return sum;
    }

    @Override
    public double slots(long[] amount) {
        return leaves.isEmpty() ? 0 : leaves.get(0).slots(amount);
    }

    @Override
    public double container() {
        double largest = 0;
        for (MeteredQueue leaf : leaves) {
            largest = Math.max(largest, leaf.container());
        }
        return largest;
    }

    @Override
    public double debtMillis() {
        double smallest = Double.POSITIVE_INFINITY;
        for (MeteredQueue leaf : leaves) {
            smallest = leaf.pays() ? Math.min(smallest, leaf.debtMillis()) : smallest;
        }
        return smallest == Double.POSITIVE_INFINITY ? 0 : smallest;
    }
}
