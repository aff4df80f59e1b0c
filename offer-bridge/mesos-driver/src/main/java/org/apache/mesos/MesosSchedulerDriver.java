// SPDX-License-Identifier: Apache-2.0
package org.apache.mesos;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.mesos.Protos.Credential;
import org.apache.mesos.Protos.ExecutorID;
import org.apache.mesos.Protos.Filters;
import org.apache.mesos.Protos.FrameworkID;
import org.apache.mesos.Protos.FrameworkInfo;
import org.apache.mesos.Protos.MasterInfo;
import org.apache.mesos.Protos.Offer;
import org.apache.mesos.Protos.OfferID;
import org.apache.mesos.Protos.Request;
import org.apache.mesos.Protos.SlaveID;
import org.apache.mesos.Protos.Status;
import org.apache.mesos.Protos.TaskID;
import org.apache.mesos.Protos.TaskInfo;
import org.apache.mesos.Protos.TaskStatus;
import org.apache.mesos.scheduler.Protos.OfferConstraints;
import org.heddle.mesosdriver.DriverState;
import org.heddle.mesosdriver.SchedulerSession;
import org.heddle.offers.client.protocol.SchedulerCalls;
import org.heddle.offers.client.protocol.SchedulerListener;

/**
 * Mesos' driver of a scheduler, over HTTP and without the native library. One thread makes the call-backs. Methods
 * return at once with the driver's status; they do nothing unless the driver runs.
 *
 * <p>The master is {@code host:port}, {@code https://host:port}, {@code zk://host:port,../path} or {@code
 * file:///path}.
 */
@SuppressWarnings("deprecation") // methods that the interface calls deprecated
public class MesosSchedulerDriver implements SchedulerDriver {
    private static final byte[] NONE = {};

    private final Scheduler scheduler;
    private final FrameworkInfo framework;
    private final Collection<String> suppressedRoles;
    private final String master;
    private final boolean implicitAcknowledgements;
    private final byte[] credential;
    private final Object lock = new Object();
    private DriverState state = DriverState.NOT_STARTED;
    private SchedulerSession session;

    /** Acknowledges updates implicitly, and authenticates with no credential. */
    public MesosSchedulerDriver(Scheduler scheduler, FrameworkInfo framework, String master) {
        this(scheduler, framework, Collections.emptyList(), master, true, NONE);
    }

    /** Acknowledges updates implicitly. */
    public MesosSchedulerDriver(Scheduler scheduler, FrameworkInfo framework, String master, Credential credential) {
        this(scheduler, framework, Collections.emptyList(), master, true, bytes(credential));
    }

    /** @param implicitAcknowledgements false if the scheduler calls {@link #acknowledgeStatusUpdate} itself */
    public MesosSchedulerDriver(
            Scheduler scheduler, FrameworkInfo framework, String master, boolean implicitAcknowledgements) {
        this(scheduler, framework, Collections.emptyList(), master, implicitAcknowledgements, NONE);
    }

    /** @param implicitAcknowledgements false if the scheduler calls {@link #acknowledgeStatusUpdate} itself */
    public MesosSchedulerDriver(
            Scheduler scheduler,
            FrameworkInfo framework,
            String master,
            boolean implicitAcknowledgements,
            Credential credential) {
        this(scheduler, framework, Collections.emptyList(), master, implicitAcknowledgements, bytes(credential));
    }

    /** @param suppressedRoles roles for which no offers are wanted at first */
    public MesosSchedulerDriver(
            Scheduler scheduler,
            FrameworkInfo framework,
            Collection<String> suppressedRoles,
            String master,
            boolean implicitAcknowledgements) {
        this(scheduler, framework, suppressedRoles, master, implicitAcknowledgements, NONE);
    }

    /** @param suppressedRoles roles for which no offers are wanted at first */
    public MesosSchedulerDriver(
            Scheduler scheduler,
            FrameworkInfo framework,
            Collection<String> suppressedRoles,
            String master,
            boolean implicitAcknowledgements,
            Credential credential) {
        this(scheduler, framework, suppressedRoles, master, implicitAcknowledgements, bytes(credential));
    }

    private MesosSchedulerDriver(
            Scheduler scheduler,
            FrameworkInfo framework,
            Collection<String> suppressedRoles,
            String master,
            boolean implicitAcknowledgements,
            byte[] credential) {
        this.scheduler = Objects.requireNonNull(scheduler, "Not expecting a null Scheduler");
        this.framework = Objects.requireNonNull(framework, "Not expecting a null FrameworkInfo");
        this.suppressedRoles =
                new ArrayList<>(Objects.requireNonNull(suppressedRoles, "Not expecting a null suppressedRoles"));
        this.master = Objects.requireNonNull(master, "Not expecting a null master");
        this.implicitAcknowledgements = implicitAcknowledgements;
        this.credential = credential;
    }

