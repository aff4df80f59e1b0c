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
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.executor.Protos.Call;
import org.apache.mesos.v1.executor.Protos.Event;

/** The driver of an executor over the v1 HTTP API, in protobuf. It finds its agent by environment variables. */
public final class HttpExecutorDriver implements ExecutorDriver {
    private static final String PROTOBUF = "application/x-protobuf";
    private static final long PAUSE = 500;
    private static final int MOST_TRIES = 120;

    private final Executor executor;
    private final URI api;
    private final String token;
    private final FrameworkID frameworkId;
    private final ExecutorID executorId;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @GuardedBy("this")
    private final Map<ByteString, TaskStatus> unacknowledgedUpdates = new LinkedHashMap<>();

    @GuardedBy("this")
    private final Map<TaskID, TaskInfo> unacknowledgedTasks = new LinkedHashMap<>();

    private volatile boolean stopping;

    /** @param environment {@code System.getenv()} of the executor's process */
    public HttpExecutorDriver(Executor executor, Map<String, String> environment) {
        this.executor = executor;
        this.api = URI.create("http://" + required(environment, "MESOS_AGENT_ENDPOINT") + "/api/v1/executor");
        this.token = environment.getOrDefault("MESOS_EXECUTOR_AUTHENTICATION_TOKEN", "");
        this.frameworkId = FrameworkID.newBuilder()
                .setValue(required(environment, "MESOS_FRAMEWORK_ID"))
                .build();
        this.executorId = ExecutorID.newBuilder()
                .setValue(required(environment, "MESOS_EXECUTOR_ID"))
                .build();
    }

    private static String required(Map<String, String> environment, String name) {
        return Objects.requireNonNull(
                environment.get(name), () -> name + " is not set: executors are started by an agent");
    }

    @Override
    public void run() throws InterruptedException {
        int tries = 0;
        while (!stopping && tries < MOST_TRIES) {
            try {
                if (serve()) {
                    tries = 0;
                }
            } catch (IOException e) {
                // Without its agent this process goes on: the agent comes back, or YARN ends the container.
                tries++;
            }
            tries++;
            if (!stopping) {
                TimeUnit.MILLISECONDS.sleep(PAUSE);
            }
        }
    }

    private boolean serve() throws IOException, InterruptedException {
        Call.Subscribe.Builder subscribe = Call.Subscribe.newBuilder();
        synchronized (this) {
            subscribe.addAllUnacknowledgedTasks(unacknowledgedTasks.values());
            unacknowledgedUpdates
                    .values()
                    .forEach(status -> subscribe.addUnacknowledgedUpdates(
                            Call.Update.newBuilder().setStatus(status)));
        }
        HttpResponse<InputStream> response = http.send(
                request(call(Call.Type.SUBSCRIBE).setSubscribe(subscribe)), HttpResponse.BodyHandlers.ofInputStream());
        try (RecordReader events = new RecordReader(response.body())) {
            if (response.statusCode() != 200) {
                return false;
            }
            for (byte[] record = events.next(); record != null && !stopping; record = events.next()) {
                handle(Event.parseFrom(record));
            }
            return true;
        }
    }

    @SuppressWarnings("StatementSwitchToExpressionSwitch") // Java 11
    private void handle(Event event) {
        switch (event.getType()) {
            case SUBSCRIBED:
                executor.registered(this);
                break;
            case LAUNCH:
                TaskInfo task = event.getLaunch().getTask();
                synchronized (this) {
                    unacknowledgedTasks.put(task.getTaskId(), task);
                }
                executor.launchTask(this, task);
                break;
            case LAUNCH_GROUP:
                List<TaskInfo> tasks = event.getLaunchGroup().getTaskGroup().getTasksList();
                synchronized (this) {
                    tasks.forEach(one -> unacknowledgedTasks.put(one.getTaskId(), one));
                }
                executor.launchTaskGroup(this, tasks);
                break;
            case KILL:
                executor.killTask(this, event.getKill().getTaskId());
                break;
            case ACKNOWLEDGED:
                synchronized (this) {
                    unacknowledgedUpdates.remove(event.getAcknowledged().getUuid());
                    unacknowledgedTasks.remove(event.getAcknowledged().getTaskId());
                }
                break;
            case MESSAGE:
                executor.frameworkMessage(this, event.getMessage().getData().toByteArray());
                break;
            case SHUTDOWN:
                stopping = true;
                executor.shutdown(this);
                break;
            default:
                break;
        }
    }

    private Call.Builder call(Call.Type type) {
        return Call.newBuilder().setType(type).setFrameworkId(frameworkId).setExecutorId(executorId);
    }

    private HttpRequest request(Call.Builder call) {
        HttpRequest.Builder request = HttpRequest.newBuilder(api)
                .header("Content-Type", PROTOBUF)
                .header("Accept", PROTOBUF)
                .POST(HttpRequest.BodyPublishers.ofByteArray(call.build().toByteArray()));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return request.build();
    }

    private void send(Call.Builder call) {
        try {
            HttpResponse<Void> response = http.send(request(call), HttpResponse.BodyHandlers.discarding());
            if (response.statusCode() / 100 == 4) {
                throw new IllegalArgumentException(call.getType() + " was refused with " + response.statusCode());
            }
        } catch (IOException e) {
            // Updates go with the next SUBSCRIBE; messages are best effort.
            stopping = stopping || Thread.currentThread().isInterrupted();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void sendStatusUpdate(TaskStatus status) {
        UUID random = UUID.randomUUID();
        ByteString uuid = ByteString.copyFrom(ByteBuffer.allocate(16)
                .putLong(random.getMostSignificantBits())
                .putLong(random.getLeastSignificantBits())
                .flip());
        TaskStatus full = status.toBuilder()
                .setUuid(uuid)
                .setExecutorId(executorId)
                .setSource(TaskStatus.Source.SOURCE_EXECUTOR)
                .build();
        synchronized (this) {
            unacknowledgedUpdates.put(uuid, full);
        }
        send(call(Call.Type.UPDATE).setUpdate(Call.Update.newBuilder().setStatus(full)));
    }

    @Override
    public void sendFrameworkMessage(byte[] data) {
        send(call(Call.Type.MESSAGE).setMessage(Call.Message.newBuilder().setData(ByteString.copyFrom(data))));
    }
}
