// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.heddle.scheduler.model.NewQueues;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.QueueTraits;
import org.heddle.scheduler.model.SchedulerSpec;
import org.jspecify.annotations.Nullable;

/**
 * What stands against a new specification of the queues: applications that would be left without a queue, or in one
 * that divides among others than it did. Under the scheduler's lock.
 */
public final class ReconfigurationCheck {
    private final QueueTree queues;

    public ReconfigurationCheck(QueueTree queues) {
        this.queues = queues;
    }

    /** Why a specification may not come into force now, in one sentence; null if it may. */
    @Nullable
    public String against(SchedulerSpec next) {
        Set<String> leaves = new HashSet<>();
        next.root().all().filter(QueueSpec::isLeaf).forEach(queue -> leaves.add(queue.path()));
        Map<String, QueueSpec> configured = new HashMap<>();
        next.root().all().forEach(queue -> configured.put(queue.path(), queue));
        for (HeddleQueue queue : queues.all()) {
            if (staysPlanned(queue, configured)) {
                continue;
            }
            int applications = queue.isLeaf() ? queue.applications().size() : 0;
            QueueSpec wanted = configured.get(queue.getQueueName());
            if (applications > 0
                    && division(queue, wanted, next) != queue.spec().traits().division()) {
                return "queue " + queue.getQueueName() + " has " + applications
                        + " applications and would divide among others than now (divide-by): move them (yarn application"
                        + " -changeQueue) or wait for their end";
            }
            boolean livesOn = wanted == null
                    && next.rules().newQueues() != null
                    && (queue.isNew() || next.rules().likeFairScheduler())
                    && !isBelowLeaf(queue, leaves);
            if (applications > 0
                    && !leaves.contains(queue.getQueueName())
                    && !queues.isRecoveryLeaf(queue)
                    && !livesOn) {
                return "queue " + queue.getQueueName() + " has " + applications
                        + " applications and is not a leaf any more: move them (yarn application -changeQueue) or wait"
                        + " for their end";
            }
        }
        return null;
    }

    /** Whether it stands inside a plan that is one still. */
    static boolean staysPlanned(HeddleQueue queue, Map<String, QueueSpec> configured) {
        HeddleQueue parent = queue.parent();
        QueueSpec plan = parent == null ? null : configured.get(parent.getQueueName());
        return queue.isPlanned() && plan != null && plan.traits().isPlan();
    }

    private static QueueTraits.Division division(HeddleQueue queue, @Nullable QueueSpec wanted, SchedulerSpec next) {
        NewQueues newQueues = next.rules().newQueues();
        if (wanted != null) {
            return wanted.traits().division();
        }
        return newQueues == null ? queue.spec().traits().division() : newQueues.division();
    }

    /** Whether a queue stands inside one that is to take applications itself. */
    private static boolean isBelowLeaf(HeddleQueue queue, Set<String> leaves) {
        for (HeddleQueue above = queue.parent(); above != null; above = above.parent()) {
            if (leaves.contains(above.getQueueName())) {
                return true;
            }
        }
        return false;
    }
}
