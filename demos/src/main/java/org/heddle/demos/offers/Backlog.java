// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.offers;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
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

/**
 * A framework with more work than the cluster has room for: it fills every offer with tasks of one size and counts
 * those that finish.
 */
final class Backlog implements Scheduler, AutoCloseable {
    private final String name;
    private final double cpus;
    private final double memoryMb;
    private final double seconds;
    private final SchedulerDriver driver;
    private final AtomicInteger launched = new AtomicInteger();
    private final AtomicInteger finished = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();
    private volatile String trouble = "";

    /**
     * @param cpus CPUs of each task
     * @param memoryMb memory of each task, MiB
     * @param seconds how long each task sleeps
     */
    Backlog(String name, double cpus, double memoryMb, double seconds, Bridges bridges) {
        this.name = name;
        this.cpus = cpus;
        this.memoryMb = memoryMb;
        this.seconds = seconds;
        this.driver = new HttpSchedulerDriver(this, info(name), bridges);
    }

    @SuppressWarnings("deprecation") // the one role of a framework that is not MULTI_ROLE capable
    private static FrameworkInfo info(String name) {
        return FrameworkInfo.newBuilder()
                .setName(name)
                .setUser(System.getProperty("user.name"))
                .setRole(name)
                .build();
    }

    void start() {
        driver.start();
    }

    String name() {
        return name;
    }

    int finished() {
        return finished.get();
    }

    int lost() {
        return lost.get();
    }

    /** The bridge's last refusal; empty if there was none. */
    String trouble() {
        return trouble;
    }

    /** Description of the backlog beside its line in the picture. */
    String demand() {
        return String.format(Locale.ROOT, "tasks of %.1f CPU, %.0f MiB, %.0f s", cpus, memoryMb, seconds);
    }

    @Override
    public void registered(SchedulerDriver with, FrameworkID frameworkId, boolean again) {}

    @Override
    public void resourceOffers(SchedulerDriver with, List<Offer> offers) {
        for (Offer offer : offers) {
            List<TaskInfo> tasks = new ArrayList<>();
            double freeCpus = amount(offer, "cpus");
            double freeMemory = amount(offer, "mem");
            while (freeCpus >= cpus && freeMemory >= memoryMb) {
                tasks.add(task(offer));
                freeCpus -= cpus;
                freeMemory -= memoryMb;
            }
            if (tasks.isEmpty()) {
                with.declineOffers(List.of(offer.getId()));
            } else {
                with.launchTasks(List.of(offer.getId()), tasks);
            }
        }
    }

    private TaskInfo task(Offer offer) {
        String id = name + "-" + launched.incrementAndGet();
        return TaskInfo.newBuilder()
                .setName(id)
                .setTaskId(TaskID.newBuilder().setValue(id))
                .setAgentId(offer.getAgentId())
                .addResources(scalar("cpus", cpus))
                .addResources(scalar("mem", memoryMb))
                .setCommand(CommandInfo.newBuilder().setValue("sleep " + seconds))
                .build();
    }

    private static double amount(Offer offer, String resource) {
        return offer.getResourcesList().stream()
                .filter(one -> one.getName().equals(resource))
                .mapToDouble(one -> one.getScalar().getValue())
                .sum();
    }

    private static Resource scalar(String resource, double value) {
        return Resource.newBuilder()
                .setName(resource)
                .setType(Value.Type.SCALAR)
                .setScalar(Value.Scalar.newBuilder().setValue(value))
                .build();
    }

    @Override
    public void statusUpdate(SchedulerDriver with, TaskStatus status) {
        if (status.getState() == TaskState.TASK_FINISHED) {
            finished.incrementAndGet();
        } else if (status.getState() != TaskState.TASK_RUNNING) {
            lost.incrementAndGet();
        }
    }

    @Override
    public void error(SchedulerDriver with, String message) {
        trouble = message;
    }

    /** Ends the framework and its tasks. */
    @Override
    public void close() {
        driver.stop(false);
        driver.close();
    }
}
