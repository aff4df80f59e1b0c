// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.apache.mesos.v1.scheduler.Protos.Event;

/**
 * A scheduler for measurements: calls go out one after the other on one connection and their answers are counted, events come
 * in a thread of their own. Acknowledges by itself.
 */
final class LeanScheduler implements AutoCloseable {
    private static final String PATH = "/api/v1/scheduler";

    private final LeanConnection stream;
    private final LeanConnection calls;
    private final BiConsumer<LeanScheduler, Event> watcher;
    private final CountDownLatch subscribed = new CountDownLatch(1);
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private volatile FrameworkID id = FrameworkID.getDefaultInstance();

    /** Subscribes; with {@code suppressed} it gets no offers before {@link #revive}. */
    LeanScheduler(
            InetSocketAddress bridge, FrameworkInfo info, boolean suppressed, BiConsumer<LeanScheduler, Event> watcher)
            throws IOException, InterruptedException {
        this.watcher = watcher;
        this.stream = new LeanConnection(bridge, PATH);
        this.calls = new LeanConnection(bridge, PATH);
        Call.Builder call = Call.newBuilder()
                .setType(Call.Type.SUBSCRIBE)
                .setSubscribe(Call.Subscribe.newBuilder().setFrameworkInfo(info));
        if (suppressed) {
            call.getSubscribeBuilder().addSuppressedRoles("*");
        }
        stream.post(call.build().toByteArray(), "");
        if (stream.answer() != 200) {
            throw new IOException("SUBSCRIBE was refused");
        }
        thread("lean-events", this::readEvents);
        if (!subscribed.await(10, TimeUnit.MINUTES)) {
            throw new IOException("not subscribed after 10 minutes");
        }
        thread("lean-answers", this::readAnswers);
    }

    private static void thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void readEvents() {
        try {
            while (true) {
                Event event = Event.parseFrom(stream.record());
                if (event.getType() == Event.Type.SUBSCRIBED) {
                    id = event.getSubscribed().getFrameworkId();
                    subscribed.countDown();
                }
                watcher.accept(this, event);
                if (event.getType() == Event.Type.UPDATE
                        && event.getUpdate().getStatus().hasUuid()) {
                    acknowledge(event.getUpdate().getStatus());
                }
            }
        } catch (IOException e) {
            // The measurement is over, or fails by what does not come.
            subscribed.countDown();
        }
    }

    private void acknowledge(TaskStatus status) throws IOException {
        send(WireClient.acknowledgeCall(status));
    }

    private void readAnswers() {
        try {
            while (true) {
                (calls.answer() == 202 ? accepted : refused).incrementAndGet();
            }
        } catch (IOException e) {
            // The measurement is over, or fails by what does not come.
            subscribed.countDown();
        }
    }

    synchronized void send(Call.Builder call) throws IOException {
        calls.post(call.setFrameworkId(id).build().toByteArray(), stream.streamId());
    }

    /** Names the size that it wishes offers to have, in CPUs and MiB. */
    void request(double cpus, double mem) throws IOException {
        send(WireClient.requestCall(cpus, mem));
    }

    void revive() throws IOException {
        send(Call.newBuilder().setType(Call.Type.REVIVE));
    }

    FrameworkID id() {
        return id;
    }

    /** Calls that were answered other than 202. */
    long refused() {
        return refused.get();
    }

    long accepted() {
        return accepted.get();
    }

    /** Tears the framework down. */
    @Override
    public void close() throws IOException {
        send(Call.newBuilder().setType(Call.Type.TEARDOWN));
        stream.close();
        calls.close();
    }
}
