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
 * How many applications may run at once, in each queue and for each user of a leaf. Who is over a limit waits, in order
 * of arrival, without asking for anything. Guarded by the scheduler's lock.
 */
final class RunLimits {
    private final Supplier<ClusterRules> rules;
    private final Map<String, Integer> runningOfUser = new HashMap<>();

    /** @param rules limits of users in all queues together */
    RunLimits(Supplier<ClusterRules> rules) {
        this.rules = rules;
    }

    /** Lets an application run if the limits allow it, and else has it wait and say why. */
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

    /** An application that was let run has ended or gone elsewhere: others may be admitted. */
    void retire(HeddleApplication application) {
        if (application.isRunnable()) {
            count(application, -1);
            application.setRunnable(false);
        }
    }

    /** Admits all who wait below a queue and now may run. */
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

    /** Whom to look at when an application of a leaf has ended: all below the highest queue that limits them, or all. */
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
        return running >= most
                ? "user " + user + " runs " + running + " applications in all queues together, where " + most
                        + " may run at once"
                : full(application.leaf(), user, null);
    }

    /** The highest queue that limits applications: when one of them ends, those below it may be admitted. */
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
