// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.Filters;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.OfferID;
import org.apache.mesos.v1.Protos.Request;
import org.apache.mesos.v1.Protos.Resource;
import org.apache.mesos.v1.Protos.TaskGroupInfo;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.jspecify.annotations.Nullable;

/**
 * The driver of a scheduler over the v1 HTTP API, in protobuf. It follows redirects to the leader, and reconnects after every
 * failure: every 50 to 150 ms for the first five seconds, in which a standby takes over, then with pauses that double up to
 * 1 s.
 *
 * <pre>{@code
 * SchedulerDriver driver = new HttpSchedulerDriver(scheduler, info, URI.create("http://bridge:5050"));
 * driver.start();
 * driver.join();
 * }</pre>
 */
public final class HttpSchedulerDriver implements SchedulerDriver {
    private static final String PROTOBUF = "application/x-protobuf";
    private static final String PATH = "/api/v1/scheduler";
    private static final String STREAM_ID = "Mesos-Stream-Id";
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);
    private static final long FIRST_PAUSE = 50;
    private static final long TAKEOVER_PAUSE = 150;
    private static final long LONGEST_PAUSE = 1_000;
    private static final long TAKEOVER_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Scheduler scheduler;
    private final Bridges bridges;
    private final HttpClient http;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread reader = new Thread(this::run, "offers-driver");
    private volatile URI api;
    private volatile String error = "";
    private volatile boolean stopping;

    @GuardedBy("this")
    private FrameworkInfo info;

    @GuardedBy("this")
    private String streamId = "";

    @GuardedBy("this")
    private @Nullable RecordReader stream;

    @GuardedBy("this")
    private boolean closed;

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
        this.info = info;
        this.bridges = bridges;
        this.http = bridges.client();
        this.api = bridges.address(0).resolve(PATH);
        reader.setDaemon(true);
    }

    @Override
    public void start() {
        reader.start();
    }

    @Override
    public String join() throws InterruptedException {
        ended.await();
        return error;
    }

    // ---- the stream ----

    private void run() {
        long pause = FIRST_PAUSE;
        boolean again = false;
        int attempt = 0;
        long lost = System.nanoTime();
        try {
            while (!stopping) {
                try (RecordReader events = subscribe()) {
                    if (events != null) {
                        try {
                            again = read(events, again);
                        } finally {
                            pause = FIRST_PAUSE;
                            lost = System.nanoTime();
                        }
                        if (!stopping) {
                            scheduler.disconnected(this);
                        }
                    }
                } catch (IOException e) {
                    // No bridge at the moment: the driver tries again after a pause.
                    if (!stopping) {
                        error = String.valueOf(e.getMessage());
                    }
                    api = bridges.address(++attempt).resolve(PATH);
                }
                if (!stopping) {
                    TimeUnit.MILLISECONDS.sleep(pause);
                    long longest = System.nanoTime() - lost < TAKEOVER_NANOS ? TAKEOVER_PAUSE : LONGEST_PAUSE;
                    pause = Math.min(longest, pause * 2);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            fail("the scheduler failed: " + e);
        } finally {
            ended.countDown();
        }
    }

    private @Nullable RecordReader subscribe() throws IOException, InterruptedException {
        Call.Builder call = Call.newBuilder().setType(Call.Type.SUBSCRIBE);
        synchronized (this) {
            if (info.hasId()) {
                call.setFrameworkId(info.getId());
            }
            call.setSubscribe(Call.Subscribe.newBuilder().setFrameworkInfo(info));
        }
        HttpResponse<InputStream> response =
                http.send(request(call.build(), "").build(), HttpResponse.BodyHandlers.ofInputStream());
        if (response.statusCode() == 307) {
            response.headers()
                    .firstValue("Location")
                    .map(leader -> api.resolve(leader).resolve(PATH))
                    // Secrets are not sent over connections that others can read.
                    .filter(leader -> leader.getScheme().equals(api.getScheme()))
                    .ifPresent(leader -> api = leader);
            return null;
        }
        if (response.statusCode() != 200) {
            try (InputStream body = response.body()) {
                String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
                if (response.statusCode() / 100 == 4) {
                    fail("SUBSCRIBE was refused with " + response.statusCode() + ": " + text);
                    return null;
                }
                // This bridge knows no leader; another bridge may.
                throw new IOException("SUBSCRIBE was answered " + response.statusCode() + ": " + text);
            }
        }
        RecordReader events = new RecordReader(response.body());
        synchronized (this) {
            streamId = response.headers().firstValue(STREAM_ID).orElse("");
            stream = events;
            if (closed) {
                events.close();
            }
        }
        return events;
    }

    /** Reads to the end. If the stream closed before the bridge had read TEARDOWN, the framework would count as disconnected. */
    private boolean read(RecordReader events, boolean again) throws IOException {
        boolean known = again;
        for (byte[] record = events.next(); record != null; record = events.next()) {
            if (stopping) {
                continue;
            }
            Event event = Event.parseFrom(record);
            if (event.getType() == Event.Type.SUBSCRIBED) {
                FrameworkID id = event.getSubscribed().getFrameworkId();
                synchronized (this) {
                    info = info.toBuilder().setId(id).build();
                }
                error = "";
                scheduler.registered(this, id, known);
                known = true;
            } else {
                handle(event);
            }
        }
        return known;
    }

    @SuppressWarnings("StatementSwitchToExpressionSwitch") // Java 11
    private void handle(Event event) {
        switch (event.getType()) {
            case OFFERS:
                scheduler.resourceOffers(this, event.getOffers().getOffersList());
                break;
            case RESCIND:
                scheduler.offerRescinded(this, event.getRescind().getOfferId());
                break;
            case INVERSE_OFFERS:
                scheduler.inverseOffers(this, event.getInverseOffers().getInverseOffersList());
                break;
            case UPDATE:
                TaskStatus status = event.getUpdate().getStatus();
                scheduler.statusUpdate(this, status);
                if (status.hasUuid()) {
                    acknowledge(status);
                }
                break;
            case MESSAGE:
                scheduler.frameworkMessage(
                        this,
                        event.getMessage().getExecutorId(),
                        event.getMessage().getAgentId(),
                        event.getMessage().getData().toByteArray());
                break;
            case FAILURE:
                if (event.getFailure().hasExecutorId()) {
                    scheduler.executorLost(
                            this,
                            event.getFailure().getExecutorId(),
                            event.getFailure().getAgentId(),
                            event.getFailure().getStatus());
                } else {
                    scheduler.agentLost(this, event.getFailure().getAgentId());
                }
                break;
            case ERROR:
                fail(event.getError().getMessage());
                break;
            default:
                // Heartbeats, and events of later versions of the API.
                break;
        }
    }

    private void fail(String message) {
        stopping = true;
        error = message;
        scheduler.error(this, message);
        closeStream();
    }

    private void closeStream() {
        RecordReader open;
        synchronized (this) {
            closed = true;
            open = stream;
        }
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                error = String.valueOf(e.getMessage());
            }
        }
    }

    // ---- calls ----

    private HttpRequest.Builder request(Call call, String stream) {
        HttpRequest.Builder request = HttpRequest.newBuilder(api)
                .header("Content-Type", PROTOBUF)
                .header("Accept", PROTOBUF)
                .POST(HttpRequest.BodyPublishers.ofByteArray(call.toByteArray()));
        if (!bridges.authorization().isEmpty()) {
            request.header("Authorization", bridges.authorization());
        }
        return stream.isEmpty() ? request : request.header(STREAM_ID, stream);
    }

    private void send(Call.Builder call) {
        String current;
        synchronized (this) {
            if (!info.hasId()) {
                throw new IllegalStateException("not subscribed yet: wait for Scheduler.registered");
            }
            call.setFrameworkId(info.getId());
            current = streamId;
        }
        try {
            HttpResponse<String> response = http.send(
                    request(call.build(), current).timeout(CALL_TIMEOUT).build(), HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() == 400 && !response.body().contains("stream ID")) {
                throw new IllegalArgumentException(call.getType() + " was refused: " + response.body());
            }
        } catch (IOException e) {
            // Lost with the connection; the class comment of SchedulerDriver says what that means.
            error = String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void acknowledge(TaskStatus status) {
        send(Call.newBuilder()
                .setType(Call.Type.ACKNOWLEDGE)
                .setAcknowledge(Call.Acknowledge.newBuilder()
                        .setAgentId(status.getAgentId())
                        .setTaskId(status.getTaskId())
                        .setUuid(status.getUuid())));
    }

    @Override
    public void stop(boolean failover) {
        if (stopping) {
            return;
        }
        stopping = true;
        error = "";
        boolean subscribed;
        synchronized (this) {
            subscribed = info.hasId();
        }
        if (!failover && subscribed) {
            send(Call.newBuilder().setType(Call.Type.TEARDOWN));
        }
        closeStream();
        ended.countDown();
    }

    @Override
    public void launchTasks(Collection<OfferID> offerIds, Collection<TaskInfo> tasks, Filters filters) {
        accept(
                offerIds,
                Offer.Operation.newBuilder()
                        .setType(Offer.Operation.Type.LAUNCH)
                        .setLaunch(Offer.Operation.Launch.newBuilder().addAllTaskInfos(tasks)),
                filters);
    }

    @Override
    public void launchTaskGroup(
            Collection<OfferID> offerIds, ExecutorInfo executor, Collection<TaskInfo> tasks, Filters filters) {
        accept(
                offerIds,
                Offer.Operation.newBuilder()
                        .setType(Offer.Operation.Type.LAUNCH_GROUP)
                        .setLaunchGroup(Offer.Operation.LaunchGroup.newBuilder()
                                .setExecutor(executor)
                                .setTaskGroup(TaskGroupInfo.newBuilder().addAllTasks(tasks))),
                filters);
    }

    private void accept(Collection<OfferID> offerIds, Offer.Operation.Builder operation, Filters filters) {
        send(Call.newBuilder()
                .setType(Call.Type.ACCEPT)
                .setAccept(Call.Accept.newBuilder()
                        .addAllOfferIds(offerIds)
                        .setFilters(filters)
                        .addOperations(operation)));
    }

    @Override
    public void declineOffers(Collection<OfferID> offerIds, Filters filters) {
        send(Call.newBuilder()
                .setType(Call.Type.DECLINE)
                .setDecline(Call.Decline.newBuilder().addAllOfferIds(offerIds).setFilters(filters)));
    }

    @Override
    public void suppressOffers() {
        send(Call.newBuilder().setType(Call.Type.SUPPRESS));
    }

    @Override
    public void reviveOffers() {
        send(Call.newBuilder().setType(Call.Type.REVIVE));
    }

    @Override
    public void requestResources(Collection<Resource> size) {
        send(Call.newBuilder()
                .setType(Call.Type.REQUEST)
                .setRequest(Call.Request.newBuilder()
                        .addRequests(Request.newBuilder().addAllResources(size))));
    }

    @Override
    public void killTask(TaskID taskId) {
        send(Call.newBuilder()
                .setType(Call.Type.KILL)
                .setKill(Call.Kill.newBuilder().setTaskId(taskId)));
    }

    @Override
    public void reconcileTasks(Collection<TaskStatus> tasks) {
        Call.Reconcile.Builder reconcile = Call.Reconcile.newBuilder();
        for (TaskStatus task : tasks) {
            Call.Reconcile.Task.Builder one = Call.Reconcile.Task.newBuilder().setTaskId(task.getTaskId());
            if (task.hasAgentId()) {
                one.setAgentId(task.getAgentId());
            }
            reconcile.addTasks(one);
        }
        send(Call.newBuilder().setType(Call.Type.RECONCILE).setReconcile(reconcile));
    }

    @Override
    public void sendFrameworkMessage(ExecutorID executorId, AgentID agentId, byte[] data) {
        send(Call.newBuilder()
                .setType(Call.Type.MESSAGE)
                .setMessage(Call.Message.newBuilder()
                        .setExecutorId(executorId)
                        .setAgentId(agentId)
                        .setData(ByteString.copyFrom(data))));
    }
}
