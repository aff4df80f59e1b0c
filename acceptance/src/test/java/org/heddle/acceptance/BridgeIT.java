// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The bridge as its README starts it: a framework that is no more than HTTP gets an offer. */
@Order(40)
@ExtendWith({SharedCluster.Extension.class, KeepLogs.class})
class BridgeIT {
    private static final String SUBSCRIBE =
            "{\"type\":\"SUBSCRIBE\",\"subscribe\":{\"framework_info\":{\"user\":\"carol\",\"name\":\"by hand\"}}}";

    @Test
    void aFrameworkGetsAnOfferAndTheBridgeEndsWhenTold(SharedCluster shared) throws Exception {
        Cluster cluster = shared.cluster();
        Path work = Files.createDirectories(shared.work().resolve("bridge"));
        Files.createSymbolicLink(
                work.resolve("bin"), shared.distribution().directory().resolve("bin"));
        Files.createSymbolicLink(
                work.resolve("conf-samples"), shared.distribution().directory().resolve("conf-samples"));
        String line = Documented.commandsOf("BridgeIT").get(0);
        // Below /var/lib a test may not write, ports of the machine are others', and the queue has another name here.
        String own = " -D heddle.bridge.state.dir=" + work.resolve("state") + " -D heddle.bridge.http.address="
                + cluster.address("history") + ":25050 -D heddle.bridge.agent.address=" + cluster.address("history")
                + ":25055 -D heddle.bridge.queues=*=root.other";
        try (Daemon bridge = cluster.command("bash", "-c", "exec " + line + own)
                .in(work)
                .as("carol")
                .start("bridge", work.resolve("bridge.log"))) {
            URI address = URI.create("http://" + cluster.address("history") + ":25050");
            Await.until(
                    "the bridge to answer",
                    SharedCluster.PATIENCE,
                    () -> {
                        assertThat(bridge.isAlive()).as(bridge.tail()).isTrue();
                        return Rest.get(address.resolve("/health")).statusCode() == 200;
                    },
                    bridge::tail);
            assertThat(bridge.output()).contains("Frameworks connect to " + address + "/api/v1/scheduler");
            assertThat(events(address, "\"OFFERS\"")).anyMatch(event -> event.contains("\"SUBSCRIBED\""));
            bridge.stop();
            assertThat(bridge.output()).doesNotContain("\tat ");
        }
    }

    /** Subscribes and reads events until one contains a text; the connection is closed then. */
    private static List<String> events(URI address, String wanted) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(address.resolve("/api/v1/scheduler"))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(SUBSCRIBE))
                .build();
        HttpResponse<InputStream> answer =
                HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        List<String> events = new java.util.ArrayList<>();
        try (BufferedReader stream = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            // RecordIO: a length in a line of its own, then so many bytes, here of JSON in ASCII.
            for (String length = stream.readLine(); length != null; length = stream.readLine()) {
                char[] event = new char[Integer.parseInt(length)];
                int read = 0;
                while (read < event.length) {
                    read += stream.read(event, read, event.length - read);
                }
                events.add(new String(event));
                if (events.get(events.size() - 1).contains(wanted)) {
                    return events;
                }
                // The length of the next begins right behind this one.
            }
        }
        throw new AssertionError("the stream ended after " + events);
    }
}
