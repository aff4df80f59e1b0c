// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.heddle.offers.client.protocol.ExecutorConnection;
import org.heddle.offers.client.protocol.ExecutorEnvironment;
import org.heddle.offers.client.protocol.ExecutorListener;
import org.heddle.offers.client.protocol.RefusedCallException;

/** The driver of an executor over the v1 HTTP API, in protobuf. It finds its agent by environment variables. */
public final class HttpExecutorDriver implements ExecutorDriver {
    private final Executor executor;
    private final ExecutorConnection connection;

    /** @param environment {@code System.getenv()} of the executor's process */
    public HttpExecutorDriver(Executor executor, Map<String, String> environment) {
        this.executor = executor;
        this.connection = new ExecutorConnection(new ExecutorEnvironment(environment), new Events());
    }

    @Override
    public void run() throws InterruptedException {
        connection.run();
    }

    @Override
    public void sendStatusUpdate(TaskStatus status) {
        try {
            connection.update(status.toByteArray(), System.currentTimeMillis() / 1000.0);
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    @Override
    public void sendFrameworkMessage(byte[] data) {
        try {
            connection.message(data);
        } catch (RefusedCallException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        } catch (IOException e) {
            // Messages are best effort.
        }
    }

    /** From bytes to Mesos' messages. */
    private final class Events implements ExecutorListener {
        @Override
        public void subscribed(byte[] executorInfo, byte[] frameworkInfo, byte[] agentInfo, boolean again) {
            executor.registered(HttpExecutorDriver.this);
        }

        @Override
        public void disconnected() {}

        @Override
        public void launch(byte[] task) {
            executor.launchTask(HttpExecutorDriver.this, Messages.parse(TaskInfo.parser(), task));
        }

        @Override
        public void launchGroup(List<byte[]> tasks) {
            executor.launchTaskGroup(HttpExecutorDriver.this, Messages.parseAll(TaskInfo.parser(), tasks));
        }

        @Override
        public void kill(byte[] taskId) {
            executor.killTask(HttpExecutorDriver.this, Messages.parse(TaskID.parser(), taskId));
        }

        @Override
        public void message(byte[] data) {
            executor.frameworkMessage(HttpExecutorDriver.this, data);
        }

        @Override
        public void shutdown() {
            executor.shutdown(HttpExecutorDriver.this);
        }

        @Override
        public void failed(String message) {
            throw new IllegalStateException(message);
        }
    }
}
