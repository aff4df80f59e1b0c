// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client.protocol;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.Collection;
import java.util.Collections;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler's subscription to the master, and its calls. It follows redirects to the leader, and subscribes again
 * after every failure: every 50 to 150 ms for the first five seconds, in which a standby takes over, then with pauses
 * that double up to 1 s. A stream without an event for five heartbeats has failed, too.
 */
public final class SchedulerConnection {
    private static final String PATH = "/api/v1/scheduler";
    private static final int CALL_MILLIS = 30_000;
    private static final long FIRST_PAUSE = 50;
    private static final long TAKEOVER_PAUSE = 150;
    private static final long LONGEST_PAUSE = 1_000;
    private static final long TAKEOVER_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int HEARTBEATS = 5;
    private static final int DEFAULT_HEARTBEAT_MILLIS = 15_000;
    private static final int LEAST_TIMEOUT_MILLIS = 10_000;

    private final Masters masters;
    private final HttpTransport transport;
    private final SchedulerListener listener;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread reader = new Thread(this::run, "offers-driver");
    private int timeoutMillis = HEARTBEATS * DEFAULT_HEARTBEAT_MILLIS;
    private volatile @Nullable URI api;
    private volatile String problem = "";
    private volatile boolean stopping;
    private boolean subscribedBefore;

    @GuardedBy("this")
    private byte[] info;

    @GuardedBy("this")
    private byte[] frameworkId;

    @GuardedBy("this")
    private Collection<String> suppressedRoles = Collections.emptySet();

    @GuardedBy("this")
    private byte[] offerConstraints = {};

    @GuardedBy("this")
    private String streamId = "";

    @GuardedBy("this")
    private @Nullable HttpURLConnection stream;

    @GuardedBy("this")
    private boolean closed;

    /**
     * @param info an encoded FrameworkInfo
     * @param frameworkId the encoded id of an earlier framework to continue it; empty for a new framework
     */
    public SchedulerConnection(
            Masters masters, HttpTransport transport, byte[] info, byte[] frameworkId, SchedulerListener listener) {
        this.masters = masters;
        this.transport = transport;
        this.info = info.clone();
        this.frameworkId = frameworkId.clone();
        this.listener = listener;
        reader.setDaemon(true);
    }

    public void start() {
        reader.start();
    }

    /** Waits until the connection has ended. */
    public void join() throws InterruptedException {
        ended.await();
    }

    /** What went wrong last; empty while subscribed. */
    public String problem() {
        return problem;
    }

    /** What the next SUBSCRIBE says. */
    public synchronized void setFramework(byte[] frameworkInfo, byte[] constraints) {
        info = frameworkInfo.clone();
        offerConstraints = constraints.clone();
    }

    /** The roles for which the next SUBSCRIBE wants no offers. */
    public synchronized void setSuppressedRoles(Collection<String> roles) {
        suppressedRoles = new TreeSet<>(roles);
    }

    /** The encoded id of the framework; empty before it is subscribed. */
    public synchronized byte[] frameworkId() {
        return frameworkId.clone();
    }

    // ---- the stream ----