    private static byte[] bytes(Credential credential) {
        return Objects.requireNonNull(credential, "Not expecting a null credential")
                .toByteArray();
    }

    // ---- its life ----

    private Status status() {
        synchronized (lock) {
            return DriverStatus.of(state);
        }
    }

    @Override
    public Status start() {
        String problem;
        synchronized (lock) {
            if (state != DriverState.NOT_STARTED) {
                return DriverStatus.of(state);
            }
            try {
                session = new SchedulerSession(
                        framework.toByteArray(), suppressedRoles, master, credential, System.getenv(), new Events());
                state = DriverState.RUNNING;
                session.start();
                return DriverStatus.of(state);
            } catch (IllegalArgumentException | IOException e) {
                state = DriverState.ABORTED;
                problem = e.getMessage();
            }
        }
        scheduler.error(this, problem);
        return Status.DRIVER_ABORTED;
    }

    @Override
    public Status stop() {
        return stop(false);
    }

    @Override
    public Status stop(boolean failover) {
        DriverState before;
        SchedulerSession ending;
        synchronized (lock) {
            before = state;
            if (before != DriverState.RUNNING && before != DriverState.ABORTED) {
                return DriverStatus.of(before);
            }
            state = DriverState.STOPPED;
            ending = session;
        }
        if (before == DriverState.RUNNING) {
            ending.stop(failover);
        }
        return before == DriverState.ABORTED ? Status.DRIVER_ABORTED : Status.DRIVER_STOPPED;
    }

    @Override
    public Status abort() {
        synchronized (lock) {
            if (state == DriverState.RUNNING) {
                state = DriverState.ABORTED;
                session.abort();
            }
            return DriverStatus.of(state);
        }
    }

