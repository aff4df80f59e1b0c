// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run has started and finished, one JSON line each, so that a planner that was killed goes on
 * where it was even if the ResourceManager has forgotten finished applications. Format version 1; a torn
 * last line is ignored.
 */
final class Journal {
    private static final int VERSION = 1;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;
    private final Map<String, Long> launched = new HashMap<>();
    private final Map<String, JobStatus> finished = new HashMap<>();

    Journal(Path file) throws IOException {
        this.file = file;
        if (!Files.exists(file)) {
            return;
        }
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            JsonNode node;
            try {
                node = JSON.readTree(lines.get(i));
            } catch (IOException e) {
                if (i == lines.size() - 1) {
                    return;
                }
                throw new IOException(
                        file + ", line " + (i + 1) + ": is not JSON; move the file away to start anew", e);
            }
            read(node, i + 1);
        }
    }

    private void read(JsonNode node, int line) throws IOException {
        if (node.path("version").asInt() != VERSION) {
            throw new IOException(file + ", line " + line + ": version " + node.path("version")
                    + " is not known to this program; it reads version " + VERSION);
        }
        String tag = node.path("tag").asText();
        if (node.has("launched")) {
            launched.put(tag, node.path("launched").asLong());
        } else {
            finished.put(
                    tag,
                    new JobStatus(
                            tag,
                            node.path("application").asText(),
                            node.path("succeeded").asBoolean() ? JobStatus.State.SUCCEEDED : JobStatus.State.FAILED,
                            node.path("start").asLong(),
                            node.path("finish").asLong(),
                            0,
                            1,
                            node.path("trouble").asText()));
        }
    }

    Map<String, JobStatus> finished() {
        return finished;
    }

    /** Epoch milliseconds at which a job was first started, or the fallback. */
    long launched(String tag, long fallback) {
        return launched.getOrDefault(tag, fallback);
    }

    void noteLaunch(String tag, long millis) throws IOException {
        launched.put(tag, millis);
        append(JSON.createObjectNode().put("version", VERSION).put("tag", tag).put("launched", millis));
    }

    void noteEnd(JobStatus status) throws IOException {
        if (finished.put(status.tag(), status) == null) {
            append(JSON.createObjectNode()
                    .put("version", VERSION)
                    .put("tag", status.tag())
                    .put("application", status.application())
                    .put("succeeded", status.state() == JobStatus.State.SUCCEEDED)
                    .put("start", status.startMillis())
                    .put("finish", status.finishMillis())
                    .put("trouble", status.trouble()));
        }
    }

    private void append(ObjectNode node) throws IOException {
        Files.writeString(
                file, node + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND, StandardOpenOption.SYNC);
    }
}
