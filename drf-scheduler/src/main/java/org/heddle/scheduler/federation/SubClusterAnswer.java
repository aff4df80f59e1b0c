// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.federation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the answer of {@code /heddle/v1/scheduler}, of which it needs the capacity and the queues. */
public final class SubClusterAnswer {
    private static final ObjectMapper MAPPER =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    /** The fields that are needed; null where the answer has none. */
    private record Answer(
            @Nullable Map<String, Long> capacity, @Nullable Node root) {}

    private record Node(
            @Nullable String kind,
            @Nullable String path,
            @Nullable Double configuredWeight,
            @Nullable Map<String, Long> usage,
            @Nullable Map<String, Long> demand,
            @Nullable Map<String, Long> limit,
            @Nullable List<Node> children) {
        boolean isQueue() {
            return "queue".equals(kind);
        }

        SubCluster.Queue queue() {
            return new SubCluster.Queue(
                    Objects.requireNonNullElse(path, ""),
                    Objects.requireNonNullElse(configuredWeight, 1.0),
                    Objects.requireNonNullElse(usage, Map.of()),
                    Objects.requireNonNullElse(demand, Map.of()),
                    Objects.requireNonNullElse(limit, Map.of()),
                    Objects.requireNonNullElse(children, List.<Node>of()).stream()
                            .filter(Node::isQueue)
                            .map(Node::queue)
                            .toList());
        }
    }

    private SubClusterAnswer() {}

    /**
     * Parses an answer.
     *
     * @param id of the sub-cluster
     * @throws IOException one sentence: what is wrong with it
     */
    public static SubCluster parse(String id, String text) throws IOException {
        Answer answer;
        try {
            answer = MAPPER.readValue(text, Answer.class);
        } catch (JsonProcessingException e) {
            throw new IOException("its answer is not the JSON that was asked for: " + e.getOriginalMessage(), e);
        }
        if (answer == null
                || answer.capacity() == null
                || answer.root() == null
                || !answer.root().isQueue()) {
            throw new IOException("its answer has no capacity or no queues");
        }
        return new SubCluster(id, answer.capacity(), answer.root().queue());
    }
}