    private void run() {
        long pause = FIRST_PAUSE;
        int failures = 0;
        long lost = System.nanoTime();
        try {
            while (!stopping) {
                try (RecordReader events = subscribe(failures)) {
                    if (events != null) {
                        try {
                            read(events);
                        } finally {
                            pause = FIRST_PAUSE;
                            lost = System.nanoTime();
                        }
                        disconnected();
                    }
                } catch (IOException e) {
                    // No master at the moment: the connection tries again after a pause.
                    if (!stopping) {
                        problem = String.valueOf(e.getMessage());
                    }
                    disconnected();
                    api = null;
                    failures++;
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
            masters.close();
            ended.countDown();
        }
    }

    /** Tells the listener once for each subscription. */
    private void disconnected() {
        boolean was;
        synchronized (this) {
            was = stream != null;
            stream = null;
            streamId = "";
        }
        if (was && !stopping) {
            listener.disconnected();
        }
    }

    private @Nullable RecordReader subscribe(int failures) throws IOException {
        URI to = api;
        if (to == null) {
            to = masters.master(failures).resolve(PATH);
        }
        byte[] call;
        synchronized (this) {
            call = SchedulerCalls.subscribe(frameworkId, info, suppressedRoles, offerConstraints);
        }
        HttpURLConnection connection = transport.post(to, call, "", timeoutMillis);
        int status = HttpTransport.status(connection);
        if (status == 307) {
            String leader = connection.getHeaderField("Location");
            URI next = leader == null ? to : to.resolve(leader).resolve(PATH);
            // Secrets are not sent over connections that others can read.
            api = String.valueOf(next.getScheme()).equals(to.getScheme()) ? next : null;
            connection.disconnect();
            return null;
        }
        if (status != 200) {
            String text = HttpTransport.text(connection, status);
            if (status / 100 == 4) {
                fail("SUBSCRIBE was refused with " + status + (text.isEmpty() ? "" : ": " + text));
                return null;
            }
            // This master knows no leader; another may.
            throw new IOException("SUBSCRIBE was answered " + status + ": " + text);
        }
        RecordReader events = new RecordReader(connection.getInputStream());
        String id = connection.getHeaderField(HttpTransport.STREAM_ID);
        synchronized (this) {
            api = to;
            streamId = id == null ? "" : id;
            stream = connection;
            if (closed) {
                connection.disconnect();
            }
        }
        return events;
    }

    /**
     * Reads to the end. If the stream closed before the master had read TEARDOWN, the framework would count as
     * disconnected.
     */
    private void read(RecordReader events) throws IOException {
        for (byte[] record = events.next(); record != null; record = events.next()) {
            if (stopping) {
                continue;
            }
            WireReader event = WireReader.of(record);
            if (event.number(1) == 1) {
                subscribed(event.message(2));
            } else {
                handle(event);
            }
        }
    }

    private void subscribed(WireReader event) {
        double heartbeat = event.decimal(2);
        if (heartbeat > 0) {
            timeoutMillis = (int) Math.min(
                    Integer.MAX_VALUE, Math.max(LEAST_TIMEOUT_MILLIS, HEARTBEATS * 1000L * Math.ceil(heartbeat)));
        }
        byte[] id = event.bytes(1);
        synchronized (this) {
            frameworkId = id;
        }
        problem = "";
        boolean again = subscribedBefore;
        subscribedBefore = true;
        listener.subscribed(id, event.bytes(3), again);
    }

    /** The numbers are those of scheduler.proto. */
    @SuppressWarnings("StatementSwitchToExpressionSwitch") // Java 8
    private void handle(WireReader event) throws IOException {
        switch ((int) event.number(1)) {
            case 2:
                listener.offers(event.message(3).all(1));
                break;
            case 3:
                listener.rescinded(event.message(4).bytes(1));
                break;
            case 4:
                listener.update(event.message(5).bytes(1));
                break;
            case 5:
                WireReader message = event.message(6);
                listener.message(message.bytes(2), message.bytes(1), message.bytes(3));
                break;
            case 6:
                WireReader failure = event.message(7);
                listener.failure(failure.bytes(1), failure.bytes(2), (int) failure.number(3));
                break;
            case 7:
                fail(event.message(8).text(1));
                break;
            case 9:
                listener.inverseOffers(event.message(9).all(1));
                break;
            default:
                // Heartbeats, and events of later versions of the API.
                break;
        }
    }

    private void fail(String message) {
        stopping = true;
        problem = message;
        listener.failed(message);
        close();
    }

    // ---- calls ----

    /**
     * Sends a call, and returns after the answer.
     *
     * @throws IOException if there is no subscription at the moment, or if the connection broke before the answer: then
     *     nobody knows whether the master has taken the call
     */
    public Answer send(byte[] call) throws IOException {
        String current;
        URI to = api;
        synchronized (this) {
            current = streamId;
        }
        if (to == null || current.isEmpty()) {
            throw new NotSubscribedException();
        }
        return transport.call(to, call, current, CALL_MILLIS);
    }

    /**
     * From now on the listener hears nothing, and the connection is not made again. The stream stays until {@link
     * #close}.
     *
     * @return whether the connection had not stopped or failed before
     */
    public synchronized boolean stop() {
        if (stopping) {
            return false;
        }
        stopping = true;
        problem = "";
        return true;
    }

    /** Whether it has been stopped, or has failed. */
    public boolean isStopped() {
        return stopping;
    }

    /** Ends the subscription; the framework is disconnected then, unless it was torn down. */
    public void close() {
        stopping = true;
        HttpURLConnection open;
        synchronized (this) {
            closed = true;
            open = stream;
        }
        if (open != null) {
            HttpTransport.closeLater(open);
        }
        ended.countDown();
    }
}
