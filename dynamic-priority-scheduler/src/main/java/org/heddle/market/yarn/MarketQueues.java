// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.heddle.market.epoch.MarketOrder;
import org.heddle.scheduler.model.AccessList;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.Lifetime;
import org.heddle.scheduler.model.Partitions;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.QueuePreemptionSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.QueueTraits;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.model.Weights;

/** Makes a market's queues of those that are configured and those that have an account. Pure. */
final class MarketQueues {
    private static final double MASTERS = 0.5;
    private static final String PREFIX = "root.";

    private MarketQueues() {}

    /** A queue's name in the market: its path without the root. */
    static String name(String path) {
        return path.startsWith(PREFIX) ? path.substring(PREFIX.length()) : path;
    }

    static String path(String name) {
        return PREFIX + name;
    }

    /**
     * The specification of a market.
     *
     * @param configured what the file says
     * @param accounts names of the market's queues; those that the file does not have become leaves below the root
     * @param preemptionMillis how long a queue may be below its share before containers are revoked for it; 0 for ever
     */
    static SchedulerSpec of(SchedulerSpec configured, Collection<String> accounts, long preemptionMillis) {
        Set<String> present = new TreeSet<>();
        configured.root().all().forEach(queue -> present.add(queue.path()));
        boolean open = configured.root().submit().everyone();
        List<QueueSpec> children = new ArrayList<>();
        for (QueueSpec child : configured.root().children()) {
            children.add(open ? admitting(child, AccessList.EVERYONE) : child);
        }
        for (String account : new TreeSet<>(accounts)) {
            if (account.indexOf('.') < 0 && !present.contains(path(account))) {
                children.add(leaf(account, configured.root()));
            }
        }
        QueueSpec all = with(configured.root(), children);
        QueueSpec root = ordered(open ? admitting(all, AccessList.NOBODY) : all, preemptionMillis);
        PreemptionSettings asked = configured.revocation();
        PreemptionSettings.Mode mode = preemptionMillis == 0
                ? PreemptionSettings.Mode.OFF
                : asked.mode() == PreemptionSettings.Mode.DRY_RUN
                        ? PreemptionSettings.Mode.DRY_RUN
                        : PreemptionSettings.Mode.ON;
        return new SchedulerSpec(
                root,
                configured.resourceWeights(),
                configured.placement(),
                configured.waits(),
                new PreemptionSettings(
                        mode,
                        asked.graceMillis(),
                        asked.maxPerSecond(),
                        asked.reservationStuckMillis(),
                        asked.minUtilization(),
                        asked.masters()),
                configured.rules(),
                configured.maxAssign());
    }

    /** Parents serve their queues as the market does; leaves keep their order. Weights come with the first epoch. */
    private static QueueSpec ordered(QueueSpec queue, long preemptionMillis) {
        List<QueueSpec> children = queue.children().stream()
                .map(child -> ordered(child, preemptionMillis))
                .toList();
        QueuePreemptionSettings asked = queue.protection();
        QueuePreemptionSettings protection = new QueuePreemptionSettings(
                asked.guaranteed(),
                asked.revocable(),
                asked.belowGuaranteeMillis(),
                preemptionMillis == 0 ? QueuePreemptionSettings.NEVER : preemptionMillis,
                1,
                1);
        String order = queue.isLeaf() ? queue.order() : MarketOrder.NAME;
        return copy(queue, Weights.of(0), order, queue.submit(), protection, children);
    }

    private static QueueSpec with(QueueSpec queue, List<QueueSpec> children) {
        return copy(queue, queue.weights(), queue.order(), queue.submit(), queue.protection(), children);
    }

    /**
     * Whoever the root admits is admitted everywhere, and it admits everybody unless told otherwise: that must not let
     * everybody spend the credits of every queue that is opened later. So it is the root's queues that admit everybody.
     */
    private static QueueSpec admitting(QueueSpec queue, AccessList submit) {
        return copy(queue, queue.weights(), queue.order(), submit, queue.protection(), queue.children());
    }

    private static QueueSpec copy(
            QueueSpec queue,
            Weights weights,
            String order,
            AccessList submit,
            QueuePreemptionSettings protection,
            List<QueueSpec> children) {
        return new QueueSpec(
                queue.path(),
                weights,
                order,
                queue.userOrder(),
                queue.maxResources(),
                queue.maxResourcesPerUser(),
                queue.maxRunningApps(),
                queue.maxRunningAppsPerUser(),
                queue.maxAmShare(),
                submit,
                queue.administer(),
                queue.userWeights(),
                queue.traits(),
                queue.lifetime(),
                queue.partitions(),
                protection,
                children);
    }

    /** Who may spend a queue's money is the user of its name, and whoever the root admits. */
    private static QueueSpec leaf(String account, QueueSpec root) {
        return new QueueSpec(
                path(account),
                Weights.ONE,
                "drf",
                "fifo",
                Amounts.UNLIMITED,
                Amounts.UNLIMITED,
                Integer.MAX_VALUE,
                Integer.MAX_VALUE,
                MASTERS,
                new AccessList(false, Set.of(account), Set.of()),
                AccessList.NOBODY,
                Map.of(),
                QueueTraits.DEFAULT,
                Lifetime.FOR_EVER,
                Partitions.ALL,
                root.protection(),
                List.of());
    }
}
