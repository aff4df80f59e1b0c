// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.mesos.v1.Protos.AgentID;
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
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.wire.Encoding;
import org.heddle.testkit.Await;
import org.jspecify.annotations.Nullable;

/** A scheduler on the bare wire: what is sent and received is exactly what a test says. */
public final class WireClient implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private final URI api;
    private final Encoding encoding;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final List<Event> seen = new CopyOnWriteArrayList<>();
    private @Nullable InputStream stream;
    private String streamId = "";
    private String frameworkId = "";
    private volatile boolean acknowledges = true;
    private volatile Consumer<Event> watcher = event -> {};

    public WireClient(InetSocketAddress bridge, Encoding encoding) {
        this.api = URI.create("http://" + bridge.getHostString() + ":" + bridge.getPort() + "/api/v1/scheduler");
        this.encoding = encoding;
    }

    /** Subscribes and reads events in a thread of its own. */
    public WireClient subscribe(FrameworkInfo info) throws Exception {
        Call.Builder call = Call.newBuilder()
                .setType(Call.Type.SUBSCRIBE)
                .setSubscribe(Call.Subscribe.newBuilder().setFrameworkInfo(info));
        if (info.hasId()) {
            call.setFrameworkId(info.getId());
        }
        HttpResponse<InputStream> response =
                http.send(request(call.build(), null), HttpResponse.BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            throw new IOException("SUBSCRIBE was answered " + response.statusCode() + ": "
                    + new String(response.body().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8));
        }
        streamId = response.headers().firstValue("Mesos-Stream-Id").orElseThrow();
        stream = new BufferedInputStream(response.body());
        Thread reader = new Thread(this::read, "wire-client");
        reader.setDaemon(true);
        reader.start();
        Event subscribed = await(event -> event.getType() == Event.Type.SUBSCRIBED);
        frameworkId = subscribed.getSubscribed().getFrameworkId().getValue();
        return this;
    }

    public static FrameworkInfo.Builder info(String name) {
        return FrameworkInfo.newBuilder()
                .setUser(System.getProperty("user.name"))
                .setName(name);
    }

    private HttpRequest request(Call call, @Nullable String id) {
        HttpRequest.Builder request = HttpRequest.newBuilder(api)
                .header("Content-Type", encoding.mediaType())
                .header("Accept", encoding.mediaType())
                .POST(HttpRequest.BodyPublishers.ofByteArray(encoding.encode(call)));
        if (id != null) {
            request.header("Mesos-Stream-Id", id);
        }
        return request.build();
    }

    private void read() {
        try {
            InputStream in = java.util.Objects.requireNonNull(stream);
            byte[] record = record(in);
            while (record != null) {
                Event.Builder event = Event.newBuilder();
                encoding.decode(record, event);
                take(event.build());
                record = record(in);
            }
        } catch (IOException e) {
            events.add(Event.newBuilder()
                    .setType(Event.Type.ERROR)
                    .setError(Event.Error.newBuilder().setMessage("the stream ended: " + e.getMessage()))
                    .build());
        }
    }

    /** The next record of a RecordIO stream, null at its end. */
    public static byte @Nullable [] record(InputStream in) throws IOException {
        StringBuilder length = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                return null;
            }
            length.append((char) c);
        }
        return in.readNBytes(Integer.parseInt(length.toString()));
    }

    private void take(Event event) {
        seen.add(event);
        watcher.accept(event);
        events.add(event);
        if (acknowledges
                && event.getType() == Event.Type.UPDATE
                && event.getUpdate().getStatus().hasUuid()) {
            acknowledge(event.getUpdate().getStatus());
        }
    }

    public void acknowledge(TaskStatus status) {
        send(acknowledgeCall(status));
    }

    static Call.Builder acknowledgeCall(TaskStatus status) {
        return Call.newBuilder()
                .setType(Call.Type.ACKNOWLEDGE)
                .setAcknowledge(Call.Acknowledge.newBuilder()
                        .setAgentId(status.getAgentId())
                        .setTaskId(status.getTaskId())
                        .setUuid(status.getUuid()));
    }

    int kill(String taskId) {
        return send(Call.newBuilder()
                .setType(Call.Type.KILL)
                .setKill(Call.Kill.newBuilder().setTaskId(TaskID.newBuilder().setValue(taskId))));
    }

    void decline(Offer offer, double refuseSeconds) {
        send(declineCall(offer, refuseSeconds));
    }

    static Call.Builder declineCall(Offer offer, double refuseSeconds) {
        return Call.newBuilder()
                .setType(Call.Type.DECLINE)
                .setDecline(Call.Decline.newBuilder()
                        .addOfferIds(offer.getId())
                        .setFilters(
                                org.apache.mesos.v1.Protos.Filters.newBuilder().setRefuseSeconds(refuseSeconds)));
    }

    /** Names the size that it wishes offers to have, in CPUs and MiB. */
    static Call.Builder requestCall(double cpus, double mem) {
        return Call.newBuilder()
                .setType(Call.Type.REQUEST)
                .setRequest(Call.Request.newBuilder()
                        .addRequests(org.apache.mesos.v1.Protos.Request.newBuilder()
                                .addResources(scalar("cpus", cpus))
                                .addResources(scalar("mem", mem))));
    }

    public WireClient withoutAcknowledgements() {
        acknowledges = false;
        return this;
    }

    public WireClient watching(Consumer<Event> consumer) {
        watcher = consumer;
        return this;
    }

    /** Sends a call; returns the status of the answer. */
    public int send(Call.Builder call) {
        return answer(call).statusCode();
    }

    public HttpResponse<String> answer(Call.Builder call) {
        Call full = call.setFrameworkId(FrameworkID.newBuilder().setValue(frameworkId))
                .build();
        try {
            return http.send(request(full, streamId), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The next event that is so; others before it are dropped. */
    public Event await(Predicate<Event> wanted) throws InterruptedException {
        return await(wanted, DEADLINE);
    }

    public Event await(Predicate<Event> wanted, Duration deadline) throws InterruptedException {
        long end = System.nanoTime() + Await.stretched(deadline).toNanos();
        while (true) {
            Event event = events.poll(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (event == null) {
                throw new AssertionError("no such event within " + deadline + "; seen: "
                        + seen.stream()
                                .map(one -> one.getType()
                                        + (one.hasUpdate()
                                                ? " "
                                                        + one.getUpdate()
                                                                .getStatus()
                                                                .getState()
                                                        + " "
                                                        + one.getUpdate()
                                                                .getStatus()
                                                                .getMessage()
                                                : ""))
                                .toList());
            }
            if (wanted.test(event)) {
                return event;
            }
        }
    }

    public Offer awaitOffer() throws InterruptedException {
        return await(event -> event.getType() == Event.Type.OFFERS).getOffers().getOffers(0);
    }

    public TaskStatus awaitStatus(String taskId, TaskState state) throws InterruptedException {
        return await(event -> event.getType() == Event.Type.UPDATE
                        && event.getUpdate().getStatus().getTaskId().getValue().equals(taskId)
                        && event.getUpdate().getStatus().getState() == state)
                .getUpdate()
                .getStatus();
    }

    public List<Event> seen() {
        return seen;
    }

    public String frameworkId() {
        return frameworkId;
    }

    public String streamId() {
        return streamId;
    }

    public int launch(Offer offer, double refuseSeconds, TaskInfo... tasks) {
        return send(launchCall(offer, refuseSeconds, tasks));
    }

    public static Call.Builder launchCall(Offer offer, double refuseSeconds, TaskInfo... tasks) {
        return Call.newBuilder()
                .setType(Call.Type.ACCEPT)
                .setAccept(Call.Accept.newBuilder()
                        .addOfferIds(offer.getId())
                        .setFilters(
                                org.apache.mesos.v1.Protos.Filters.newBuilder().setRefuseSeconds(refuseSeconds))
                        .addOperations(Offer.Operation.newBuilder()
                                .setType(Offer.Operation.Type.LAUNCH)
                                .setLaunch(Offer.Operation.Launch.newBuilder().addAllTaskInfos(List.of(tasks)))));
    }

    public static TaskInfo task(String id, Offer offer, String command, double cpus, double mem) {
        return TaskInfo.newBuilder()
                .setName(id)
                .setTaskId(TaskID.newBuilder().setValue(id))
                .setAgentId(AgentID.newBuilder().setValue(offer.getAgentId().getValue()))
                .addResources(scalar("cpus", cpus))
                .addResources(scalar("mem", mem))
                .setCommand(CommandInfo.newBuilder().setValue(command))
                .build();
    }

    public static Resource scalar(String name, double value) {
        return Resource.newBuilder()
                .setName(name)
                .setType(Value.Type.SCALAR)
                .setScalar(Value.Scalar.newBuilder().setValue(value))
                .build();
    }

    public static double amount(Offer offer, String name) {
        return offer.getResourcesList().stream()
                .filter(resource -> resource.getName().equals(name))
                .mapToDouble(resource -> resource.getScalar().getValue())
                .sum();
    }

    @Override
    public void close() throws IOException {
        InputStream open = stream;
        if (open != null) {
            open.close();
        }
    }
}
