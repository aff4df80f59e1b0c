// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.example;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.Resource;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.Protos.Value;
import org.heddle.offers.client.Bridges;
import org.heddle.offers.client.HttpSchedulerDriver;
import org.heddle.offers.client.Scheduler;
import org.heddle.offers.client.SchedulerDriver;

/** A whole framework: runs shell commands wherever there is room, runs lost ones again, ends when all are done. */
public final class ShellBatch implements Scheduler {
    private static final double CPUS = 0.5;
    private static final double MEM_MB = 64;

    private final Deque<String> waiting;
    private final Map<String, String> running = new ConcurrentHashMap<>();
    private final Map<String, TaskState> failed = new ConcurrentHashMap<>();
    private int launched;

    ShellBatch(List<String> commands) {
        this.waiting = new ArrayDeque<>(commands);
    }

    @Override
    public void registered(SchedulerDriver driver, FrameworkID frameworkId, boolean again) {
        if (again) {
            driver.reconcileTasks(List.of());
        }
    }

    @Override
    public void resourceOffers(SchedulerDriver driver, List<Offer> offers) {
        for (Offer offer : offers) {
            List<TaskInfo> tasks = new ArrayList<>();
            double cpus = amount(offer, "cpus");
            double mem = amount(offer, "mem");
            while (!waiting.isEmpty() && cpus >= CPUS && mem >= MEM_MB) {
                tasks.add(task(offer, waiting.removeFirst()));
                cpus -= CPUS;
                mem -= MEM_MB;
            }
            if (tasks.isEmpty()) {
                driver.declineOffers(List.of(offer.getId()));
            } else {
                driver.launchTasks(List.of(offer.getId()), tasks);
            }
        }
    }

    @Override
    public void statusUpdate(SchedulerDriver driver, TaskStatus status) {
        String command = running.get(status.getTaskId().getValue());
        if (command == null || status.getState() == TaskState.TASK_RUNNING) {
            return;
        }
        running.remove(status.getTaskId().getValue());
        if (status.getState() == TaskState.TASK_LOST || status.getState() == TaskState.TASK_KILLED) {
            waiting.addLast(command);
            driver.reviveOffers();
        } else if (status.getState() != TaskState.TASK_FINISHED) {
            failed.put(command, status.getState());
        }
        if (waiting.isEmpty() && running.isEmpty()) {
            driver.stop(false);
        }
    }

    private TaskInfo task(Offer offer, String command) {
        String id = "command-" + launched++;
        running.put(id, command);
        return TaskInfo.newBuilder()
                .setName(command)
                .setTaskId(TaskID.newBuilder().setValue(id))
                .setAgentId(offer.getAgentId())
                .addResources(scalar("cpus", CPUS))
                .addResources(scalar("mem", MEM_MB))
                .setCommand(CommandInfo.newBuilder().setValue(command))
                .build();
    }

    private static double amount(Offer offer, String name) {
        return offer.getResourcesList().stream()
                .filter(resource -> resource.getName().equals(name))
                .mapToDouble(resource -> resource.getScalar().getValue())
                .sum();
    }

    private static Resource scalar(String name, double value) {
        Value.Scalar scalar = Value.Scalar.newBuilder().setValue(value).build();
        return Resource.newBuilder()
                .setName(name)
                .setType(Value.Type.SCALAR)
                .setScalar(scalar)
                .build();
    }

    /** Runs the commands; returns those that failed. */
    public static Map<String, TaskState> run(Bridges bridges, List<String> commands) throws InterruptedException {
        return run(bridges, System.getProperty("user.name"), commands);
    }

    /** Runs the commands as a user; returns those that failed. */
    public static Map<String, TaskState> run(Bridges bridges, String user, List<String> commands)
            throws InterruptedException {
        FrameworkInfo info = FrameworkInfo.newBuilder()
                .setUser(user)
                .setName("shell-batch")
                .setFailoverTimeout(60)
                .build();
        ShellBatch batch = new ShellBatch(commands);
        try (SchedulerDriver driver = new HttpSchedulerDriver(batch, info, bridges)) {
            driver.start();
            String error = driver.join();
            if (!error.isEmpty()) {
                throw new IllegalStateException(error);
            }
        }
        return batch.failed;
    }
}
