// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.ledger.Market;
import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.status.MarketStatus;
import org.heddle.market.model.status.PreemptionLimit;
import org.heddle.market.model.status.StoreState;
import org.jspecify.annotations.Nullable;

/**
 * The market's metrics in Hadoop's metrics system: JMX bean {@code Hadoop:service=ResourceManager,name=HeddleMarket},
 * and {@code heddle_market_*} at {@code /prom} if {@code hadoop.prometheus.endpoint.enabled} is set. Credits are whole
 * credits with a fraction, rates are credits for one slot and rate unit. Thread-safe.
 */
final class MarketMetrics implements MetricsSource {
    static final String NAME = "HeddleMarket";
    private static final double HOUR_MILLIS = 3_600_000;

    private final Supplier<@Nullable Market> market;
    private volatile double epochChangeMillis;
    private volatile double waivedCredits;

    private MarketMetrics(Supplier<@Nullable Market> market) {
        this.market = market;
    }

    /** @param market the market; null while it is not open */
    static MarketMetrics register(Supplier<@Nullable Market> market) {
        unregister(); // an earlier scheduler of this process may have left one
        return DefaultMetricsSystem.instance().register(NAME, "Heddle market", new MarketMetrics(market));
    }

    static void unregister() {
        DefaultMetricsSystem.instance().unregisterSource(NAME);
    }

    /** Counts an epoch change, which the thread of the epochs has done under the scheduler's lock. */
    void epochChanged(ClosedEpoch closed, long tookNanos) {
        epochChangeMillis = (double) tookNanos / TimeUnit.MILLISECONDS.toNanos(1);
        double waived = waivedCredits;
        for (ClosedEpoch.Line bill : closed.bills()) {
            waived += bill.waiverNanos() / 1e9;
        }
        waivedCredits = waived;
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        MetricsRecordBuilder record = collector.addRecord(NAME).setContext("yarn");
        Market open = market.get();
        add(record, "Open", "1 while the market is open", open == null ? 0 : 1);
        add(record, "EpochChangeMillis", "Time of the last epoch change under the scheduler's lock", epochChangeMillis);
        add(record, "WaivedCredits", "Credits that queues could not pay since this process started", waivedCredits);
        if (open != null) {
            add(record, open.status());
        }
    }

    private static void add(MetricsRecordBuilder record, MarketStatus status) {
        boolean working = status.store() == StoreState.WORKING;
        add(record, "StoreWorking", "1 while the ledger can be written", working ? 1 : 0);
        add(record, "StoreFenced", "1 if another process leads", status.store() == StoreState.FENCED ? 1 : 0);
        add(record, "UnbilledEpochs", "Epochs of this process that were not charged", (double) status.unbilledEpochs());
        long late = status.now().toEpochMilli() - status.nextEpoch().toEpochMilli();
        add(record, "EpochLateMillis", "Time since the end of the epoch was due", (double) Math.max(0, late));
        add(record, "EpochNumber", "Number of the present epoch", (double) status.epoch());
        add(
                record,
                "Price",
                "Sum of the rates of the queues that pay",
                status.price().nanos() / 1e9);
        add(
                record,
                "CapacitySlots",
                "Slots of the cluster",
                (double) status.capacity().nanos() / Slots.NANOS);
        add(record, "UsedSlots", "Slots in use", (double) status.used().nanos() / Slots.NANOS);
        add(
                record,
                "MoneySupply",
                "Sum of all balances, credits",
                status.moneySupply().nanos() / 1e9);
        add(
                record,
                "ChargedCredits",
                "Sum of all charges since the ledger was created",
                status.revenue().nanos() / 1e9);
        add(record, "PreemptedContainers", "Containers preempted since this process leads", (double)
                status.waste().containers());
        add(
                record,
                "PreemptedSlotHours",
                "Slot-hours that preempted containers had used",
                status.waste().lostSlotMillis() / HOUR_MILLIS);
        add(
                record,
                "UsedSlotHours",
                "Slot-hours that all containers used since this process leads",
                status.waste().usedSlotMillis() / HOUR_MILLIS);
        PreemptionLimit limit = status.waste().limit();
        if (limit.isLimited()) {
            add(
                    record,
                    "PreemptionAvailableSlotHours",
                    "Slot-hours that preemption may lose now; not there without a limit",
                    limit.availableSlotMillis() / HOUR_MILLIS);
        }
        add(
                record,
                "PreemptionWaiting",
                "Applications that starve because their preemption would lose more than that",
                limit.waiting());
        add(record, "Queues", "Queues with an account", status.queues());
    }

    private static void add(MetricsRecordBuilder record, String name, String meaning, double value) {
        record.addGauge(Interns.info(name, meaning), value);
    }
}
