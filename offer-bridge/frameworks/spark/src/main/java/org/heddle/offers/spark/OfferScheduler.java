// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.InverseOffer;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.heddle.offers.client.Bridges;
import org.heddle.offers.client.HttpSchedulerDriver;
import org.heddle.offers.client.Scheduler;
import org.heddle.offers.client.SchedulerDriver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The framework that launches executors. Offers are wanted (REVIVE) only while executors are; otherwise they are
 * suppressed, so that the cluster's other applications get the resources.
 */
final class OfferScheduler implements Scheduler {
    private static final Logger LOG = LoggerFactory.getLogger(OfferScheduler.class);
    private static final long WARNING_MILLIS = 60_000;

    private final ExecutorTable table;
    private final ExecutorSize size;
    private final ExecutorEvents events;
    private final LongSupplier clock;
    private final SchedulerDriver driver;
    /** Calls wait for the bridge's answer, which Spark's threads must not do. */
    private final ExecutorService calls = Executors.newSingleThreadExecutor(body -> {
        Thread thread = new Thread(body, "offers-calls");
        thread.setDaemon(true);
        return thread;
    });

    private final AtomicBoolean stopped = new AtomicBoolean();
    private long warned = Long.MIN_VALUE / 2;

    @GuardedBy("driver")
    private boolean subscribed;

    @GuardedBy("driver")
    private boolean revived;

    OfferScheduler(
            FrameworkInfo info,
            Bridges bridges,
            ExecutorTable table,
            ExecutorSize size,
            ExecutorEvents events,
            LongSupplier clock) {
        this.table = table;
        this.size = size;
        this.events = events;
        this.clock = clock;
        this.driver = new HttpSchedulerDriver(this, info, bridges);
    }

    void start() {
        driver.start();
    }

    /** From now on nothing is launched, and the ends of executors are no news. */
    void ending() {
        stopped.set(true);
    }

    /** Ends the framework and its executors. */
    void stop() {
        ending();
        calls.shutdownNow();
        driver.stop(false);
    }

    /** Asks for offers or suppresses them, as {@link ExecutorTable#wanted} says. Returns at once. */
    void demandChanged() {
        later(this::applyDemand);
    }

    void kill(Collection<String> executorIds) {
        List<ExecutorTask> tasks = table.live().stream()
                .filter(task -> executorIds.contains(task.id()))
                .collect(Collectors.toList());
        later(() -> tasks.forEach(task -> driver.killTask(MesosMessages.task(task.taskId()))));
    }

    /** Runs something on the thread of calls. */
    void later(Runnable body) {
        try {
            calls.execute(() -> {
                try {
                    body.run();
                } catch (RuntimeException e) {
                    if (!stopped.get()) {
                        LOG.warn("A call to the bridge failed: {}", e.getMessage(), e);
                    }
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("The application has stopped", e);
        }
    }

    private void applyDemand() {
        synchronized (driver) {
            boolean wants = table.wanted() > 0;
            if (!subscribed || wants == revived) {
                return;
            }
            revived = wants;
            if (wants) {
                driver.reviveOffers();
            } else {
                driver.suppressOffers();
            }
        }
    }

    @Override
    public void registered(SchedulerDriver same, FrameworkID frameworkId, boolean again) {
        LOG.info(
                "{} with the bridge as framework {}",
                again ? "Subscribed again" : "Subscribed",
                frameworkId.getValue());
        synchronized (driver) {
            subscribed = true;
            revived = table.wanted() == 0; // so that the next lines send the one or the other
        }
        driver.requestResources(MesosMessages.resources(size));
        applyDemand();
        if (again) {
            // A launch, or the end of an executor, may have been lost with the connection.
            driver.reconcileTasks(
                    table.live().stream().map(OfferScheduler::known).collect(Collectors.toList()));
        } else {
            events.subscribed(frameworkId.getValue());
        }
    }

    private static TaskStatus known(ExecutorTask task) {
        return TaskStatus.newBuilder()
                .setTaskId(MesosMessages.task(task.taskId()))
                .setAgentId(MesosMessages.agent(task.agent))
                .setState(TaskState.TASK_STAGING)
                .build();
    }

    @Override
    public void disconnected(SchedulerDriver same) {
        LOG.warn("The connection to the bridge is lost; executors run on, and the connection is made again");
    }

    @Override
    public void resourceOffers(SchedulerDriver same, List<Offer> offers) {
        if (stopped.get()) {
            return;
        }
        List<OfferView> views = offers.stream().map(OfferView::of).collect(Collectors.toList());
        Map<OfferDecision, List<ExecutorTask>> decisions = table.decide(views, clock.getAsLong());
        decisions.forEach(this::answer);
        demandChanged();
    }

    private void answer(OfferDecision decision, List<ExecutorTask> executors) {
        OfferView offer = decision.offer;
        if (executors.isEmpty()) {
            warnIfSmall(offer);
            LOG.debug("Declined {} for {} s", offer, decision.refuseSeconds);
            driver.declineOffers(List.of(MesosMessages.offer(offer.id)), MesosMessages.refuse(decision.refuseSeconds));
            return;
        }
        List<TaskInfo> tasks = new ArrayList<>();
        for (ExecutorTask executor : executors) {
            LOG.info("Launching executor {} of {} on {}", executor.id(), size, executor.host);
            tasks.add(TaskInfo.newBuilder()
                    .setName("executor " + executor.id())
                    .setTaskId(MesosMessages.task(executor.taskId()))
                    .setAgentId(MesosMessages.agent(executor.agent))
                    .addAllResources(MesosMessages.resources(size))
                    .setCommand(events.command(executor))
                    .build());
        }
        driver.launchTasks(List.of(MesosMessages.offer(offer.id)), tasks, MesosMessages.refuse(decision.refuseSeconds));
    }

    private void warnIfSmall(OfferView offer) {
        long now = clock.getAsLong();
        if (table.wanted() > 0 && size.fitsIn(offer.cpus, offer.memMb) == 0 && now - warned > WARNING_MILLIS) {
            warned = now;
            LOG.warn(
                    "An {} is too small: an executor needs {} (spark.executor.cores; spark.executor.memory and its"
                            + " overhead). YARN's largest container, or the room of the queue, may be smaller.",
                    offer,
                    size);
        }
    }

    @Override
    public void statusUpdate(SchedulerDriver same, TaskStatus status) {
        if (stopped.get() || !LossReasons.isEnd(status)) {
            return;
        }
        ExecutorTask task = table.ended(
                ExecutorTask.executorId(status.getTaskId().getValue()),
                LossReasons.isFailure(status),
                clock.getAsLong());
        if (task != null) {
            LOG.info("Executor {} has ended: {}", task.id(), LossReasons.text(status));
            events.lost(task, LossReasons.of(status, task.host));
            demandChanged();
        }
    }

    @Override
    public void inverseOffers(SchedulerDriver same, List<InverseOffer> offers) {
        events.inverseOffers(offers);
    }

    @Override
    public void error(SchedulerDriver same, String message) {
        if (!stopped.get()) {
            events.failed(message);
        }
    }
}
