// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.OfferID;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.TestClocks;
import org.heddle.offers.master.reports.StateReport;
import org.heddle.offers.master.state.EventSink;
import org.heddle.offers.master.state.MasterIdentity;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.model.PortRange;
import org.heddle.offers.model.Resources;
import org.heddle.offers.store.Journal;
import org.heddle.offers.wire.Encoding;
import org.heddle.offers.wire.MalformedMessage;
import org.heddle.offers.wire.RandomMessages;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random calls, whole and damaged, in both encodings, against a master whose cluster allocates what it is asked for.
 * Laws: each call is answered, with a status of the API; no change of the state fails; after each call the state is
 * consistent.
 */
class CallFuzzTest {
    private static final int CALLS = Integer.getInteger("heddle.offers.fuzz", 10_000);
    private static final Set<Integer> STATUSES = Set.of(200, 202, 400, 403, 501, 503);

    private static final class Sink implements EventSink<Event> {
        private final List<String> offers = new CopyOnWriteArrayList<>();
        private final CompletableFuture<Integer> answer = new CompletableFuture<>();

        @Override
        public void open(String streamId) {
            answer.complete(200);
        }

        @Override
        public void refuse(int status, String message) {
            answer.complete(status);
        }

        @Override
        public void send(Event event) {
            event.getOffers()
                    .getOffersList()
                    .forEach(offer -> offers.add(offer.getId().getValue()));
            while (offers.size() > 50) {
                offers.remove(0);
            }
        }

        @Override
        public void close() {}
    }

    /** An operator which subscribes to all events; it is an error if one cannot be encoded. */
    private static final class Subscriber implements EventSink<org.apache.mesos.v1.master.Protos.Event> {
        private final AtomicLong bytes = new AtomicLong();

        @Override
        public void open(String streamId) {}

        @Override
        public void refuse(int status, String message) {}

        @Override
        public void send(org.apache.mesos.v1.master.Protos.Event event) {
            bytes.addAndGet(Encoding.JSON.record(event).length);
        }

        @Override
        public void close() {}
    }

    @Test
    void everyCallIsAnswered(@TempDir Path directory) throws Exception {
        MasterSettings settings = new MasterSettings(
                new MasterSettings.Times(60_000, 600_000, 600_000, 60_000),
                60_000,
                Resources.of(100, 64),
                100,
                new PortRange(31000, 31999),
                0,
                600_000,
                60_000,
                true);
        GenerousCluster cluster = new GenerousCluster();
        Map<Integer, Integer> statuses = new TreeMap<>();
        try (Journal journal = Journal.open(directory);
                StateExecutor stateExecutor = new StateExecutor(TestClocks.of(() -> 1_000_000L), journal, () -> {})) {
            Master master = new Master(
                    stateExecutor, cluster, settings, new MasterIdentity("bridge", "localhost", "127.0.0.1", 5050));
            cluster.setEvents(master);
            master.recover(journal, 1_000_000);
            stateExecutor.start();
            Subscriber subscriber = new Subscriber();
            master.watch("operator", "", subscriber);
            Random random = new Random(42);
            Sink sink = subscribe(master, "known", "stream");
            for (int i = 0; i < CALLS; i++) {
                if (i % 500 == 499) {
                    // Some calls tear the framework down or replace its stream.
                    sink = subscribe(master, "known-" + i, "stream");
                }
                int status = call(master, body(random, i - i % 500, sink), random);
                statuses.merge(status, 1, Integer::sum);
                assertThat(STATUSES).as("call %d", i).contains(status);
                assertConsistent(master);
            }
            assertThat(stateExecutor.errors()).as("changes that failed").isZero();
            assertThat(master.look("", StateReport::state).get(5, TimeUnit.MINUTES))
                    .isNotEmpty();
            assertThat(subscriber.bytes.get()).isPositive();
        }
        assertThat(statuses).containsKeys(202, 400);
    }

    private static void assertConsistent(Master master) throws Exception {
        master.look("", view -> {
                    view.assertConsistent();
                    return "";
                })
                .get(5, TimeUnit.MINUTES);
    }

    private static Sink subscribe(Master master, String id, String stream) throws Exception {
        FrameworkID frameworkId = FrameworkID.newBuilder().setValue(id).build();
        Sink sink = new Sink();
        master.subscribe(
                Call.newBuilder()
                        .setType(Call.Type.SUBSCRIBE)
                        .setFrameworkId(frameworkId)
                        .setSubscribe(Call.Subscribe.newBuilder()
                                .setFrameworkInfo(FrameworkInfo.newBuilder()
                                        .setId(frameworkId)
                                        .setUser("u")
                                        .setName("n")))
                        .build(),
                stream,
                "",
                sink);
        sink.answer.get(5, TimeUnit.MINUTES);
        return sink;
    }

    private static Call.Builder body(Random random, int round, Sink sink) {
        Call.Builder call = Call.newBuilder();
        RandomMessages.fill(call, random, 0);
        Call.Type[] types = Call.Type.values();
        call.setType(types[random.nextInt(types.length)]);
        if (call.getType() == Call.Type.TEARDOWN && random.nextInt(20) != 0) {
            call.setType(Call.Type.ACCEPT);
        }
        if (random.nextInt(4) != 0) {
            call.setFrameworkId(FrameworkID.newBuilder().setValue(round == 0 ? "known" : "known-" + (round - 1)));
        }
        List<String> offers = List.copyOf(sink.offers);
        if (!offers.isEmpty()) {
            OfferID offer = OfferID.newBuilder()
                    .setValue(offers.get(random.nextInt(offers.size())))
                    .build();
            if (call.getType() == Call.Type.ACCEPT) {
                call.getAcceptBuilder().addOfferIds(offer);
            } else if (call.getType() == Call.Type.DECLINE) {
                call.getDeclineBuilder().addOfferIds(offer);
            }
        }
        return call;
    }

    /** Encodes, perhaps damages, decodes, checks, calls: all that is between the socket and the state. */
    private static int call(Master master, Message.Builder message, Random random) throws Exception {
        Encoding encoding = random.nextBoolean() ? Encoding.JSON : Encoding.PROTOBUF;
        byte[] bytes = encoding.encode(message.buildPartial());
        if (random.nextInt(3) == 0 && bytes.length > 0) {
            for (int i = random.nextInt(4); i >= 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
        }
        Call.Builder call = Call.newBuilder();
        try {
            encoding.decode(bytes, call);
        } catch (MalformedMessage e) {
            assertThat(e.getMessage()).isNotEmpty();
            return 400;
        }
        if (CallValidator.problem(call.build()) != null) {
            return 400;
        }
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        if (call.getType() == Call.Type.SUBSCRIBE) {
            Sink sink = new Sink();
            master.subscribe(call.build(), "other", "", sink);
            int status = sink.answer.get(5, TimeUnit.MINUTES);
            master.disconnected("other");
            return status;
        }
        master.call(call.build(), "stream", "", (status, text) -> answer.complete(status));
        return answer.get(5, TimeUnit.MINUTES);
    }
}
