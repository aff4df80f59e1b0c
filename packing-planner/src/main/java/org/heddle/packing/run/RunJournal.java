// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.heddle.settings.file.AtomicFile;
import org.jspecify.annotations.Nullable;

/**
 * The journal of a run: one JSON line for each start and end of a job. After a kill the next runner continues from it, even
 * if the ResourceManager has forgotten finished applications. Format version 1; an incomplete last line is dropped. The
 * line of a start is written before the start, the lines of a submitter and of an end after the event, so a missing line
 * never makes a job run twice.
 */
final class RunJournal {
    private static final int VERSION = 1;
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * The start of a job.
     *
     * @param plan number of its plan; 0 is the given plan, the others come from replanning
     * @param millis epoch milliseconds
     * @param after the job's failed application before this start; empty if there was none
     */
    record Launched(int plan, long millis, String after) {}

    /**
     * The end of a job.
     *
     * @param plan number of the plan it ran for
     * @param most largest number of containers that it held at once in a poll
     * @param overMillis epoch milliseconds at which the end of its program was seen, so that the next phase could start
     */
    record Ended(int plan, long launched, JobStatus status, int most, long overMillis) {}

    private final Path file;
    private final Map<String, Launched> launched = new HashMap<>();
    private final Map<String, Long> submitters = new HashMap<>();
    private final Map<String, List<Ended>> ended = new HashMap<>();

    RunJournal(Path file) throws IOException {
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
                    dropTornLine(lines.subList(0, i));
                    return;
                }
                throw new IOException(
                        file + ", line " + (i + 1) + ": is not JSON; move the file away to start the run again", e);
            }
            read(node, i + 1);
        }
    }

    /** Otherwise the next line would be appended to the incomplete one. */
    private void dropTornLine(List<String> whole) throws IOException {
        AtomicFile.write(file, whole.stream().map(line -> line + "\n").collect(Collectors.joining()));
    }

    private void read(JsonNode node, int line) throws IOException {
        if (node.path("version").asInt() != VERSION) {
            throw new IOException(file + ", line " + line + ": version " + node.path("version")
                    + " is not known to this program; it reads version " + VERSION);
        }
        String tag = node.path("tag").asText();
        int plan = node.path("plan").asInt();
        if (node.has("submitter")) {
            submitters.put(tag, node.path("submitter").asLong());
        } else if (node.has("after")) {
            submitters.remove(tag);
            launched.put(
                    tag,
                    new Launched(
                            plan,
                            node.path("launched").asLong(),
                            node.path("after").asText()));
        } else {
            JobStatus status = new JobStatus(
                    tag,
                    node.path("application").asText(),
                    node.path("succeeded").asBoolean() ? JobStatus.State.SUCCEEDED : JobStatus.State.FAILED,
                    node.path("start").asLong(),
                    node.path("finish").asLong(),
                    0,
                    1,
                    node.path("trouble").asText());
            remember(
                    tag,
                    new Ended(
                            plan,
                            node.path("launched").asLong(),
                            status,
                            node.path("most").asInt(),
                            node.path("over").asLong(status.finishMillis())));
        }
    }

    private void remember(String tag, Ended end) {
        ended.computeIfAbsent(tag, t -> new ArrayList<>()).add(end);
    }

    /** The last start of a job, or null. */
    @Nullable
    Launched launched(String tag) {
        return launched.get(tag);
    }

    /** Process id of the program that was started last for a job; -1 if none is known. */
    long submitter(String tag) {
        return submitters.getOrDefault(tag, -1L);
    }

    /** The last end of a job, or null. */
    @Nullable
    Ended ended(String tag) {
        List<Ended> all = ended.getOrDefault(tag, List.of());
        return all.isEmpty() ? null : all.get(all.size() - 1);
    }

    /** The last end of a job for this plan, or null. */
    @Nullable
    Ended ended(String tag, int plan) {
        return ended.getOrDefault(tag, List.of()).stream()
                .filter(e -> e.plan() == plan)
                .reduce((first, second) -> second)
                .orElse(null);
    }

    /** How often a job has failed. */
    int failures(String tag) {
        return (int) ended.getOrDefault(tag, List.of()).stream()
                .filter(e -> e.status().state() == JobStatus.State.FAILED)
                .count();
    }

    void noteLaunch(String tag, Launched start) throws IOException {
        launched.put(tag, start);
        submitters.remove(tag);
        append(line(tag, start.plan()).put("launched", start.millis()).put("after", start.after()));
    }

    void noteSubmitter(String tag, int plan, long pid) throws IOException {
        submitters.put(tag, pid);
        append(line(tag, plan).put("submitter", pid));
    }

    void noteEnd(String tag, Ended end) throws IOException {
        remember(tag, end);
        JobStatus status = end.status();
        append(line(tag, end.plan())
                .put("launched", end.launched())
                .put("application", status.application())
                .put("succeeded", status.state() == JobStatus.State.SUCCEEDED)
                .put("start", status.startMillis())
                .put("finish", status.finishMillis())
                .put("over", end.overMillis())
                .put("most", end.most())
                .put("trouble", status.trouble()));
    }

    private static ObjectNode line(String tag, int plan) {
        return JSON.createObjectNode().put("version", VERSION).put("tag", tag).put("plan", plan);
    }

    private void append(ObjectNode node) throws IOException {
        Files.writeString(
                file, node + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND, StandardOpenOption.SYNC);
    }
}
