// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.pack;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerAppReport;

/**
 * Counts every application's containers once a second: those that run, and those that it holds. It may hold more
 * than run for a moment: a master that changes its ask while a grant is on its way to it is granted too many, and gives
 * back what it has no use for.
 */
final class Census implements AutoCloseable {
    private final ResourceManager manager;
    private final Map<String, Integer> running = new ConcurrentHashMap<>();
    private final Map<String, Integer> held = new ConcurrentHashMap<>();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "census");
        thread.setDaemon(true);
        return thread;
    });

    Census(ResourceManager manager) {
        this.manager = manager;
    }

    Census start() {
        var unused = clock.scheduleAtFixedRate(this::count, 0, 1, TimeUnit.SECONDS);
        return this;
    }

    private void count() {
        for (RMApp app : manager.getRMContext().getRMApps().values()) {
            RMAppAttempt attempt = app.getCurrentAppAttempt();
            SchedulerAppReport report;
            if (attempt == null) {
                report = null;
            } else {
                report = manager.getResourceScheduler().getSchedulerAppInfo(attempt.getAppAttemptId());
            }
            if (report == null) {
                continue;
            }
            int run = 0;
            int all = 0;
            for (RMContainer container : report.getLiveContainers()) {
                all++;
                run += container.getState() == RMContainerState.RUNNING ? 1 : 0;
            }
            running.merge(app.getApplicationId().toString(), run, Math::max);
            held.merge(app.getApplicationId().toString(), all, Math::max);
        }
    }

    /** The most containers of an application that ran at once, its master among them. */
    int mostRunning(String application) {
        return running.getOrDefault(application, 0);
    }

    /** The most containers it held at once, those that were never started among them. */
    int mostHeld(String application) {
        return held.getOrDefault(application, 0);
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
