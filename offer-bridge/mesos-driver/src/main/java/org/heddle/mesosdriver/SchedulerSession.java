// SPDX-License-Identifier: Apache-2.0
package org.heddle.mesosdriver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.heddle.offers.client.protocol.Answer;
import org.heddle.offers.client.protocol.HttpTransport;
import org.heddle.offers.client.protocol.Masters;
import org.heddle.offers.client.protocol.NotSubscribedException;
import org.heddle.offers.client.protocol.SchedulerCalls;
import org.heddle.offers.client.protocol.SchedulerConnection;
import org.heddle.offers.client.protocol.SchedulerListener;

/**
 * A scheduler's connection with the rules of Mesos' old driver: calls return at once and are sent in order by one
 * thread, call-backs are made by another, and every task that was launched gets an update, also if the master never saw
 * the launch.
 */
@SuppressWarnings("FutureReturnValueIgnored") // tasks of the two threads contain their own errors
public final class SchedulerSession {
    private static final Logger LOG = Logger.getLogger("org.apache.mesos.MesosSchedulerDriver");
    private static final long TEARDOWN_SECONDS = 5;
    private static final long RECONCILE_MILLIS = 1_000;

    private final byte[] firstInfo;
    private final SchedulerListener listener;
    private final ScheduledExecutorService calls = Executors.newSingleThreadScheduledExecutor(thread("mesos-calls"));
    private final CallQueue queue = new CallQueue(calls, LOG, Level.INFO);
    private final ScheduledExecutorService callbacks =
            Executors.newSingleThreadScheduledExecutor(thread("mesos-callbacks"));
    private final CountDownLatch ended = new CountDownLatch(1);
    private final SchedulerConnection connection;
    private volatile boolean running = true;
    private volatile boolean connected;

    @GuardedBy("this")
    private Set<String> roles;

    @GuardedBy("this")
    private final Set<String> suppressed = new TreeSet<>();

    /** Tasks of launches without an answer. */
    @GuardedBy("this")
    private final List<byte[]> unanswered = new ArrayList<>();

    /** Task ids of kills without an answer. */
    @GuardedBy("this")
    private final List<byte[]> kills = new ArrayList<>();

    /**
     * @param frameworkInfo encoded
     * @param suppressedRoles no offers are wanted for these at first
     * @param master see {@link MasterUrl}
     * @param credential an encoded Credential; empty for none
     * @param environment {@code System.getenv()}
     * @throws IllegalArgumentException if the master is not an address
     * @throws IOException if a file that the arguments name cannot be read
     */
    public SchedulerSession(
            byte[] frameworkInfo,
            Collection<String> suppressedRoles,
            String master,
            byte[] credential,
            Map<String, String> environment,
            SchedulerListener listener)
            throws IOException {
        TlsEnvironment tls = new TlsEnvironment(environment);
        Masters masters = MasterUrl.parse(master, tls.isEnabled());
        this.firstInfo = FrameworkFields.completed(frameworkInfo);
        this.roles = FrameworkFields.roles(frameworkInfo);
        this.suppressed.addAll(suppressedRoles);
        this.listener = listener;
        this.connection = new SchedulerConnection(
                masters,
                new HttpTransport(Credentials.authorization(credential), tls.trust()),
                firstInfo,
                FrameworkFields.id(frameworkInfo),
                new Events());
        connection.setSuppressedRoles(suppressedRoles);
    }

