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
import org.heddle.scheduler.model.WorkProtection;

/** The queues of a market: the configured ones and those with an account. Pure. */
final class MarketQueues {
    private static final double AM_SHARE = 0.5;
    private static final String PREFIX = "root.";

    private MarketQueues() {}

    static String path(String name) {
        return PREFIX + name;
    }

    /**
     * The queue configuration of a market.
     *
     * @param configured queues of the file
     * @param accounts names of the market's queues; those that the file lacks become leaves below the root
     * @param preemptionMillis time for which a queue may be below its share before containers are preempted for it, if
     *     the file turns preemption on; 0 for never
     * @param maxLost the part of all work that preemption may lose, above 0 and up to 1
     */
    static SchedulerSpec of(
            SchedulerSpec configured, Collection<String> accounts, long preemptionMillis, double maxLost) {
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
        PreemptionSettings asked = configured.preemption();
        PreemptionSettings.Mode mode = preemptionMillis == 0 ? PreemptionSettings.Mode.OFF : asked.mode();
        return new SchedulerSpec(
                root,
                configured.resourceWeights(),
                configured.placement(),
                configured.schedulingDelays(),
                new PreemptionSettings(
                        mode,
                        asked.graceMillis(),
                        asked.maxPerSecond(),
                        asked.reservationStuckMillis(),
                        asked.minUtilization(),
                        asked.masters(),
                        new WorkProtection(true, maxLost, 2 * preemptionMillis)),
                configured.rules(),
                configured.maxAssign());
    }

    /** Parent queues use the market's order; leaf queues keep their order. The first epoch sets the weights. */
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
     * A user with access to the root queue has access to all queues, and the root admits all users by default. That
     * must not let every user spend the credits of every new queue, so the default moves to the configured children of
     * the root.
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

    /** The user with the queue's name may spend its credits, and all users in the access list of the root. */
    private static QueueSpec leaf(String account, QueueSpec root) {
        return new QueueSpec(
                path(account),
                Weights.ONE,
                "drf",
                "fifo", // as they came, which is what an account without credit is promised
                Amounts.UNLIMITED,
                Amounts.UNLIMITED,
                Integer.MAX_VALUE,
                Integer.MAX_VALUE,
                AM_SHARE,
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
