// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The stream of a framework's events, and its calls. */
final class FrameworkStream implements AutoCloseable {
    private final HttpClient client = HttpClient.newHttpClient();
    private final URI scheduler;
    private final String id;
    private final BufferedReader stream;
    private final List<String> seen = new ArrayList<>();

    /** A call to subscribe; {@code more} are further fields of the framework, each with a comma before it. */
    static String subscribe(String more) {
        return "{\"type\":\"SUBSCRIBE\",\"subscribe\":{\"framework_info\":{\"user\":\"carol\",\"name\":\"by hand\""
                + more + "}}}";
    }

    FrameworkStream(URI address, String subscribe) throws Exception {
        scheduler = address.resolve("/api/v1/scheduler");
        HttpResponse<InputStream> answer =
                client.send(request(subscribe).build(), HttpResponse.BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        id = answer.headers().firstValue("Mesos-Stream-Id").orElseThrow();
        stream = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    }

    private HttpRequest.Builder request(String body) {
        return HttpRequest.newBuilder(scheduler)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    /** Sends a call; returns the status of the answer. */
    int call(String body) throws Exception {
        HttpRequest call = request(body).header("Mesos-Stream-Id", id).build();
        return client.send(call, HttpResponse.BodyHandlers.ofString()).statusCode();
    }

    void until(String wanted) throws IOException {
        // RecordIO: a length in a line of its own, then so many bytes, here of JSON in ASCII.
        for (String length = stream.readLine(); length != null; length = stream.readLine()) {
            char[] event = new char[Integer.parseInt(length)];
            int read = 0;
            while (read < event.length) {
                read += stream.read(event, read, event.length - read);
            }
            seen.add(new String(event));
            if (last().contains(wanted)) {
                return;
            }
            // The length of the next begins right behind this one.
        }
        throw new AssertionError("the stream ended after " + seen);
    }

    List<String> seen() {
        return seen;
    }

    String last() {
        return seen.get(seen.size() - 1);
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
