// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/** Queues as {@code /heddle/v1/scheduler} tells them. */
final class Queues {
    private Queues() {}

    /** A queue by its path; an empty answer if there is none. */
    static JsonNode find(Cluster cluster, String path) throws IOException {
        return below(cluster.rest("/heddle/v1/scheduler").path("root"), path);
    }

    private static JsonNode below(JsonNode queue, String path) throws IOException {
        if (queue.path("path").asText().equals(path)) {
            return queue;
        }
        for (JsonNode child : queue.path("children")) {
            JsonNode found = below(child, path);
            if (!found.isEmpty()) {
                return found;
            }
        }
        return Rest.parse("{}");
    }
}
