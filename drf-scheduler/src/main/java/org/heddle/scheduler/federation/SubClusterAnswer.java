// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.federation;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the answer of {@code /heddle/v1/scheduler}, of which it needs the capacity and the queues. */
public final class SubClusterAnswer {
    private static final JsonFactory FACTORY = new JsonFactory();

    private SubClusterAnswer() {}

    /**
     * Parses an answer.
     *
     * @param id of the sub-cluster
     * @throws IOException one sentence: what is wrong with it
     */
    public static SubCluster parse(String id, String text) throws IOException {
        Map<String, Long> capacity = null;
        SubCluster.Queue root = null;
        try (JsonParser json = FACTORY.createParser(text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("its answer is no JSON object");
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                JsonToken value = json.nextToken();
                if (name.equals("capacity")) {
                    capacity = amounts(json);
                } else if (name.equals("root") && value == JsonToken.START_OBJECT) {
                    root = queue(json);
                } else {
                    json.skipChildren();
                }
            }
        }
        if (capacity == null || root == null) {
            throw new IOException("its answer has no capacity or no queues");
        }
        return new SubCluster(id, capacity, root);
    }

    private static SubCluster.@Nullable Queue queue(JsonParser json) throws IOException {
        String kind = "";
        String path = "";
        double weight = 1;
        Map<String, Long> usage = Map.of();
        Map<String, Long> demand = Map.of();
        Map<String, Long> limit = Map.of();
        List<SubCluster.Queue> children = new ArrayList<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            switch (name) {
                case "kind" -> kind = json.getText();
                case "path" -> path = json.getText();
                case "configuredWeight" -> weight = json.getDoubleValue();
                case "usage" -> usage = amounts(json);
                case "demand" -> demand = amounts(json);
                case "limit" -> limit = amounts(json);
                case "children" -> {
                    while (json.nextToken() == JsonToken.START_OBJECT) {
                        SubCluster.Queue child = queue(json);
                        if (child != null) {
                            children.add(child);
                        }
                    }
                }
                default -> json.skipChildren();
            }
        }
        return kind.equals("queue") ? new SubCluster.Queue(path, weight, usage, demand, limit, children) : null;
    }

    private static Map<String, Long> amounts(JsonParser json) throws IOException {
        Map<String, Long> amounts = new HashMap<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            amounts.put(name, json.getLongValue());
        }
        return amounts;
    }
}
