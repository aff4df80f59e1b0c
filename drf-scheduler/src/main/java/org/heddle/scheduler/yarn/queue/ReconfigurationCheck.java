// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import java.util.HashMap;
import java.util.Map;
import org.heddle.scheduler.model.NewQueues;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a new specification may come into force: a queue with applications may not become a queue with others
 * inside, get a leaf above it, or change {@code divide-by}, and whether memory alone counts stays. One that is no
 * longer there stays until it is empty. As under CapacityScheduler, a queue must be stopped before it may leave the
 * file, or get queues inside. Called under the scheduler's lock.
 */
public final class ReconfigurationCheck {
    private final QueueTree queues;

    public ReconfigurationCheck(QueueTree queues) {
        this.queues = queues;
    }

    /** The reason why a specification may not come into force now, in one sentence; null if it may. */
    @Nullable
    public String against(SchedulerSpec next) {
        if (next.rules().memoryOnly() != queues.rules().memoryOnly()) {
            return "whether memory alone counts (memory-only, or CapacityScheduler's resource-calculator) changes only with a"
                    + " restart of the ResourceManager";
        }
        Map<String, QueueSpec> configured = new HashMap<>();
        next.root().all().forEach(queue -> configured.put(queue.path(), queue));
        for (HeddleQueue queue : queues.all()) {
            if (staysPlanned(queue, configured)) {
                continue;
            }
            if (next.rules().likeCapacityScheduler() && mustStopFirst(queue, configured.get(queue.getQueueName()))) {
                return "queue " + queue.getQueueName() + " runs, and the new file has "
                        + (configured.containsKey(queue.getQueueName()) ? "queues inside it" : "no such queue")
                        + ": set its state to STOPPED, refresh, and change it when its applications have ended";
            }
            int applications = queue.isLeaf() ? queue.applications().size() : 0;
            String objection =
                    applications == 0 ? null : objection(queue, configured.get(queue.getQueueName()), configured);
            if (objection != null) {
                return "queue " + queue.getQueueName() + " has " + applications + " applications" + objection;
            }
        }
        return null;
    }

    /** Whether a configured queue that has not been stopped would be gone, or a leaf no longer. */
    private boolean mustStopFirst(HeddleQueue queue, @Nullable QueueSpec wanted) {
        boolean changes = wanted == null || (queue.isLeaf() && !wanted.isLeaf());
        boolean configured = !queue.isNew() && !queue.isDraining() && !queues.isRecoveryLeaf(queue);
        boolean stopped =
                queue.spec().get(QueueSettings.STOPPED) || (wanted != null && wanted.get(QueueSettings.STOPPED));
        return changes && configured && queues.rules().likeCapacityScheduler() && !stopped;
    }

    /** Whether the queue is inside a plan, and the new specification keeps that plan. */
    static boolean staysPlanned(HeddleQueue queue, Map<String, QueueSpec> configured) {
        HeddleQueue parent = queue.parent();
        QueueSpec plan = parent == null ? null : configured.get(parent.getQueueName());
        return queue.isPlanned() && plan != null && plan.isPlan();
    }

    /**
     * What speaks against a file in which a leaf with applications is as wanted, as the end of a sentence; null if
     * nothing does.
     *
     * @param wanted null if the file does not have it: then it drains, or is kept as a new queue
     */
    private @Nullable String objection(
            HeddleQueue leaf, @Nullable QueueSpec wanted, Map<String, QueueSpec> configured) {
        if (wanted != null && wanted.get(QueueSettings.DIVIDE_BY) != leaf.spec().get(QueueSettings.DIVIDE_BY)) {
            return ", so its divide-by cannot change: move the applications (yarn application -changeQueue) or wait until"
                    + " they end";
        }
        if (wanted != null && !wanted.isLeaf()) {
            return " and would no longer be a leaf queue: move the applications (yarn application -changeQueue) or wait"
                    + " until they end";
        }
        QueueSpec above = wanted == null && !queues.isRecoveryLeaf(leaf) ? leafAbove(leaf, configured) : null;
        if (above == null) {
            return null;
        }
        return " and is no longer in the file, which makes " + above.path()
                + " above it a leaf: write <queue name=\""
                + above.name() + "\" type=\"parent\"> until they have ended, or move the applications (yarn"
                + " application -changeQueue)";
    }

    /**
     * Whether a queue that a file no longer has drains: it keeps its settings and takes no more applications. Else it
     * becomes a new queue, or stays one, as under FairScheduler.
     */
    static boolean drains(HeddleQueue queue, @Nullable NewQueues newQueues) {
        return newQueues == null
                || (queue.isLeaf()
                        && newQueues.template().get(QueueSettings.DIVIDE_BY)
                                != queue.spec().get(QueueSettings.DIVIDE_BY));
    }

    /** A queue above this one that the new specification makes a leaf; null if none. */
    private static @Nullable QueueSpec leafAbove(HeddleQueue queue, Map<String, QueueSpec> configured) {
        for (HeddleQueue above = queue.parent(); above != null; above = above.parent()) {
            QueueSpec wanted = configured.get(above.getQueueName());
            if (wanted != null && wanted.isLeaf()) {
                return wanted;
            }
        }
        return null;
    }
}
