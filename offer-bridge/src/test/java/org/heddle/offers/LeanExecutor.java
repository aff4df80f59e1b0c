// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.executor.Protos.Call;
import org.apache.mesos.v1.executor.Protos.Event;

/** An executor for measurements: its tasks run and end at once, told over a few connections that each wait for answers. */
final class LeanExecutor {
    private static final int CONNECTIONS = 64;
    private static final String PATH = "/api/v1/executor";

    private final InetSocketAddress agent;
    private final FrameworkID framework;
    private final ExecutorID executor;

    private LeanExecutor() {
        String[] endpoint = System.getenv("MESOS_AGENT_ENDPOINT").split(":", -1);
        agent = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(endpoint[1]));
        framework = FrameworkID.newBuilder()
                .setValue(System.getenv("MESOS_FRAMEWORK_ID"))
                .build();
        executor = ExecutorID.newBuilder()
                .setValue(System.getenv("MESOS_EXECUTOR_ID"))
                .build();
    }

    public static void main(String[] args) throws IOException {
        new LeanExecutor().run();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what fails ends the connection, and with it the measurement
    private void run() throws IOException {
        BlockingQueue<TaskInfo> tasks = new LinkedBlockingQueue<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            Thread teller = new Thread(() -> tell(tasks), "teller-" + i);
            teller.setDaemon(true);
            teller.start();
        }
        try (LeanConnection stream = new LeanConnection(agent, PATH)) {
            stream.post(
                    call(Call.Type.SUBSCRIBE)
                            .setSubscribe(Call.Subscribe.getDefaultInstance())
                            .build()
                            .toByteArray(),
                    "");
            stream.answer();
            while (true) {
                Event event = Event.parseFrom(stream.record());
                if (event.getType() == Event.Type.LAUNCH) {
                    tasks.add(event.getLaunch().getTask());
                } else if (event.getType() == Event.Type.SHUTDOWN) {
                    return;
                }
            }
        }
    }

    private void tell(BlockingQueue<TaskInfo> tasks) {
        try (LeanConnection connection = new LeanConnection(agent, PATH)) {
            while (true) {
                TaskInfo task = tasks.take();
                update(connection, task, TaskState.TASK_RUNNING);
                update(connection, task, TaskState.TASK_FINISHED);
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void update(LeanConnection connection, TaskInfo task, TaskState state) throws IOException {
        UUID random = UUID.randomUUID();
        connection.post(
                call(Call.Type.UPDATE)
                        .setUpdate(Call.Update.newBuilder()
                                .setStatus(TaskStatus.newBuilder()
                                        .setTaskId(task.getTaskId())
                                        .setState(state)
                                        .setUuid(ByteString.copyFrom(ByteBuffer.allocate(16)
                                                .putLong(random.getMostSignificantBits())
                                                .putLong(random.getLeastSignificantBits())
                                                .flip()))))
                        .build()
                        .toByteArray(),
                "");
        int status = connection.answer();
        if (status != 202) {
            throw new IOException("an update was answered " + status);
        }
    }

    private Call.Builder call(Call.Type type) {
        return Call.newBuilder().setType(type).setFrameworkId(framework).setExecutorId(executor);
    }
}
