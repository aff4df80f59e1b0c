// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.offers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.offers.client.protocol.HttpTransport;
import org.heddle.settings.web.WebClient;

/** Reads the bridge's pages: shares and nodes. */
public final class BridgePages {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final BridgeOptions options;
    private final WebClient client;

    public BridgePages(BridgeOptions options) {
        this.options = options;
        String principal = System.getenv("BRIDGE_PRINCIPAL");
        Map<String, String> proof;
        if (principal == null) {
            proof = Map.of();
        } else {
            proof = Map.of(
                    "Authorization", HttpTransport.basic(principal, String.valueOf(System.getenv("BRIDGE_SECRET"))));
        }
        this.client = new WebClient(options.addresses, TIMEOUT, "name another bridge with --bridge")
                .with((method, uri, body, fields) -> proof);
    }

    /**
     * What a framework's queue is guaranteed.
     *
     * @param guaranteed part of the cluster that is guaranteed, agents included
     */
    public record Share(String queue, Size guaranteed) {}

    public Share share(String frameworkId) throws IOException {
        JsonNode role = get("/share?framework_id=" + frameworkId).path("roles").path(0);
        return new Share(role.path("queue").asText(), size(role.path("guaranteed")));
    }

    /**
     * The nodes that can run tasks.
     *
     * @param total their sum
     * @param sizes their different sizes
     */
    public record Nodes(int count, Size total, List<Size> sizes) {}

    public Nodes nodes() throws IOException {
        int count = 0;
        Size total = Size.NONE;
        Set<Size> sizes = new LinkedHashSet<>();
        for (JsonNode node : get("/slaves").path("slaves")) {
            if (node.path("active").asBoolean()) {
                count++;
                Size size = size(node.path("resources"));
                total = total.plus(size);
                sizes.add(size);
            }
        }
        return new Nodes(count, total, List.copyOf(sizes));
    }

    /** The address of this machine from which it reaches the bridge, and at which tasks can reach this process. */
    public InetAddress localAddress() throws IOException {
        URI bridge = options.addresses.get(0);
        int port;
        if (bridge.getPort() >= 0) {
            port = bridge.getPort();
        } else if (bridge.getScheme().equals("https")) {
            port = 443;
        } else {
            port = 80;
        }
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

    private JsonNode get(String page) throws IOException {
        return new ObjectMapper().readTree(client.text(page, "application/json"));
    }
}
