// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEventType;

/** Operations on all daemons, or on one daemon from outside. */
final class Daemons {
    private Daemons() {}

    /** Runs all tasks side by side; returns when all are done, and throws the first failure in their order. */
    static void sideBySide(List<Runnable> tasks, Duration timeout) throws Exception {
        if (tasks.isEmpty()) {
            return;
        }
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            List<Future<?>> running = new ArrayList<>();
            tasks.forEach(task -> running.add(threads.submit(task)));
            for (Future<?> task : running) {
                Await.result("daemons", timeout, task);
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            threads.shutdownNow();
        }
    }

    /**
     * Kills all applications and waits for their end. Those that have unregistered hold their master for seconds, and
     * no more.
     */
    static void killApplications(ResourceManager rm, String reason) {
        List<RMApp> running = rm.getRMContext().getRMApps().values().stream()
                .filter(app -> !isOver(app))
                .toList();
        for (RMApp app : running) {
            rm.getRMContext()
                    .getDispatcher()
                    .getEventHandler()
                    .handle(new RMAppEvent(app.getApplicationId(), RMAppEventType.KILL, reason));
        }
        Await.until(
                "applications to end",
                Duration.ofSeconds(10),
                () -> running.stream().allMatch(Daemons::isOver),
                () -> running.stream()
                        .map(app -> app.getApplicationId() + " " + app.getState())
                        .toList()
                        .toString());
    }

    private static boolean isOver(RMApp app) {
        return switch (app.getState()) {
            case FINISHING, FINISHED, FAILED, KILLED -> true;
            default -> false;
        };
    }
}
