// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.capacity;

import java.util.Map;
import org.heddle.scheduler.config.site.SiteSettings;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.QueuePreemptionSettings;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;

/** Reads the keys of CapacityScheduler's monitor, which preempts containers for queues below their capacity. */
public final class CapacityPreemption {
    /** Turns YARN's monitors of schedulers on. */
    public static final String MONITOR = "yarn.resourcemanager.scheduler.monitor.enable";
    /** Names them. */
    public static final String POLICIES = "yarn.resourcemanager.scheduler.monitor.policies";
    /** The one that preempts, which is also the default. */
    public static final String POLICY = "ProportionalCapacityPreemptionPolicy";

    private static final String PREFIX = "yarn.resourcemanager.monitor.capacity.preemption.";
    private static final String INTERVAL = PREFIX + "monitoring_interval";
    private static final String WAIT = PREFIX + "max_wait_before_kill";
    private static final String ROUND = PREFIX + "total_preemption_per_round";
    private static final String BALANCE = PREFIX + "preemption-to-balance-queue-after-satisfied.enabled";
    private static final String BALANCE_WAIT =
            PREFIX + "preemption-to-balance-queue-after-satisfied.max-wait-before-kill";
    private static final String OBSERVE = PREFIX + "observe_only";
    private static final String INTRA = PREFIX + "intra-queue-preemption.";
    private static final String INTRA_ORDER = INTRA + "preemption-order-policy";
    /** Of a queue, and of those inside it. */
    private static final String INTRA_OFF = "intra-queue-preemption.disable_preemption";

    /** Keys without a counterpart, and why. */
    private static final Map<String, String> IDLE = Map.of(
            PREFIX + "max_ignored_over_capacity",
            "a queue above its capacity gives back what a queue below its own asks for, without a margin",
            PREFIX + "natural_termination_factor",
            "what is preempted in a round is bounded by total_preemption_per_round alone",
            PREFIX + "select_based_on_reserved_containers",
            "containers are always chosen where the freed room fits the request",
            PREFIX + "additional_res_balance_based_on_reserved_containers",
            "freed room is held for the queue that it was freed for",
            INTRA + "minimum-threshold",
            "users of a queue are helped however much of its capacity is in use",
            INTRA + "max-allowable-limit",
            "what is preempted in a round is bounded by total_preemption_per_round alone",
            PREFIX + "conservative-drf",
            "nothing is preempted that the request does not need");

    private final SiteSettings site;
    private final CapacityProperties properties;

    CapacityPreemption(SiteSettings site, CapacityProperties properties) {
        this.site = site;
        this.properties = properties;
    }

    boolean isOn() {
        String policies = site.get(POLICIES);
        return properties.is(MONITOR, false) && (policies == null || policies.contains(POLICY));
    }

    PreemptionSettings settings() {
        if (!isOn()) {
            return PreemptionSettings.DEFAULT;
        }
        IDLE.forEach((key, why) -> {
            if (properties.get(key) != null) {
                properties.warn(key, "has no effect here: " + why);
            }
        });
        if ("priority_first".equals(properties.get(INTRA_ORDER))) {
            properties.warn(
                    INTRA_ORDER,
                    "has no effect here: containers are preempted for users below their share, and not for another"
                            + " application of the same user");
        }
        double perRound =
                properties.number(ROUND, new java.math.BigDecimal("0.1")).doubleValue();
        double perSecond = perRound * 1000 / interval();
        return new PreemptionSettings(
                properties.is(OBSERVE, false) ? PreemptionSettings.Mode.DRY_RUN : PreemptionSettings.Mode.ON,
                Math.max(0, properties.longCount(WAIT, 15_000)),
                Math.max(0.0001, Math.min(1, perSecond)),
                QueuePreemptionSettings.NEVER, // CapacityScheduler lets a reservation wait
                0,
                true);
    }

    private long interval() {
        return Math.max(1, properties.longCount(INTERVAL, 3_000));
    }

    /**
     * Queues below their capacity are helped at the next round, and beyond it, as users within a queue, only if that is
     * configured.
     */
    QueueSpec withTimeouts(CapacityQueue queue, QueueSpec spec) {
        if (!isOn()) {
            return spec;
        }
        QueueSpec read = spec;
        if (queue.isLeaf()) {
            long ofUsers = helpsUsers(queue) ? interval() : QueuePreemptionSettings.NEVER;
            read = read.with(QueueSettings.USER_PREEMPTION_TIMEOUT, ofUsers);
        }
        long beyond = QueuePreemptionSettings.NEVER;
        if (properties.is(BALANCE, false)) {
            beyond = Math.max(0, properties.longCount(BALANCE_WAIT, 300_000));
        }
        return read.with(QueueSettings.GUARANTEE_PREEMPTION_TIMEOUT, interval())
                .with(QueueSettings.FAIR_SHARE_PREEMPTION_TIMEOUT, beyond);
    }

    /** Whether containers of one user of a leaf are preempted for another. */
    private boolean helpsUsers(CapacityQueue leaf) {
        boolean off = false;
        boolean isSet = false;
        for (CapacityQueue at = leaf; at != null; at = at.parent) {
            String nearest = properties.get(at.key(INTRA_OFF));
            if (!isSet && nearest != null) {
                isSet = true;
                off = Boolean.parseBoolean(nearest);
            }
        }
        return properties.is(INTRA + "enabled", false) && !off;
    }
}
