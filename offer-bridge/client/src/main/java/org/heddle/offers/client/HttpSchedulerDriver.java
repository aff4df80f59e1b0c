// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client;

import java.io.IOException;
import java.net.URI;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.Filters;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.InverseOffer;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.OfferID;
import org.apache.mesos.v1.Protos.Request;
import org.apache.mesos.v1.Protos.Resource;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.heddle.offers.client.protocol.Answer;
import org.heddle.offers.client.protocol.SchedulerCalls;
import org.heddle.offers.client.protocol.SchedulerConnection;
import org.heddle.offers.client.protocol.SchedulerListener;

/**
 * The driver of a scheduler over the v1 HTTP API, in protobuf. It follows redirects to the leader, and reconnects after
 * every failure: every 50 to 150 ms for the first five seconds, in which a standby takes over, then with pauses that
 * double up to 1 s.
 *
 * <pre>{@code
 * SchedulerDriver driver = new HttpSchedulerDriver(scheduler, info, URI.create("http://bridge:5050"));
 * driver.start();
 * driver.join();
 * }</pre>
 */
public final class HttpSchedulerDriver implements SchedulerDriver {
    private final Scheduler scheduler;
    private final SchedulerConnection connection;

    /**
     * @param info with the id of an earlier framework to continue it, without an id for a new framework
     * @param bridge for example {@code http://127.0.0.1:5050}
     */
    public HttpSchedulerDriver(Scheduler scheduler, FrameworkInfo info, URI bridge) {
        this(scheduler, info, Bridges.at(bridge));
    }

    /** @param info with the id of an earlier framework to continue it, without an id for a new framework */
    public HttpSchedulerDriver(Scheduler scheduler, FrameworkInfo info, Bridges bridges) {
        this.scheduler = scheduler;
        this.connection = new SchedulerConnection(
                bridges.masters(),
                bridges.transport(),
                info.toByteArray(),
                info.hasId() ? info.getId().toByteArray() : new byte[0],
                new Events());
    }

    @Override
    public void start() {
        connection.start();
    }

    @Override
    public String join() throws InterruptedException {
        connection.join();
        return connection.problem();
    }

    /** From bytes to Mesos' messages. */
    private final class Events implements SchedulerListener {
        @Override
        public void subscribed(byte[] frameworkId, byte[] masterInfo, boolean again) {
            scheduler.registered(HttpSchedulerDriver.this, Messages.parse(FrameworkID.parser(), frameworkId), again);
        }

        @Override
        public void disconnected() {
            scheduler.disconnected(HttpSchedulerDriver.this);
        }

        @Override
        public void offers(List<byte[]> offers) {
            scheduler.resourceOffers(HttpSchedulerDriver.this, Messages.parseAll(Offer.parser(), offers));
        }

        @Override
        public void rescinded(byte[] offerId) {
            scheduler.offerRescinded(HttpSchedulerDriver.this, Messages.parse(OfferID.parser(), offerId));
        }

        @Override
        public void inverseOffers(List<byte[]> offers) {
            scheduler.inverseOffers(HttpSchedulerDriver.this, Messages.parseAll(InverseOffer.parser(), offers));
        }

        @Override
        public void update(byte[] bytes) {
            TaskStatus status = Messages.parse(TaskStatus.parser(), bytes);
            scheduler.statusUpdate(HttpSchedulerDriver.this, status);
            // A scheduler may stop the driver when its last task ends: no framework is left for which to acknowledge.
            if (status.hasUuid() && !connection.isStopped()) {
                acknowledge(bytes);
            }
        }

        @Override
        public void message(byte[] executorId, byte[] agentId, byte[] data) {
            scheduler.frameworkMessage(
                    HttpSchedulerDriver.this,
                    Messages.parse(ExecutorID.parser(), executorId),
                    Messages.parse(AgentID.parser(), agentId),
                    data);
        }

        @Override
        public void failure(byte[] agentId, byte[] executorId, int status) {
            AgentID agent = Messages.parse(AgentID.parser(), agentId);
            if (executorId.length > 0) {
                scheduler.executorLost(
                        HttpSchedulerDriver.this, Messages.parse(ExecutorID.parser(), executorId), agent, status);
            } else {
                scheduler.agentLost(HttpSchedulerDriver.this, agent);
            }
        }

