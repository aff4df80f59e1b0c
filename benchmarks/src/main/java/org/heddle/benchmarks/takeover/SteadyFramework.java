// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.takeover;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.heddle.offers.client.Scheduler;
import org.heddle.offers.client.SchedulerDriver;
import org.heddle.offers.fixture.WireClient;

/**
 * A framework with some tasks that run for ever, and one short task after the other beside them. When it is connected
 * again it reconciles the former, and tells the timeline what it sees. All calls come from the driver's thread.
 */
final class SteadyFramework implements Scheduler {
    static final String BACK = "the framework is back, s";
    static final String RECONCILED = "all tasks reconciled, s";
    static final String OFFER = "the next offer, s";
    static final String TASK = "the next task runs, s";
    static final int TASKS = 20;

    private static final double CPUS = 0.1;
    private static final int MEGABYTES = 32;
    private static final String STEADY = "steady-";

    private final Timeline timeline;
    /** The last status of each of those that run for ever. */
    private final Map<String, TaskStatus> running = new ConcurrentHashMap<>();

    private final Set<String> asked = ConcurrentHashMap.newKeySet();
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private final AtomicInteger ended = new AtomicInteger();
    private int steady;
    private int ticks;
    /** The first short task that was launched after the kill. */
    private String firstTick = "";

    SteadyFramework(Timeline timeline) {
        this.timeline = timeline;
    }

    /** Whether all tasks run that do so for ever, and short ones come and go. */
    boolean isSteady() {
        return running.size() == TASKS && ended.get() > 2;
    }

    /** What went wrong, a sentence each. */
    List<String> problems() {
        return problems;
    }

    @Override
    public void registered(SchedulerDriver driver, FrameworkID frameworkId, boolean again) {
        firstTick = "";
        if (again) {
            asked.addAll(running.keySet());
            timeline.reached(BACK);
            driver.reconcileTasks(running.values());
        }
    }

    @Override
    public void resourceOffers(SchedulerDriver driver, List<Offer> offers) {
        if (timeline.has(BACK)) {
            timeline.reached(OFFER);
        }
        for (Offer offer : offers) {
            driver.launchTasks(List.of(offer.getId()), tasks(offer));
        }
    }

    private List<TaskInfo> tasks(Offer offer) {
        if (steady == TASKS) {
            String id = "tick-" + ticks++;
            if (timeline.has(OFFER) && firstTick.isEmpty()) {
                firstTick = id;
            }
            return List.of(WireClient.task(id, offer, "sleep 0.3", CPUS, MEGABYTES));
        }
        double room = Math.min(WireClient.amount(offer, "cpus") / CPUS, WireClient.amount(offer, "mem") / MEGABYTES);
        List<TaskInfo> tasks = new ArrayList<>();
        for (int i = 0; i < (int) room && steady < TASKS; i++) {
            tasks.add(WireClient.task(STEADY + steady++, offer, "exec sleep 100000", CPUS, MEGABYTES));
        }
        return tasks;
    }

    @Override
    public void statusUpdate(SchedulerDriver driver, TaskStatus status) {
        String id = status.getTaskId().getValue();
        boolean runs = status.getState() == TaskState.TASK_RUNNING;
        if (!id.startsWith(STEADY)) {
            if (runs && id.equals(firstTick)) {
                timeline.reached(TASK);
            }
            ended.addAndGet(status.getState() == TaskState.TASK_FINISHED ? 1 : 0);
        } else if (runs) {
            running.put(id, status);
            boolean answered = status.getReason() == TaskStatus.Reason.REASON_RECONCILIATION && asked.remove(id);
            if (answered && asked.isEmpty()) {
                timeline.reached(RECONCILED);
            }
        } else if (status.getState() != TaskState.TASK_STARTING) {
            problems.add(id + " is " + status.getState() + ": " + status.getMessage());
        }
    }

    @Override
    public void error(SchedulerDriver driver, String message) {
        problems.add("the driver has stopped: " + message);
    }
}
