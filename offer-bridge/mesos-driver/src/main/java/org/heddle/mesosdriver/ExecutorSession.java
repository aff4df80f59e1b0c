// SPDX-License-Identifier: Apache-2.0
package org.heddle.mesosdriver;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.heddle.offers.client.protocol.ExecutorConnection;
import org.heddle.offers.client.protocol.ExecutorEnvironment;
import org.heddle.offers.client.protocol.ExecutorListener;

/**
 * An executor's connection with the rules of Mesos' old driver: calls return at once and are sent in order, and the
 * process ends a grace period after the shutdown, whatever the executor does.
 */
public final class ExecutorSession {
    private static final Logger LOG = Logger.getLogger("org.apache.mesos.MesosExecutorDriver");
    private static final long FLUSH_SECONDS = 5;

    private final ExecutorEnvironment environment;
    private final ExecutorListener listener;
    private final ExecutorConnection connection;
    private final ExecutorService calls = Executors.newSingleThreadExecutor(SchedulerSession.thread("mesos-calls"));
    private final CallQueue queue = new CallQueue(calls, LOG, Level.WARNING);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean running = true;

    /**
     * @param variables {@code System.getenv()}
     * @throws IllegalStateException if an agent did not start this process
     */
    public ExecutorSession(Map<String, String> variables, ExecutorListener listener) {
        this.environment = new ExecutorEnvironment(variables);
        this.listener = listener;
        this.connection = new ExecutorConnection(environment, new Events());
    }

    public void start() {
        SchedulerSession.thread("mesos-callbacks").newThread(this::read).start();
    }

    private void read() {
        try {
            connection.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            LOG.log(Level.SEVERE, "The executor failed, so the driver aborts", e);
            listener.failed("the executor failed: " + e);
        }
    }

    /** Returns after {@link #stop}. */
    public void join() throws InterruptedException {
        ended.await();
    }

    /** @param status an encoded TaskStatus */
    public void update(byte[] status) {
        double seconds = System.currentTimeMillis() / 1000.0;
        queue.add(() -> connection.update(status, seconds));
    }

    public void message(byte[] data) {
        queue.add(() -> connection.message(data));
    }

    /** Sends what is on its way, for a few seconds at most, and ends the subscription. No call-back follows. */
    public void stop() {
        running = false;
        calls.shutdown();
        try {
            if (!calls.awaitTermination(FLUSH_SECONDS, TimeUnit.SECONDS)) {
                LOG.warning("Updates may not have reached the agent");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        connection.close();
        ended.countDown();
    }

    private void endProcessAfterGrace() {
        long nanos = environment.shutdownGraceNanos();
        SchedulerSession.thread("mesos-shutdown")
                .newThread(() -> {
                    try {
                        TimeUnit.NANOSECONDS.sleep(nanos);
                        LOG.warning("The executor did not end within its grace period");
                        Runtime.getRuntime().halt(1);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                })
                .start();
    }

    /** Passes events on while the driver runs. */
    private final class Events implements ExecutorListener {
        private void callBack(Runnable callback) {
            if (running) {
                callback.run();
            }
        }

        @Override
        public void subscribed(byte[] executorInfo, byte[] frameworkInfo, byte[] agentInfo, boolean again) {
            callBack(() -> listener.subscribed(executorInfo, frameworkInfo, agentInfo, again));
        }

        @Override
        public void disconnected() {
            callBack(listener::disconnected);
        }

        @Override
        public void launch(byte[] task) {
            callBack(() -> listener.launch(task));
        }

        @Override
        public void launchGroup(List<byte[]> tasks) {
            callBack(() -> listener.launchGroup(tasks));
        }

        @Override
        public void kill(byte[] taskId) {
            callBack(() -> listener.kill(taskId));
        }

        @Override
        public void message(byte[] data) {
            callBack(() -> listener.message(data));
        }

        @Override
        public void shutdown() {
            if (running) {
                endProcessAfterGrace();
                listener.shutdown();
            }
        }

        @Override
        public void failed(String message) {
            callBack(() -> listener.failed(message));
        }
    }
}
