// SPDX-License-Identifier: Apache-2.0
package org.heddle.mesosdriver;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.mesos.Protos.ExecutorID;
import org.apache.mesos.Protos.ExecutorInfo;
import org.apache.mesos.Protos.FrameworkInfo;
import org.apache.mesos.Protos.SlaveID;
import org.apache.mesos.Protos.SlaveInfo;
import org.apache.mesos.Protos.TaskID;
import org.apache.mesos.Protos.TaskInfo;
import org.apache.mesos.Protos.TaskState;
import org.apache.mesos.Protos.TaskStatus;
import org.apache.mesos.executor.Protos.Call;
import org.apache.mesos.executor.Protos.Event;
import org.heddle.offers.client.protocol.ExecutorListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An executor whose connection to its agent ends before its update is acknowledged, against a scripted agent. */
class ExecutorSessionTest {
    private static final TaskID TASK = TaskID.newBuilder().setValue("t1").build();
    private static final SlaveID AGENT = SlaveID.newBuilder().setValue("a1").build();

    private final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer agent;
    private volatile @Nullable HttpExchange stream;

    private final class Listener implements ExecutorListener {
        @Override
        public void subscribed(byte[] executorInfo, byte[] frameworkInfo, byte[] agentInfo, boolean again) {
            heard.add(again ? "subscribed again" : "subscribed");
        }

        @Override
        public void disconnected() {
            heard.add("disconnected");
        }

        @Override
        public void launch(byte[] task) {
            heard.add("launch");
        }

        @Override
        public void launchGroup(List<byte[]> tasks) {}

        @Override
        public void kill(byte[] taskId) {}

        @Override
        public void message(byte[] data) {}

        @Override
        public void shutdown() {}

        @Override
        public void failed(String message) {
            heard.add("failed: " + message);
        }
    }

    @BeforeEach
    void begin() throws IOException {
        agent = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        agent.createContext("/api/v1/executor", this::call);
        agent.setExecutor(threads);
        agent.start();
    }

    @AfterEach
    void end() {
        agent.stop(0);
        threads.shutdownNow();
    }

    private void call(HttpExchange exchange) throws IOException {
        Call call = Call.parseFrom(exchange.getRequestBody().readAllBytes());
        if (call.getType() == Call.Type.SUBSCRIBE) {
            exchange.sendResponseHeaders(200, 0);
            stream = exchange;
        } else {
            exchange.sendResponseHeaders(202, -1);
            exchange.close();
        }
        calls.add(call);
    }

    private Call next(Call.Type type) throws InterruptedException {
        Call call = Objects.requireNonNull(calls.poll(60, TimeUnit.SECONDS), "no " + type + " came");
        assertThat(call.getType()).isEqualTo(type);
        return call;
    }

    private String heard() throws InterruptedException {
        return Objects.requireNonNull(heard.poll(60, TimeUnit.SECONDS), "no call-back came");
    }

    private void send(Event.Builder event) throws IOException {
        byte[] bytes = event.build().toByteArray();
        OutputStream out = Objects.requireNonNull(stream).getResponseBody();
        out.write((bytes.length + "\n").getBytes(StandardCharsets.US_ASCII));
        out.write(bytes);
        out.flush();
    }

    private void subscribed() throws IOException {
        ExecutorInfo.Builder executor =
                ExecutorInfo.newBuilder().setExecutorId(ExecutorID.newBuilder().setValue("e1"));
        send(Event.newBuilder()
                .setType(Event.Type.SUBSCRIBED)
                .setSubscribed(Event.Subscribed.newBuilder()
                        .setExecutorInfo(executor)
                        .setFrameworkInfo(
                                FrameworkInfo.newBuilder().setUser("u").setName("n"))
                        .setSlaveInfo(SlaveInfo.newBuilder().setHostname("host"))));
    }

    @Test
    void whatIsNotAcknowledgedGoesWithTheNextSubscription() throws Exception {
        ExecutorSession session = new ExecutorSession(
                Map.of(
                        "MESOS_AGENT_ENDPOINT",
                                "127.0.0.1:" + agent.getAddress().getPort(),
                        "MESOS_FRAMEWORK_ID", "f1",
                        "MESOS_EXECUTOR_ID", "e1",
                        "MESOS_CHECKPOINT", "1"),
                new Listener());
        session.start();

        // 1. A task and its update, which the agent takes and does not acknowledge
        assertThat(next(Call.Type.SUBSCRIBE).getSubscribe().getUnacknowledgedTasksList())
                .isEmpty();
        subscribed();
        TaskInfo task = TaskInfo.newBuilder()
                .setName("t1")
                .setTaskId(TASK)
                .setSlaveId(AGENT)
                .build();
        send(Event.newBuilder()
                .setType(Event.Type.LAUNCH)
                .setLaunch(Event.Launch.newBuilder().setTask(task)));
        assertThat(heard()).isEqualTo("subscribed");
        assertThat(heard()).isEqualTo("launch");
        session.update(TaskStatus.newBuilder()
                .setTaskId(TASK)
                .setState(TaskState.TASK_RUNNING)
                .build()
                .toByteArray());
        TaskStatus sent = next(Call.Type.UPDATE).getUpdate().getStatus();

        // 2. The connection ends: the next one brings both
        Objects.requireNonNull(stream).close();
        assertThat(heard()).isEqualTo("disconnected");
        Call.Subscribe again = next(Call.Type.SUBSCRIBE).getSubscribe();
        assertThat(again.getUnacknowledgedTasksList()).containsExactly(task);
        assertThat(again.getUnacknowledgedUpdatesList())
                .singleElement()
                .extracting(Call.Update::getStatus)
                .isEqualTo(sent);
        subscribed();
        assertThat(heard()).isEqualTo("subscribed again");

        // 3. After the acknowledgement nothing is left of them
        send(Event.newBuilder()
                .setType(Event.Type.ACKNOWLEDGED)
                .setAcknowledged(Event.Acknowledged.newBuilder().setTaskId(TASK).setUuid(sent.getUuid())));
        Objects.requireNonNull(stream).close();
        assertThat(heard()).isEqualTo("disconnected");
        Call.Subscribe last = next(Call.Type.SUBSCRIBE).getSubscribe();
        assertThat(last.getUnacknowledgedTasksList()).isEmpty();
        assertThat(last.getUnacknowledgedUpdatesList()).isEmpty();
        session.stop();
    }
}
