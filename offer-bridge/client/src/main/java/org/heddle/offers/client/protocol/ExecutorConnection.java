// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client.protocol;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An executor's subscription to its agent, and its calls. It keeps updates and tasks until they are acknowledged, and
 * sends them with each new subscription.
 */
public final class ExecutorConnection {
    private static final long PAUSE_MILLIS = 500;
    private static final int CALL_MILLIS = 30_000;
    private static final int SENDS = 3;
    private static final int SOURCE_EXECUTOR = 2;

    private final ExecutorEnvironment environment;
    private final URI api;
    private final HttpTransport transport;
    private final ExecutorListener listener;

    @GuardedBy("this")
    private final Map<ByteBuffer, byte[]> unacknowledgedUpdates = new LinkedHashMap<>();

    @GuardedBy("this")
    private final Map<ByteBuffer, byte[]> unacknowledgedTasks = new LinkedHashMap<>();

    @GuardedBy("this")
    private @Nullable HttpURLConnection stream;

    private volatile boolean stopping;
    private boolean subscribedBefore;

    public ExecutorConnection(ExecutorEnvironment environment, ExecutorListener listener) {
        this.environment = environment;
        this.api = environment.api();
        this.transport = new HttpTransport(HttpTransport.bearer(environment.token()), null);
        this.listener = listener;
    }

