// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers.emulation;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.OfferID;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.fixture.WireClient;
import org.heddle.offers.master.Master;
import org.heddle.offers.master.state.EventSink;

/**
 * A framework that calls the master without HTTP. Its tasks sleep; one that does not finish is a failure of the
 * emulation. But a launch may come too late, as in Mesos: its offer has been rescinded, and the task is lost before it
 * starts. Then the framework goes on with its next offer.
 */
abstract class EmulatedFramework implements EventSink<Event> {
    private static final double MEGABYTES = 64;

    private final String id;
    private final double cpus;
    private final Master master;
    private final EmulatedThread thread;
    private final AtomicInteger late = new AtomicInteger();
    private int tasks;

    /**
     * @param cpus that each task has
     * @param thread in which it gets its events
     */
    EmulatedFramework(String id, double cpus, Master master, EmulatedThread thread) {
        this.id = id;
        this.cpus = cpus;
        this.master = master;
        this.thread = thread;
    }

    /** Answers an offer, or keeps it. */
    abstract void offered(Offer offer);

    /** An offer without an answer has ended. */
    abstract void rescinded(OfferID offer);

    abstract void finished(String task);

    /** The offer of a task had ended when the launch came. */
    abstract void tooLate(String task);

    /** How many launches came too late. From any thread. */
    final int late() {
        return late.get();
    }

    final void subscribe() {
        master.subscribe(
                WireClient.subscribeCall(
                                WireClient.info(id).setId(frameworkId()).build())
                        .build(),
                streamId(),
                "",
                this);
        call(WireClient.requestCall(cpus, MEGABYTES));
    }

    /** Launches a task of that length, and returns its name. */
    final String launch(Offer offer, long millis) {
        String task = id + "-" + tasks++;
        call(WireClient.launchCall(
                offer, 0, WireClient.task(task, offer, EmulatedAgents.command(millis), cpus, MEGABYTES)));
        return task;
    }

    private FrameworkID frameworkId() {
        return FrameworkID.newBuilder().setValue(id).build();
    }

    private String streamId() {
        return "stream-" + id;
    }

    private void call(Call.Builder call) {
        master.call(call.setFrameworkId(frameworkId()).build(), streamId(), "", (status, message) -> {
            if (status >= 400) {
                refuse(status, message);
            }
        });
    }

    @Override
    public final void open(String streamId) {}

    @Override
    public final void refuse(int status, String message) {
        throw new IllegalStateException("a call of " + id + " was answered " + status + ": " + message);
    }

    @Override
    public final void send(Event event) {
        thread.now(() -> receive(event));
    }

    private void receive(Event event) {
        switch (event.getType()) {
            case OFFERS -> event.getOffers().getOffersList().forEach(this::offered);
            case RESCIND -> rescinded(event.getRescind().getOfferId());
            case UPDATE -> updated(event.getUpdate().getStatus());
            case ERROR ->
                throw new IllegalStateException(
                        id + " got an error: " + event.getError().getMessage());
            default -> {} // registration and heartbeats
        }
    }

    private void updated(TaskStatus status) {
        if (status.hasUuid()) {
            call(WireClient.acknowledgeCall(status));
        }
        String task = status.getTaskId().getValue();
        if (status.getState() == TaskState.TASK_FINISHED) {
            finished(task);
        } else if (status.getReason() == TaskStatus.Reason.REASON_INVALID_OFFERS) {
            late.incrementAndGet();
            tooLate(task);
        } else if (status.getState() != TaskState.TASK_RUNNING) {
            throw new IllegalStateException("task " + task + " is " + status.getState() + ": " + status.getMessage());
        }
    }

    @Override
    public final void close() {}
}
