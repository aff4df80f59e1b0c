// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt.AMState;
import org.heddle.scheduler.model.ClusterRules;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.jspecify.annotations.Nullable;

/**
 * Limits the number of running applications, in each queue and for each user. Applications over a limit wait in order
 * of arrival, and their asks do not count. Guarded by the scheduler's lock.
 */
final class RunLimits {
    private final Supplier<ClusterRules> rules;
    private final Map<String, Integer> runningOfUser = new HashMap<>();

    /** @param rules limits of a user's applications in all queues together */
    RunLimits(Supplier<ClusterRules> rules) {
        this.rules = rules;
    }

    /** Lets an application run if the limits allow it; else it waits, and its diagnostics name the limit. */
    void admit(HeddleApplication application) {
        if (application.isRunnable()) {
            return;
        }
        String obstacle = full(application);
        HeddleAttempt attempt = application.getCurrentAppAttempt();
        if (obstacle == null) {
            application.setRunnable(true);
            count(application, 1);
        } else if (attempt != null) {
            attempt.updateAMContainerDiagnostics(AMState.INACTIVATED, "waiting: " + obstacle);
        }
        if (attempt != null) {
            attempt.noteAsks();
        }
    }

    /** No longer counts an application that has ended or moves; the caller admits others. */
    void retire(HeddleApplication application) {
        if (application.isRunnable()) {
            count(application, -1);
            application.setRunnable(false);
        }
    }

    /** Admits all waiting applications below a queue that may run now, in order of submission. */
    void admitWaiting(HeddleQueue queue) {
        List<HeddleApplication> waiting = new ArrayList<>();
        for (HeddleApplication application : HeddleApplication.of(queue)) {
            HeddleAttempt attempt = application.getCurrentAppAttempt();
            if (!application.isRunnable() && attempt != null && !attempt.isStopped()) {
                waiting.add(application);
            }
        }
        waiting.sort(Comparator.comparing(
                application -> application.getCurrentAppAttempt().getApplicationId()));
        waiting.forEach(this::admit);
    }

    /**
     * The queue below which applications may be admitted after one in this leaf has ended: the root if users have
     * limits over all queues; else the highest queue with a limit, or the leaf.
     */
    HeddleQueue affectedBy(HeddleQueue leaf, HeddleQueue root) {
        ClusterRules now = rules.get();
        boolean users = now.maxRunningAppsPerUser() != Integer.MAX_VALUE
                || !now.maxRunningAppsOfUser().isEmpty();
        return users ? root : widestLimit(leaf);
    }

    /** Why an application that waits may not run now, in one sentence; null if it may. */
    @Nullable
    String full(HeddleApplication application) {
        String user = application.getUser();
        int running = runningOfUser.getOrDefault(user, 0);
        int most = rules.get().maxRunningApps(user);
        if (running >= most) {
            return "user " + user + " runs " + running + " applications in all queues together, where " + most
                    + " may run at once";
        }
        return full(application.leaf(), user, null);
    }

    /** The highest queue on the leaf's path with a limit of running applications; the leaf if there is none. */
    private static HeddleQueue widestLimit(HeddleQueue leaf) {
        HeddleQueue widest = leaf;
        for (HeddleQueue queue = leaf; queue != null; queue = queue.parent()) {
            if (queue.spec().maxRunningApps() != Integer.MAX_VALUE) {
                widest = queue;
            }
        }
        return widest;
    }

    /** Why one more application of a user may not run in a leaf, in one sentence; null if it may. */
    static @Nullable String full(HeddleQueue leaf, String user, @Nullable HeddleQueue except) {
        int ofUser = leaf.runningOfUser().getOrDefault(user, 0);
        if (ofUser >= leaf.spec().maxRunningAppsPerUser()) {
            return "user " + user + " runs " + ofUser + " applications in queue " + leaf.getQueueName()
                    + ", which lets each user run " + leaf.spec().maxRunningAppsPerUser() + " at once";
        }
        for (HeddleQueue queue = leaf; queue != null && queue != except; queue = queue.parent()) {
            if (queue.running() >= queue.spec().maxRunningApps()) {
                return "queue " + queue.getQueueName() + " runs " + queue.running()
                        + " applications, the most that it may at once";
            }
        }
        return null;
    }

    private void count(HeddleApplication application, int sign) {
        runningOfUser.merge(application.getUser(), sign, Integer::sum);
        runningOfUser.remove(application.getUser(), 0);
        application.leaf().countRunning(application.getUser(), sign);
    }
}
