// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.mesos.v1.master.Protos.Call;
import org.apache.mesos.v1.master.Protos.Event;
import org.apache.mesos.v1.master.Protos.Response;
import org.heddle.offers.wire.Encoding;
import org.jspecify.annotations.Nullable;

/** An operator's tool on the bare wire. */
final class OperatorClient implements AutoCloseable {
    private final URI api;
    private final Encoding encoding;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<Event> seen = new CopyOnWriteArrayList<>();
    private @Nullable InputStream stream;

    OperatorClient(InetSocketAddress bridge, Encoding encoding) {
        this.api = URI.create("http://" + bridge.getHostString() + ":" + bridge.getPort() + "/api/v1");
        this.encoding = encoding;
    }

    private HttpRequest request(Call call) {
        return HttpRequest.newBuilder(api)
                .header("Content-Type", encoding.mediaType())
                .header("Accept", encoding.mediaType())
                .POST(HttpRequest.BodyPublishers.ofByteArray(encoding.encode(call)))
                .build();
    }

    /** Begins to read events in a thread of its own. */
    OperatorClient watch() throws Exception {
        HttpResponse<InputStream> response = http.send(
                request(Call.newBuilder().setType(Call.Type.SUBSCRIBE).build()),
                HttpResponse.BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            throw new IOException("SUBSCRIBE was answered " + response.statusCode());
        }
        InputStream in = new BufferedInputStream(response.body());
        stream = in;
        Thread reader = new Thread(() -> read(in), "operator-client");
        reader.setDaemon(true);
        reader.start();
        return this;
    }

    private void read(InputStream in) {
        try {
            byte[] record = WireClient.record(in);
            while (record != null) {
                Event.Builder event = Event.newBuilder();
                encoding.decode(record, event);
                seen.add(event.build());
                record = WireClient.record(in);
            }
        } catch (IOException e) {
            // closed by the test, or by the bridge: what was seen says what was missed
        }
    }

    /** Events so far. */
    List<Event> seen() {
        return seen;
    }

    /** The status of the answer. */
    int status(Call call) throws Exception {
        return http.send(request(call), HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    Response ask(Call call) throws Exception {
        HttpResponse<byte[]> answer = http.send(request(call), HttpResponse.BodyHandlers.ofByteArray());
        if (answer.statusCode() != 200) {
            throw new IOException(call.getType() + " was answered " + answer.statusCode());
        }
        Response.Builder response = Response.newBuilder();
        encoding.decode(answer.body(), response);
        return response.build();
    }

    Response ask(Call.Type type) throws Exception {
        return ask(Call.newBuilder().setType(type).build());
    }

    @Override
    public void close() throws IOException {
        InputStream open = stream;
        if (open != null) {
            open.close();
        }
    }
}