        @Override
        public void failed(String message) {
            scheduler.error(HttpSchedulerDriver.this, message);
        }
    }

    // ---- calls ----

    private byte[] id() {
        byte[] id = connection.frameworkId();
        if (id.length == 0) {
            throw new IllegalStateException("not subscribed yet: wait for Scheduler.registered");
        }
        return id;
    }

    private void send(String name, byte[] call) {
        try {
            Answer answer = connection.send(call);
            if (answer.isWrong()) {
                throw new IllegalArgumentException(name + " was refused: " + answer.text());
            }
        } catch (IOException e) {
            // Lost with the connection; the class comment of SchedulerDriver says what that means.
        }
    }

    private void acknowledge(byte[] status) {
        try {
            send("ACKNOWLEDGE", SchedulerCalls.acknowledge(id(), status));
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    @Override
    public void stop(boolean failover) {
        if (!connection.stop()) {
            return;
        }
        if (!failover && connection.frameworkId().length > 0) {
            send("TEARDOWN", SchedulerCalls.teardown(id()));
        }
        connection.close();
    }

    @Override
    public void launchTasks(Collection<OfferID> offerIds, Collection<TaskInfo> tasks, Filters filters) {
        accept(offerIds, SchedulerCalls.launch(Messages.bytes(tasks)), filters);
    }

    @Override
    public void launchTaskGroup(
            Collection<OfferID> offerIds, ExecutorInfo executor, Collection<TaskInfo> tasks, Filters filters) {
        accept(offerIds, SchedulerCalls.launchGroup(executor.toByteArray(), Messages.bytes(tasks)), filters);
    }

    private void accept(Collection<OfferID> offerIds, byte[] operation, Filters filters) {
        send(
                "ACCEPT",
                SchedulerCalls.accept(
                        id(), Messages.bytes(offerIds), Collections.singleton(operation), filters.toByteArray()));
    }

    @Override
    public void declineOffers(Collection<OfferID> offerIds, Filters filters) {
        send("DECLINE", SchedulerCalls.decline(id(), Messages.bytes(offerIds), filters.toByteArray()));
    }

    @Override
    public void acceptInverseOffers(Collection<OfferID> inverseOfferIds) {
        send("ACCEPT_INVERSE_OFFERS", SchedulerCalls.acceptInverse(id(), Messages.bytes(inverseOfferIds)));
    }

    @Override
    public void declineInverseOffers(Collection<OfferID> inverseOfferIds) {
        send("DECLINE_INVERSE_OFFERS", SchedulerCalls.declineInverse(id(), Messages.bytes(inverseOfferIds)));
    }

    @Override
    public void suppressOffers(Collection<String> roles) {
        send("SUPPRESS", SchedulerCalls.suppress(id(), roles));
    }

    @Override
    public void reviveOffers(Collection<String> roles) {
        send("REVIVE", SchedulerCalls.revive(id(), roles));
    }

    @Override
    public void updateFramework(FrameworkInfo info, Collection<String> suppressedRoles) {
        byte[] changed = info.toByteArray();
        send("UPDATE_FRAMEWORK", SchedulerCalls.updateFramework(id(), changed, suppressedRoles, new byte[0]));
        connection.setFramework(changed, new byte[0]);
        connection.setSuppressedRoles(suppressedRoles);
    }

    @Override
    public void requestResources(Collection<Resource> size) {
        byte[] request = Request.newBuilder().addAllResources(size).build().toByteArray();
        send("REQUEST", SchedulerCalls.request(id(), Collections.singleton(request)));
    }

    @Override
    public void killTask(TaskID taskId) {
        send("KILL", SchedulerCalls.kill(id(), taskId.toByteArray()));
    }

    @Override
    public void shutdownExecutor(ExecutorID executorId, AgentID agentId) {
        send("SHUTDOWN", SchedulerCalls.shutdown(id(), executorId.toByteArray(), agentId.toByteArray()));
    }

    @Override
    public void reconcileTasks(Collection<TaskStatus> tasks) {
        try {
            send("RECONCILE", SchedulerCalls.reconcile(id(), Messages.bytes(tasks)));
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    @Override
    public void sendFrameworkMessage(ExecutorID executorId, AgentID agentId, byte[] data) {
        send("MESSAGE", SchedulerCalls.message(id(), executorId.toByteArray(), agentId.toByteArray(), data));
    }
}
