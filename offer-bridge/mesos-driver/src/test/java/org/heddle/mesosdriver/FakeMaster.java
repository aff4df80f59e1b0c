// SPDX-License-Identifier: Apache-2.0
package org.heddle.mesosdriver;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.apache.mesos.Protos.FrameworkID;
import org.apache.mesos.Protos.FrameworkInfo;
import org.apache.mesos.Protos.MasterInfo;
import org.apache.mesos.scheduler.Protos.Call;
import org.apache.mesos.scheduler.Protos.Event;
import org.apache.mesos.scheduler.Protos.OfferConstraints;
import org.jspecify.annotations.Nullable;

/** The scheduler API of a master, as far as a test scripts it. */
final class FakeMaster implements AutoCloseable {
    private final HttpServer server;
    final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
    final BlockingQueue<String> authorizations = new LinkedBlockingQueue<>();
    volatile int answer = 202;
    volatile String redirect = "";
    private volatile @Nullable HttpExchange stream;

    FakeMaster() throws IOException {
        this(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16));
    }

    /** With TLS. */
    static FakeMaster secure(SSLContext context) throws IOException {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        return new FakeMaster(server);
    }

    private FakeMaster(HttpServer server) {
        this.server = server;
        server.createContext("/api/v1/scheduler", this::call);
        server.setExecutor(Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        }));
        server.start();
    }

    String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    /** Reads a call of the v1 API, and returns it in the classes of the old one, which differ in SUBSCRIBE only. */
    private static Call read(byte[] body) throws IOException {
        org.apache.mesos.v1.scheduler.Protos.Call.Subscribe subscribe =
                org.apache.mesos.v1.scheduler.Protos.Call.parseFrom(body).getSubscribe();
        Call.Builder call = Call.parseFrom(body).toBuilder();
        if (call.getType() == Call.Type.SUBSCRIBE) {
            call.setSubscribe(Call.Subscribe.newBuilder()
                    .setFrameworkInfo(
                            FrameworkInfo.parseFrom(subscribe.getFrameworkInfo().toByteArray()))
                    .addAllSuppressedRoles(subscribe.getSuppressedRolesList())
                    .setOfferConstraints(OfferConstraints.parseFrom(
                            subscribe.getOfferConstraints().toByteArray())));
        }
        return call.build();
    }

    private void call(HttpExchange exchange) throws IOException {
        Call call = read(exchange.getRequestBody().readAllBytes());
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        if (authorization != null) {
            authorizations.add(authorization);
        }
        if (!redirect.isEmpty()) {
            exchange.getResponseHeaders().set("Location", "//" + redirect);
            exchange.sendResponseHeaders(307, -1);
            exchange.close();
            return;
        }
        if (call.getType() == Call.Type.SUBSCRIBE) {
            exchange.getResponseHeaders().set("Mesos-Stream-Id", "stream");
            exchange.sendResponseHeaders(200, 0);
            stream = exchange;
            calls.add(call);
            return;
        }
        calls.add(call);
        if (answer == 0) {
            // No answer at all.
            breakStream();
            exchange.close();
            return;
        }
        byte[] text = "no".getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer, answer == 202 ? -1 : text.length);
        if (answer != 202) {
            exchange.getResponseBody().write(text);
        }
        exchange.close();
    }

    /** The next call of this kind; others before it are dropped. */
    Call await(Call.Type type) throws InterruptedException {
        while (true) {
            Call call = calls.poll(60, TimeUnit.SECONDS);
            if (call == null) {
                throw new AssertionError("no " + type + " came");
            }
            if (call.getType() == type) {
                return call;
            }
        }
    }

    void send(Event event) throws IOException {
        byte[] bytes = event.toByteArray();
        OutputStream out = Objects.requireNonNull(stream, "no subscription").getResponseBody();
        out.write((bytes.length + "\n").getBytes(StandardCharsets.UTF_8));
        out.write(bytes);
        out.flush();
    }

    @SuppressWarnings("deprecation") // required by the format
    void subscribed(String id) throws IOException {
        send(Event.newBuilder()
                .setType(Event.Type.SUBSCRIBED)
                .setSubscribed(Event.Subscribed.newBuilder()
                        .setFrameworkId(FrameworkID.newBuilder().setValue(id))
                        .setHeartbeatIntervalSeconds(15)
                        .setMasterInfo(MasterInfo.newBuilder()
                                .setId("master")
                                .setIp(0)
                                .setPort(server.getAddress().getPort())))
                .build());
    }

    /** In the middle of an event, as when the master is killed. */
    void breakStream() throws IOException {
        Objects.requireNonNull(stream, "no subscription")
                .getResponseBody()
                .write("9\nhalf".getBytes(StandardCharsets.UTF_8));
        Objects.requireNonNull(stream, "no subscription").close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
