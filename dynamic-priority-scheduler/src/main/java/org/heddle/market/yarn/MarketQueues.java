// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.heddle.market.epoch.MarketOrder;
import org.heddle.scheduler.model.AccessList;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.QueuePreemptionSettings;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
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
     * @param accounts names of the market's queues; those that the file lacks become leaves below its parent queues
     * @param spenders users who may spend from an account whose queue is not in the file
     * @param preemptionMillis time for which a queue may be below its share before containers are preempted for it, if
     *     the file turns preemption on; 0 for never
     * @param maxLost the part of all work that preemption may lose, above 0 and up to 1
     */
    static SchedulerSpec of(
            SchedulerSpec configured,
            Collection<String> accounts,
            Function<String, Set<String>> spenders,
            long preemptionMillis,
            double maxLost) {
        boolean open = configured.root().submit().everyone();
        List<QueueSpec> children = new ArrayList<>();
        for (QueueSpec child :
                withAccounts(configured.root(), accounts, spenders).children()) {
            boolean isConfigured = configured.root().children().stream()
                    .anyMatch(each -> each.path().equals(child.path()));
            children.add(open && isConfigured ? admitting(child, AccessList.EVERYONE) : child);
        }
        QueueSpec all = configured.root().withChildren(children);
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

    /** A parent queue with the accounts directly below it, and below its children, that the file lacks. */
    private static QueueSpec withAccounts(
            QueueSpec parent, Collection<String> accounts, Function<String, Set<String>> spenders) {
        List<QueueSpec> children = new ArrayList<>();
        Set<String> present = new TreeSet<>();
        for (QueueSpec child : parent.children()) {
            children.add(child.isLeaf() ? child : withAccounts(child, accounts, spenders));
            present.add(child.path());
        }
        for (String account : new TreeSet<>(accounts)) {
            String path = path(account);
            int dot = path.lastIndexOf('.');
            if (path.substring(0, dot).equals(parent.path()) && !present.contains(path)) {
                children.add(leaf(path.substring(dot + 1), parent, spenders.apply(account)));
            }
        }
        return parent.withChildren(children);
    }

    /** Parent queues use the market's order; leaf queues keep their order. The first epoch sets the weights. */
    private static QueueSpec ordered(QueueSpec queue, long preemptionMillis) {
        List<QueueSpec> children = queue.children().stream()
                .map(child -> ordered(child, preemptionMillis))
                .toList();
        return queue.withChildren(children)
                .with(QueueSettings.WEIGHT, Weights.of(0))
                .with(QueueSettings.ORDER, queue.isLeaf() ? queue.order() : MarketOrder.NAME)
                .with(
                        QueueSettings.FAIR_SHARE_PREEMPTION_TIMEOUT,
                        preemptionMillis == 0 ? QueuePreemptionSettings.NEVER : preemptionMillis)
                .with(QueueSettings.FAIR_SHARE_PREEMPTION_THRESHOLD, 1.0)
                .with(QueueSettings.FAIR_SHARE_PREEMPTION_TARGET, 1.0);
    }

    /**
     * A user with access to the root queue has access to all queues, and the root admits all users by default. That
     * must not let every user spend the credits of every new queue, so the default moves to the configured children of
     * the root.
     */
    private static QueueSpec admitting(QueueSpec queue, AccessList submit) {
        return queue.with(QueueSettings.SUBMIT, submit);
    }

    /** Its owners and managers may spend its credits, and all users in the access lists above. */
    private static QueueSpec leaf(String name, QueueSpec parent, Set<String> spenders) {
        return parent.inside(name)
                .with(
                        QueueSettings.USER_ORDER,
                        "fifo") // as they came, which is what an account without credit is promised
                .with(QueueSettings.MAX_AM_SHARE, AM_SHARE)
                .with(QueueSettings.SUBMIT, new AccessList(false, spenders, Set.of()));
    }
}