    @Override
    public Status join() {
        SchedulerSession joined;
        synchronized (lock) {
            if (state != DriverState.RUNNING) {
                return DriverStatus.of(state);
            }
            joined = session;
        }
        try {
            joined.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return status();
    }

    @Override
    public Status run() {
        Status status = start();
        return status != Status.DRIVER_RUNNING ? status : join();
    }

    // ---- calls ----

    private interface Call {
        void on(SchedulerSession session) throws IOException;
    }

    private Status call(Call call) {
        SchedulerSession current;
        synchronized (lock) {
            if (state != DriverState.RUNNING) {
                return DriverStatus.of(state);
            }
            current = session;
        }
        try {
            call.on(current);
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        return status();
    }

    @Override
    public Status requestResources(Collection<Request> requests) {
        List<byte[]> all = new ArrayList<>();
        requests.forEach(request -> all.add(request.toByteArray()));
        return call(current -> current.request(all));
    }

    @Override
    public Status launchTasks(Collection<OfferID> offerIds, Collection<TaskInfo> tasks, Filters filters) {
        List<byte[]> all = new ArrayList<>();
        tasks.forEach(task -> all.add(task.toByteArray()));
        return accept(offerIds, Collections.singletonList(SchedulerCalls.launch(all)), filters);
    }

    @Override
    public Status launchTasks(Collection<OfferID> offerIds, Collection<TaskInfo> tasks) {
        return launchTasks(offerIds, tasks, Filters.newBuilder().build());
    }

    @Override
    public Status launchTasks(OfferID offerId, Collection<TaskInfo> tasks, Filters filters) {
        return launchTasks(Collections.singleton(offerId), tasks, filters);
    }

    @Override
    public Status launchTasks(OfferID offerId, Collection<TaskInfo> tasks) {
        return launchTasks(Collections.singleton(offerId), tasks);
    }

    @Override
    public Status acceptOffers(Collection<OfferID> offerIds, Collection<Offer.Operation> operations, Filters filters) {
        List<byte[]> all = new ArrayList<>();
        operations.forEach(operation -> all.add(operation.toByteArray()));
        return accept(offerIds, all, filters);
    }

    private Status accept(Collection<OfferID> offerIds, List<byte[]> operations, Filters filters) {
        List<byte[]> ids = new ArrayList<>();
        offerIds.forEach(id -> ids.add(id.toByteArray()));
        return call(current -> current.accept(ids, operations, filters.toByteArray()));
    }

    @Override
    public Status declineOffer(OfferID offerId, Filters filters) {
        return call(current -> current.decline(offerId.toByteArray(), filters.toByteArray()));
    }

    @Override
    public Status declineOffer(OfferID offerId) {
        return declineOffer(offerId, Filters.newBuilder().build());
    }

    @Override
    public Status killTask(TaskID taskId) {
        return call(current -> current.kill(taskId.toByteArray()));
    }

    @Override
    public Status reviveOffers() {
        return reviveOffers(Collections.emptyList());
    }

    @Override
    public Status reviveOffers(Collection<String> roles) {
        return call(current -> current.revive(roles));
    }

    @Override
    public Status suppressOffers() {
        return suppressOffers(Collections.emptyList());
    }

    @Override
    public Status suppressOffers(Collection<String> roles) {
        return call(current -> current.suppress(roles));
    }

    /** @throws IllegalStateException if the driver acknowledges updates itself */
    @Override
    public Status acknowledgeStatusUpdate(TaskStatus status) {
        if (implicitAcknowledgements) {
            throw new IllegalStateException("cannot acknowledge the update of task "
                    + status.getTaskId().getValue()
                    + ": this driver was made with implicit acknowledgements");
        }
        return call(current -> current.acknowledge(status.toByteArray()));
    }

    @Override
    public Status sendFrameworkMessage(ExecutorID executorId, SlaveID slaveId, byte[] data) {
        return call(current -> current.message(executorId.toByteArray(), slaveId.toByteArray(), data));
    }

    @Override
    public Status reconcileTasks(Collection<TaskStatus> statuses) {
        List<byte[]> all = new ArrayList<>();
        statuses.forEach(status -> all.add(status.toByteArray()));
        return call(current -> current.reconcile(all));
    }

    @Override
    public Status updateFramework(FrameworkInfo info, Collection<String> suppressed) {
        return call(current -> current.updateFramework(info.toByteArray(), suppressed, NONE));
    }

    @Override
    public Status updateFramework(FrameworkInfo info, Collection<String> suppressed, OfferConstraints constraints) {
        return call(current -> current.updateFramework(info.toByteArray(), suppressed, constraints.toByteArray()));
    }

    // ---- call-backs ----

    /** From bytes to the messages of whichever Mesos jar the framework brings. */
    private final class Events implements SchedulerListener {
        private final MesosSchedulerDriver driver = MesosSchedulerDriver.this;

        @Override
        public void subscribed(byte[] frameworkId, byte[] masterInfo, boolean again) {
            try {
                MasterInfo info = MasterInfo.parseFrom(masterInfo);
                if (again) {
                    scheduler.reregistered(driver, info);
                } else {
                    scheduler.registered(driver, FrameworkID.parseFrom(frameworkId), info);
                }
            } catch (IOException e) {
                throw malformed(e);
            }
        }

        @Override
        public void disconnected() {
            scheduler.disconnected(driver);
        }

        @Override
        public void offers(List<byte[]> offers) {
            List<Offer> all = new ArrayList<>();
            try {
                for (byte[] offer : offers) {
                    all.add(Offer.parseFrom(offer));
                }
            } catch (IOException e) {
                throw malformed(e);
            }
            scheduler.resourceOffers(driver, all);
        }

        @Override
        public void rescinded(byte[] offerId) {
            try {
                scheduler.offerRescinded(driver, OfferID.parseFrom(offerId));
            } catch (IOException e) {
                throw malformed(e);
            }
        }

        @Override
        public void inverseOffers(List<byte[]> offers) {}

        @Override
        public void update(byte[] bytes) {
            try {
                scheduler.statusUpdate(driver, TaskStatus.parseFrom(bytes));
                if (implicitAcknowledgements) {
                    call(current -> current.acknowledge(bytes));
                }
            } catch (IOException e) {
                throw malformed(e);
            }
        }

        @Override
        public void message(byte[] executorId, byte[] agentId, byte[] data) {
            try {
                scheduler.frameworkMessage(driver, ExecutorID.parseFrom(executorId), SlaveID.parseFrom(agentId), data);
            } catch (IOException e) {
                throw malformed(e);
            }
        }

        @Override
        public void failure(byte[] agentId, byte[] executorId, int status) {
            try {
                SlaveID agent = SlaveID.parseFrom(agentId);
                if (executorId.length > 0) {
                    scheduler.executorLost(driver, ExecutorID.parseFrom(executorId), agent, status);
                } else {
                    scheduler.slaveLost(driver, agent);
                }
            } catch (IOException e) {
                throw malformed(e);
            }
        }

        @Override
        public void failed(String message) {
            abort();
            scheduler.error(driver, message);
        }

        private IllegalStateException malformed(IOException e) {
            return new IllegalStateException("the master sent a malformed message: " + e.getMessage(), e);
        }
    }
}
