// SPDX-License-Identifier: Apache-2.0
package org.apache.mesos;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.mesos.Protos.ExecutorInfo;
import org.apache.mesos.Protos.FrameworkInfo;
import org.apache.mesos.Protos.SlaveInfo;
import org.apache.mesos.Protos.Status;
import org.apache.mesos.Protos.TaskID;
import org.apache.mesos.Protos.TaskInfo;
import org.apache.mesos.Protos.TaskState;
import org.apache.mesos.Protos.TaskStatus;
import org.heddle.mesosdriver.DriverState;
import org.heddle.mesosdriver.ExecutorSession;
import org.heddle.offers.client.protocol.ExecutorListener;

/**
 * Mesos' driver of an executor, over HTTP and without the native library. It finds its agent by the environment
 * variables MESOS_AGENT_ENDPOINT, MESOS_FRAMEWORK_ID and MESOS_EXECUTOR_ID. One thread makes the call-backs; the calls
 * may come from any thread and return at once.
 */
public class MesosExecutorDriver implements ExecutorDriver {
    private final Executor executor;
    private final Object lock = new Object();
    private DriverState state = DriverState.NOT_STARTED;
    private ExecutorSession session;

    public MesosExecutorDriver(Executor executor) {
        this.executor = Objects.requireNonNull(executor, "Not expecting a null Executor");
    }

    private Status status() {
        synchronized (lock) {
            return DriverStatus.of(state);
        }
    }

    /** @throws IllegalStateException if an agent did not start this process */
    @Override
    public Status start() {
        synchronized (lock) {
            if (state == DriverState.NOT_STARTED) {
                session = new ExecutorSession(System.getenv(), new Events());
                state = DriverState.RUNNING;
                session.start();
            }
            return DriverStatus.of(state);
        }
    }

    @Override
    public Status stop() {
        DriverState before;
        ExecutorSession ending;
        synchronized (lock) {
            before = state;
            if (before != DriverState.RUNNING && before != DriverState.ABORTED) {
                return DriverStatus.of(before);
            }
            state = DriverState.STOPPED;
            ending = session;
        }
        ending.stop();
        return before == DriverState.ABORTED ? Status.DRIVER_ABORTED : Status.DRIVER_STOPPED;
    }

    @Override
    public Status abort() {
        ExecutorSession ending;
        synchronized (lock) {
            if (state != DriverState.RUNNING) {
                return DriverStatus.of(state);
            }
            state = DriverState.ABORTED;
            ending = session;
        }
        ending.stop();
        return Status.DRIVER_ABORTED;
    }

    @Override
    public Status join() {
        ExecutorSession joined;
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

    @Override
    public Status sendStatusUpdate(TaskStatus status) {
        ExecutorSession current;
        synchronized (lock) {
            if (state != DriverState.RUNNING) {
                return DriverStatus.of(state);
            }
            current = session;
        }
        if (status.getState() == TaskState.TASK_STAGING) {
            Status aborted = abort();
            executor.error(
                    this,
                    "an executor may not send TASK_STAGING, as it did for task "
                            + status.getTaskId().getValue());
            return aborted;
        }
        current.update(status.toByteArray());
        return status();
    }

    @Override
    public Status sendFrameworkMessage(byte[] data) {
        ExecutorSession current;
        synchronized (lock) {
            if (state != DriverState.RUNNING) {
                return DriverStatus.of(state);
            }
            current = session;
        }
        current.message(data);
        return status();
    }

    /** From bytes to the messages of whichever Mesos jar the framework brings. */
    private final class Events implements ExecutorListener {
        private final MesosExecutorDriver driver = MesosExecutorDriver.this;

        @Override
        public void subscribed(byte[] executorInfo, byte[] frameworkInfo, byte[] agentInfo, boolean again) {
            try {
                SlaveInfo agent = SlaveInfo.parseFrom(agentInfo);
                if (again) {
                    executor.reregistered(driver, agent);
                } else {
                    executor.registered(
                            driver,
                            ExecutorInfo.parseFrom(executorInfo),
                            FrameworkInfo.parseFrom(frameworkInfo),
                            agent);
                }
            } catch (IOException e) {
                throw malformed(e);
            }
        }

        @Override
        public void disconnected() {
            executor.disconnected(driver);
        }

        @Override
        public void launch(byte[] task) {
            try {
                executor.launchTask(driver, TaskInfo.parseFrom(task));
            } catch (IOException e) {
                throw malformed(e);
            }
        }

        @Override
        public void launchGroup(List<byte[]> tasks) {
            tasks.forEach(this::launch);
        }

        @Override
        public void kill(byte[] taskId) {
            try {
                executor.killTask(driver, TaskID.parseFrom(taskId));
            } catch (IOException e) {
                throw malformed(e);
            }
        }

        @Override
        public void message(byte[] data) {
            executor.frameworkMessage(driver, data);
        }

        @Override
        public void shutdown() {
            executor.shutdown(driver);
        }

        @Override
        public void failed(String message) {
            abort();
            executor.error(driver, message);
        }

        private IllegalStateException malformed(IOException e) {
            return new IllegalStateException("the agent sent a malformed message: " + e.getMessage(), e);
        }
    }
}
