// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.offers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/** Reads the bridge's pages: shares and nodes. */
public final class BridgePages {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final BridgeOptions options;
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(TIMEOUT)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();

    public BridgePages(BridgeOptions options) {
        this.options = options;
    }

    /**
     * What a framework's queue is guaranteed.
     *
     * @param guaranteed part of the cluster that is guaranteed, agents included
     */
    public record Share(String queue, Size guaranteed) {}

    public Share share(String frameworkId) throws IOException, InterruptedException {
        JsonNode role = get("/share?framework_id=" + frameworkId).path("roles").path(0);
        return new Share(role.path("queue").asText(), size(role.path("guaranteed")));
    }

    /** Number and sum of the nodes that can run tasks. */
    public record Nodes(int count, Size total) {}

    public Nodes nodes() throws IOException, InterruptedException {
        int count = 0;
        Size total = Size.NONE;
        for (JsonNode node : get("/slaves").path("slaves")) {
            if (node.path("active").asBoolean()) {
                count++;
                total = total.plus(size(node.path("resources")));
            }
        }
        return new Nodes(count, total);
    }

    /** The address of this machine from which it reaches the bridge, and at which tasks can reach this process. */
    public InetAddress localAddress() throws IOException {
        URI bridge = options.addresses.get(0);
        int port = bridge.getPort() >= 0 ? bridge.getPort() : bridge.getScheme().equals("https") ? 443 : 80;
        try (Socket socket = new Socket(bridge.getHost(), port)) {
            return socket.getLocalAddress();
        } catch (IOException e) {
            throw new IOException(
                    "there is no bridge at " + bridge + " (" + e.getMessage()
                            + "): start one with heddle bridge, or name it with --bridge",
                    e);
        }
    }

    private static Size size(JsonNode resources) {
        return new Size(resources.path("cpus").asDouble(), resources.path("mem").asDouble());
    }

    /** The answer of the first bridge that answers. */
    private JsonNode get(String page) throws IOException, InterruptedException {
        IOException problem = new IOException("no bridge");
        for (URI bridge : options.addresses) {
            try {
                HttpRequest.Builder request =
                        HttpRequest.newBuilder(bridge.resolve(page)).timeout(TIMEOUT);
                String principal = System.getenv("BRIDGE_PRINCIPAL");
                if (principal != null) {
                    String pair = principal + ":" + System.getenv("BRIDGE_SECRET");
                    request.header(
                            "Authorization",
                            "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
                }
                HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() == 200) {
                    return new ObjectMapper().readTree(answer.body());
                }
                problem = new IOException(bridge + page + " answers " + answer.statusCode() + ": " + answer.body());
            } catch (IOException e) {
                problem = new IOException(bridge + page + ": " + e.getMessage(), e);
            }
        }
        throw problem;
    }
}