    /**
     * Runs until the executor must shut down, is closed, or its agent has not come back within the recovery timeout.
     */
    public void run() throws InterruptedException {
        long lost = System.nanoTime();
        while (!stopping) {
            try (RecordReader events = subscribe()) {
                if (events != null) {
                    try {
                        read(events);
                    } finally {
                        lost = System.nanoTime();
                    }
                }
            } catch (IOException e) {
                // Without its agent this process goes on: the agent comes back, or YARN ends the container.
            }
            disconnected();
            if (!stopping && System.nanoTime() - lost > environment.recoveryNanos()) {
                stopping = true;
                listener.shutdown();
            }
            if (!stopping) {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        }
    }

    private void disconnected() {
        boolean was;
        synchronized (this) {
            was = stream != null;
            stream = null;
        }
        if (was && !stopping) {
            listener.disconnected();
        }
    }

    private @Nullable RecordReader subscribe() throws IOException {
        WireWriter subscribe = new WireWriter();
        synchronized (this) {
            subscribe.all(1, unacknowledgedTasks.values());
            unacknowledgedUpdates
                    .values()
                    .forEach(status ->
                            subscribe.bytes(2, new WireWriter().bytes(1, status).toBytes()));
        }
        HttpURLConnection connection =
                transport.post(api, call(1).bytes(4, subscribe.toBytes()).toBytes(), "", 0);
        int status = HttpTransport.status(connection);
        if (status == 200) {
            synchronized (this) {
                stream = connection;
            }
            return new RecordReader(connection.getInputStream());
        }
        String text = HttpTransport.text(connection, status);
        if (status / 100 == 4) {
            stopping = true;
            listener.failed("the agent refused this executor with " + status + ": " + text);
        }
        return null;
    }

    private void read(RecordReader events) throws IOException {
        for (byte[] record = events.next(); record != null && !stopping; record = events.next()) {
            WireReader event = WireReader.of(record);
            if (event.number(1) == 1) {
                WireReader subscribed = event.message(2);
                boolean again = subscribedBefore;
                subscribedBefore = true;
                listener.subscribed(subscribed.bytes(1), subscribed.bytes(2), subscribed.bytes(3), again);
            } else {
                handle(event);
            }
        }
    }

    /** The numbers are those of executor.proto. */
    @SuppressWarnings("StatementSwitchToExpressionSwitch") // Java 8
    private void handle(WireReader event) throws IOException {
        switch ((int) event.number(1)) {
            case 2:
                byte[] task = event.message(4).bytes(1);
                keep(task);
                listener.launch(task);
                break;
            case 8:
                List<byte[]> tasks = event.message(8).message(1).all(1);
                for (byte[] one : tasks) {
                    keep(one);
                }
                listener.launchGroup(tasks);
                break;
            case 3:
                listener.kill(event.message(5).bytes(1));
                break;
            case 4:
                WireReader acknowledged = event.message(3);
                synchronized (this) {
                    unacknowledgedUpdates.remove(ByteBuffer.wrap(acknowledged.bytes(2)));
                    unacknowledgedTasks.remove(ByteBuffer.wrap(acknowledged.bytes(1)));
                }
                break;
            case 5:
                listener.message(event.message(6).bytes(1));
                break;
            case 6:
                stopping = true;
                listener.failed(event.message(7).text(1));
                break;
            case 7:
                stopping = true;
                listener.shutdown();
                break;
            default:
                // Heartbeats, and events of later versions of the API.
                break;
        }
    }

    /** TaskInfo's second field is its id. */
    private void keep(byte[] task) throws IOException {
        byte[] id = WireReader.of(task).bytes(2);
        synchronized (this) {
            unacknowledgedTasks.put(ByteBuffer.wrap(id), task);
        }
    }

    private WireWriter call(int type) {
        return new WireWriter()
                .bytes(1, new WireWriter().text(1, environment.executorId()).toBytes())
                .bytes(2, new WireWriter().text(1, environment.frameworkId()).toBytes())
                .number(3, type);
    }

    /**
     * Sends the state of a task, again with each new subscription until the framework has acknowledged it.
     *
     * @param status an encoded TaskStatus; this class adds uuid, executor, source, and time in seconds
     * @throws IOException if the agent refuses it
     */
    public void update(byte[] status, double seconds) throws IOException {
        UUID random = UUID.randomUUID();
        byte[] uuid = ByteBuffer.allocate(16)
                .putLong(random.getMostSignificantBits())
                .putLong(random.getLeastSignificantBits())
                .array();
        byte[] full = new WireWriter()
                .raw(status)
                .bytes(
                        TaskStatusFields.EXECUTOR_ID,
                        new WireWriter().text(1, environment.executorId()).toBytes())
                .number(TaskStatusFields.SOURCE, SOURCE_EXECUTOR)
                .decimal(TaskStatusFields.TIMESTAMP, seconds)
                .bytes(TaskStatusFields.UUID, uuid)
                .toBytes();
        synchronized (this) {
            unacknowledgedUpdates.put(ByteBuffer.wrap(uuid), full);
        }
        byte[] call =
                call(2).bytes(5, new WireWriter().bytes(1, full).toBytes()).toBytes();
        for (int i = 0; i < SENDS; i++) {
            try {
                check("UPDATE", transport.call(api, call, "", CALL_MILLIS));
                return;
            } catch (RefusedCallException e) {
                synchronized (this) {
                    unacknowledgedUpdates.remove(ByteBuffer.wrap(uuid));
                }
                throw e;
            } catch (IOException e) {
                // Once more: a connection from before may have ended. The agent knows updates by their uuid.
            }
        }
        synchronized (this) {
            // The update goes with the next subscription.
            if (stream != null) {
                HttpTransport.closeLater(stream);
            }
        }
    }

    /** Sends data to the framework's scheduler. It may be lost. */
    public void message(byte[] data) throws IOException {
        check(
                "MESSAGE",
                transport.call(
                        api,
                        call(3).bytes(6, new WireWriter().bytes(2, data).toBytes())
                                .toBytes(),
                        "",
                        CALL_MILLIS));
    }

    private static void check(String call, Answer answer) throws IOException {
        if (answer.status() / 100 == 4) {
            throw new RefusedCallException(call + " was refused with " + answer.status() + ": " + answer.text());
        }
    }

    /** Ends the subscription; the listener hears nothing more. */
    public void close() {
        stopping = true;
        synchronized (this) {
            if (stream != null) {
                HttpTransport.closeLater(stream);
            }
        }
    }
}
