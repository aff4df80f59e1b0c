// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import java.util.function.LongSupplier;

/** Brings each change of a leaf queue's usage to the epoch meter, and shows it to the order. */
public final class MeteredQueue implements MarketMeter {
    private final EpochMeter epoch;
    private final QueueMeter queue;
    private final LongSupplier clock;

    /** @param clock of the epoch meter: monotonic, milliseconds */
    public MeteredQueue(EpochMeter epoch, QueueMeter queue, LongSupplier clock) {
        this.epoch = epoch;
        this.queue = queue;
        this.clock = clock;
    }

    @Override
    public void usageChanged(long[] usage) {
        epoch.setUsage(queue, clock.getAsLong(), usage);
    }

    @Override
    public boolean pays() {
        return epoch.weight(queue) > 0;
    }

    @Override
    public boolean keepsLag() {
        return epoch.terms().keepsDeficits();
    }

    @Override
    public double target() {
        return epoch.target(queue);
    }

    @Override
    public double held() {
        return queue.usedNanos();
    }

    @Override
    public double slots(long[] amount) {
        return epoch.scale().used(amount);
    }

    @Override
    public double container() {
        return queue.container();
    }

    @Override
    public double debtMillis() {
        return epoch.debtMillis(queue);
    }
}