    static ThreadFactory thread(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    private static double seconds() {
        return System.currentTimeMillis() / 1000.0;
    }

    public void start() {
        connection.start();
    }

    /** Returns after the session was stopped or aborted, and after the call-back in progress then. */
    public void join() throws InterruptedException {
        ended.await();
    }

    // ---- events ----

    /** Runs a call-back, unless the driver has stopped before its turn. */
    private void callBack(Runnable callback) {
        try {
            callbacks.execute(() -> {
                if (!running) {
                    return;
                }
                try {
                    callback.run();
                } catch (RuntimeException | Error e) {
                    LOG.log(Level.SEVERE, "The scheduler failed, so the driver aborts", e);
                    listener.failed("the scheduler failed: " + e);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.fine("A call-back after the end of the driver");
        }
    }

    private final class Events implements SchedulerListener {
        @Override
        public void subscribed(byte[] frameworkId, byte[] masterInfo, boolean again) {
            connected = true;
            callBack(() -> listener.subscribed(frameworkId, masterInfo, again));
            queue.add(SchedulerSession.this::catchUp);
        }

        @Override
        public void disconnected() {
            connected = false;
            LOG.info(() -> "Disconnected from the master: " + connection.problem());
            callBack(listener::disconnected);
        }

        @Override
        public void offers(List<byte[]> offers) {
            callBack(() -> listener.offers(offers));
        }

        @Override
        public void rescinded(byte[] offerId) {
            callBack(() -> listener.rescinded(offerId));
        }

        @Override
        public void inverseOffers(List<byte[]> offers) {
            // The old API has no call-back for them.
            LOG.info(() -> "The cluster wants " + offers.size() + " allocations back; their tasks may be preempted");
        }

        @Override
        public void update(byte[] status) {
            callBack(() -> listener.update(status));
        }

        @Override
        public void message(byte[] executorId, byte[] agentId, byte[] data) {
            callBack(() -> listener.message(executorId, agentId, data));
        }

        @Override
        public void failure(byte[] agentId, byte[] executorId, int status) {
            callBack(() -> listener.failure(agentId, executorId, status));
        }

        @Override
        public void failed(String message) {
            connected = false;
            callBack(() -> listener.failed(message));
        }
    }

    // ---- calls ----

    /** Launches tasks, or does other operations, on offers. */
    public void accept(List<byte[]> offerIds, List<byte[]> operations, byte[] filters) throws IOException {
        List<byte[]> tasks = new ArrayList<>();
        for (byte[] operation : operations) {
            tasks.addAll(SchedulerCalls.launched(operation));
        }
        if (!connected) {
            answerLost(tasks);
            return;
        }
        byte[] call = SchedulerCalls.accept(connection.frameworkId(), offerIds, operations, filters);
        queue.add(() -> {
            try {
                Answer answer = connection.send(call);
                if (answer.status() / 100 == 4) {
                    if (answer.isWrong() || answer.status() == 403) {
                        for (byte[] task : tasks) {
                            update(LocalStatus.refused(task, answer.status(), answer.text(), seconds()));
                        }
                    } else {
                        answerLost(tasks);
                    }
                } else if (!answer.isAccepted()) {
                    throw new IOException("ACCEPT was answered " + answer.status() + ": " + answer.text());
                }
            } catch (NotSubscribedException e) {
                answerLost(tasks);
            } catch (IOException e) {
                LOG.info(() -> "A launch of " + tasks.size() + " tasks has no answer, they will be reconciled: "
                        + e.getMessage());
                synchronized (this) {
                    unanswered.addAll(tasks);
                }
                calls.schedule(this::catchUp, RECONCILE_MILLIS, TimeUnit.MILLISECONDS);
            }
        });
    }

    private void answerLost(List<byte[]> tasks) throws IOException {
        for (byte[] task : tasks) {
            update(LocalStatus.lost(task, seconds()));
        }
    }

    private void update(byte[] status) {
        callBack(() -> listener.update(status));
    }

    /** Sends what has no answer yet. */
    private void catchUp() {
        List<byte[]> tasks = new ArrayList<>();
        List<byte[]> killed;
        synchronized (this) {
            tasks.addAll(unanswered);
            killed = new ArrayList<>(kills);
        }
        try {
            if (!tasks.isEmpty()) {
                List<byte[]> names = new ArrayList<>();
                for (byte[] task : tasks) {
                    names.add(LocalStatus.unknown(task));
                }
                if (isSettled(connection.send(SchedulerCalls.reconcile(connection.frameworkId(), names)))) {
                    synchronized (this) {
                        unanswered.removeAll(tasks);
                    }
                }
            }
            for (byte[] taskId : killed) {
                if (isSettled(connection.send(SchedulerCalls.kill(connection.frameworkId(), taskId)))) {
                    synchronized (this) {
                        kills.remove(taskId);
                    }
                }
            }
        } catch (IOException e) {
            // With the next subscription.
            LOG.fine(() -> "Will catch up after the next subscription: " + e.getMessage());
        }
    }

    /** Whether it makes no sense to send the call again. */
    private static boolean isSettled(Answer answer) {
        return answer.isAccepted() || answer.isWrong();
    }

    /** A call that may be lost with the connection, as in Mesos. */
    private void send(String name, byte[] call) {
        queue.add(() -> {
            Answer answer = connection.send(call);
            if (answer.isWrong()) {
                LOG.warning(() -> name + " was refused: " + answer.text());
            }
        });
    }

    public void decline(byte[] offerId, byte[] filters) {
        send("DECLINE", SchedulerCalls.decline(connection.frameworkId(), Collections.singleton(offerId), filters));
    }

    /** Kills a task. A kill that finds no master is sent again after the next subscription. */
    public void kill(byte[] taskId) {
        synchronized (this) {
            kills.add(taskId);
        }
        queue.add(this::catchUp);
    }

    /** @param of none for all roles */
    public void revive(Collection<String> of) {
        synchronized (this) {
            suppressed.removeAll(of.isEmpty() ? new ArrayList<>(suppressed) : of);
            connection.setSuppressedRoles(suppressed);
        }
        send("REVIVE", SchedulerCalls.revive(connection.frameworkId(), of));
    }

    /** @param of none for all roles */
    public void suppress(Collection<String> of) {
        synchronized (this) {
            suppressed.addAll(of.isEmpty() ? roles : of);
            connection.setSuppressedRoles(suppressed);
        }
        send("SUPPRESS", SchedulerCalls.suppress(connection.frameworkId(), of));
    }

    /** Acknowledges an update that needs it. */
    public void acknowledge(byte[] status) throws IOException {
        if (SchedulerCalls.needsAcknowledgement(status)) {
            send("ACKNOWLEDGE", SchedulerCalls.acknowledge(connection.frameworkId(), status));
        }
    }

    public void message(byte[] executorId, byte[] agentId, byte[] data) {
        send("MESSAGE", SchedulerCalls.message(connection.frameworkId(), executorId, agentId, data));
    }

    /** @param statuses none for all tasks */
    public void reconcile(List<byte[]> statuses) throws IOException {
        send("RECONCILE", SchedulerCalls.reconcile(connection.frameworkId(), statuses));
    }

    public void request(List<byte[]> requests) {
        send("REQUEST", SchedulerCalls.request(connection.frameworkId(), requests));
    }

    /** @param constraints encoded OfferConstraints; empty for none */
    public void updateFramework(byte[] info, Collection<String> suppressedRoles, byte[] constraints)
            throws IOException {
        byte[] completed = FrameworkFields.completed(info);
        synchronized (this) {
            roles = FrameworkFields.roles(info);
            suppressed.clear();
            suppressed.addAll(suppressedRoles);
            connection.setFramework(completed, constraints);
            connection.setSuppressedRoles(suppressed);
        }
        send(
                "UPDATE_FRAMEWORK",
                SchedulerCalls.updateFramework(connection.frameworkId(), completed, suppressedRoles, constraints));
    }

    // ---- the end ----

    /** Ends the subscription: tasks run on until the failover timeout. No call-back follows. */
    public void abort() {
        running = false;
        end(false);
    }

    /** Ends the subscription, and the framework too unless another scheduler will take over. */
    public void stop(boolean failover) {
        running = false;
        Future<?> sent = end(!failover);
        try {
            sent.get(TEARDOWN_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(Level.WARNING, "TEARDOWN may not have reached the master", e);
        }
    }

    private Future<?> end(boolean tearDown) {
        try {
            return calls.submit(() -> {
                boolean first = connection.stop();
                try {
                    if (first && tearDown && connection.frameworkId().length > 0) {
                        connection.send(SchedulerCalls.teardown(connection.frameworkId()));
                    }
                } catch (IOException e) {
                    LOG.warning(() ->
                            "TEARDOWN was lost: the framework ends after its failover timeout: " + e.getMessage());
                }
                connection.close();
                callbacks.execute(ended::countDown);
                calls.shutdown();
                callbacks.shutdown();
            });
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(null);
        }
    }
}
