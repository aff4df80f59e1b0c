// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.drf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the ResourceManager's stock REST: what any monitor of the cluster would see. */
public final class ClusterRest {
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final ObjectMapper json = new ObjectMapper();
    private final String address;

    /**
     * Reads from one ResourceManager.
     *
     * @param address for example {@code http://localhost:8088}
     */
    public ClusterRest(String address) {
        this.address = address;
    }

    /**
     * One application.
     *
     * @param id its id
     * @param user the user that submitted it
     * @param name its name
     * @param state {@code ACCEPTED}, {@code RUNNING}, {@code FINISHED} ..
     * @param finalStatus {@code SUCCEEDED}, {@code FAILED}, {@code KILLED} or {@code UNDEFINED}
     * @param diagnostics why it failed
     * @param progress 0 to 100
     * @param memoryMb memory that it holds, its master's included
     * @param vcores vcores that it holds
     * @param containers containers that it holds
     * @param pending containers that it asks for
     */
    public record App(
            String id,
            String user,
            String name,
            String state,
            String finalStatus,
            String diagnostics,
            double progress,
            long memoryMb,
            long vcores,
            int containers,
            int pending) {
        /** Its master runs and waits for containers; before that, what is pending is the master's own container. */
        public boolean asksForTasks() {
            return state.equals("RUNNING") && pending > 0;
        }

        public boolean isOver() {
            return state.equals("FINISHED") || state.equals("FAILED") || state.equals("KILLED");
        }
    }

    /**
     * Resources of the cluster.
     *
     * @param memoryMb memory of all active nodes, in MiB
     * @param vcores vcores of all active nodes
     */
    public record Capacity(long memoryMb, long vcores) {}

    /** The sum over active nodes. */
    public Capacity capacity() throws IOException, InterruptedException {
        long memory = 0;
        long vcores = 0;
        for (JsonNode node :
                get("/ws/v1/cluster/nodes?states=RUNNING").path("nodes").path("node")) {
            // Not used + available: the two are read one after the other, and containers start between.
            JsonNode total = node.path("totalResource");
            memory += total.path("memory").asLong();
            vcores += total.path("vCores").asLong();
        }
        return new Capacity(memory, vcores);
    }

    /** All applications, by id. */
    public Map<String, App> apps() throws IOException, InterruptedException {
        Map<String, App> apps = new HashMap<>();
        for (JsonNode app : get("/ws/v1/cluster/apps").path("apps").path("app")) {
            App read = read(app);
            apps.put(read.id, read);
        }
        return apps;
    }

    private static App read(JsonNode app) {
        int pending = 0;
        for (JsonNode row : rows(app.path("resourceRequests"))) {
            if (row.path("resourceName").asText().equals("*")) {
                pending += row.path("numContainers").asInt();
            }
        }
        return new App(
                app.path("id").asText(),
                app.path("user").asText(),
                app.path("name").asText(),
                app.path("state").asText(),
                app.path("finalStatus").asText(),
                app.path("diagnostics").asText(),
                app.path("progress").asDouble(),
                Math.max(0, app.path("allocatedMB").asLong()),
                Math.max(0, app.path("allocatedVCores").asLong()),
                Math.max(0, app.path("runningContainers").asInt()),
                pending);
    }

    /** Hadoop writes a list of one element as that element on some lines. */
    private static List<JsonNode> rows(JsonNode node) {
        List<JsonNode> rows = new ArrayList<>();
        if (node.isArray()) {
            node.forEach(rows::add);
        } else if (node.isObject()) {
            rows.add(node);
        }
        return rows;
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + path))
                .header("Accept", "application/json")
                .timeout(Duration.ofSeconds(20))
                .build();
        HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() != 200) {
            throw new IOException(address + path + " answered " + response.statusCode());
        }
        return json.readTree(response.body());
    }
}
