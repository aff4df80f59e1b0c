// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.agent.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.heddle.market.model.naming.AccountNames;
import org.heddle.settings.web.WebAddress;
import org.heddle.settings.web.WebClient;
import org.jspecify.annotations.Nullable;

/**
 * Reads the REST of a ResourceManager, and through its proxy the REST of ApplicationMasters and Spark drivers. It asks
 * as the user of this process ({@code user.name}), which is enough without Kerberos, and with a ticket where that is
 * wanted.
 */
public final class YarnRest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final WebClient client;

    /** @param user for clusters without Kerberos */
    public YarnRest(List<URI> addresses, String user) {
        this(new WebClient(addresses, PATIENCE, "").as(user));
    }

    YarnRest(WebClient client) {
        this.client = client;
    }

    /**
     * The answer of the first ResourceManager that gives one.
     *
     * @param path with a leading slash
     * @throws IOException one sentence
     */
    public JsonNode get(String path) throws IOException {
        try {
            return JSON.readTree(client.text(path, "application/json"));
        } catch (JsonProcessingException e) {
            throw new IOException(path.replaceFirst("\\?.*", "") + " answered without JSON", e);
        }
    }

    /** The elements below a path; none if it is null, as YARN writes empty lists. */
    public static List<JsonNode> list(JsonNode answer, String pointer) {
        List<JsonNode> all = new ArrayList<>();
        answer.at(pointer).forEach(all::add);
        return all;
    }

    /**
     * Ids of the applications in an account's queue that have not ended.
     *
     * @param account with or without {@code root.}: other accounts' applications may have the same tag and name
     * @param tag a YARN tag; null for any
     * @param name of the application; null for any
     */
    public List<String> unfinished(String account, @Nullable String tag, @Nullable String name) throws IOException {
        String query = "/ws/v1/cluster/apps?states=NEW,NEW_SAVING,SUBMITTED,ACCEPTED,RUNNING";
        String tagged = tag == null ? "" : "&applicationTags=" + WebAddress.segment(tag);
        List<String> ids = new ArrayList<>();
        for (JsonNode app : list(get(query + tagged), "/apps/app")) {
            String queue = AccountNames.account(app.path("queue").asText());
            if (queue.equals(AccountNames.account(account))
                    && (name == null || name.equals(app.path("name").asText()))) {
                ids.add(app.path("id").asText());
            }
        }
        return ids;
    }

    public JsonNode application(String id) throws IOException {
        return get("/ws/v1/cluster/apps/" + WebAddress.segment(id)).path("app");
    }

    /** Slots of an amount of memory and cores: its dominant share of the cluster times the cluster's slots. */
    public double slots(double memoryMb, double vcores, double capacity) throws IOException {
        JsonNode metrics = get("/ws/v1/cluster/metrics").path("clusterMetrics");
        double memory = metrics.path("totalMB").asDouble();
        double cores = metrics.path("totalVirtualCores").asDouble();
        if (memory <= 0) {
            throw new IOException("the cluster has no active node, so the slots of a task are not known");
        }
        // Without a core count the scheduler counts memory only; then cores are many and do not decide.
        return Math.max(memoryMb / memory, cores > 0 ? vcores / cores : 0) * capacity;
    }
}
