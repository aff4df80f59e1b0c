// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.heddle.journal.FullDisk;
import org.heddle.journal.InUseException;
import org.heddle.journal.LocalStorage;
import org.heddle.journal.UnavailableException;
import org.heddle.journal.WriteAheadLog;
import org.jspecify.annotations.Nullable;

/**
 * The journal of a run: one JSON line for each start and end of a job, and each border of a plan that runs by weights,
 * in a write-ahead log. After a kill the next runner continues from it, even if the ResourceManager has forgotten
 * finished applications. Format version 1. The line of a start is written before the start, the lines of a submitter
 * and of an end after the event, so a missing line never makes a job run twice.
 */
final class RunJournal implements Closeable {
    private static final String OWNER = "a run of the packing planner";
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

    /**
     * The start of a phase between two borders of a plan.
     *
     * @param phase from 0
     * @param millis epoch milliseconds
     */
    record Border(int phase, long millis) {}

    private static final WriteAheadLog.Replay KNOWN = new WriteAheadLog.Replay() {
        @Override
        public void snapshot(long number, byte[] state) {}

        @Override
        public void record(long number, byte[] body) {}
    };

    private final Path place;
    private final Execution.Pause pause;
    private final Consumer<String> waits;
    private final WriteAheadLog log;
    private final Map<String, Launched> launched = new HashMap<>();
    private final Map<String, Long> submitters = new HashMap<>();
    private final Map<String, List<Ended>> ended = new HashMap<>();
    private final Map<Integer, Border> borders = new HashMap<>();

    /**
     * Opens the journal of a run, for this process only; makes its directory.
     *
     * @param directory of the run
     * @param pause between two attempts to write on a full disk
     * @param waits gets a sentence before each of these pauses
     * @throws InUseException if another process runs the plan
     */
    RunJournal(Path directory, Execution.Pause pause, Consumer<String> waits) throws IOException {
        place = directory.resolve("journal");
        this.pause = pause;
        this.waits = waits;
        log = new WriteAheadLog(new LocalStorage(place), OWNER, modified -> true);
        try {
            withRoom(this::open);
        } catch (IOException | RuntimeException e) {
            log.close();
            throw e;
        }
    }

    /** Does something that writes files of the run, and may be done again if the disk is full: waits for room then. */
    <T> T withRoom(FullDisk.Work<T> work) throws IOException {
        while (true) {
            try {
                return work.run();
            } catch (UnavailableException e) {
                waits.accept(String.valueOf(e.getMessage()));
                awaitRoom();
            }
        }
    }

    private long open() throws IOException {
        launched.clear();
        submitters.clear();
        ended.clear();
        borders.clear();
        return log.open(new WriteAheadLog.Replay() {
            @Override
            public void snapshot(long number, byte[] state) throws IOException {
                read(state);
            }

            @Override
            public void record(long number, byte[] body) throws IOException {
                read(body);
            }
        });
    }

    private void read(byte[] lines) throws IOException {
        for (String line : new String(lines, StandardCharsets.UTF_8).split("\n", -1)) {
            if (!line.isEmpty()) {
                try {
                    read(JSON.readTree(line));
                } catch (JsonProcessingException e) {
                    throw new IOException(place + ": a line is not JSON; move it away to start the run again", e);
                }
            }
        }
    }

    private void read(JsonNode node) throws IOException {
        if (node.path("version").asInt() != VERSION) {
            throw new IOException(place + ": version " + node.path("version")
                    + " is not known to this program; it reads version " + VERSION);
        }
        String tag = node.path("tag").asText();
        int plan = node.path("plan").asInt();
        if (node.has("phase")) {
            borders.put(
                    plan,
                    new Border(node.path("phase").asInt(), node.path("began").asLong()));
        } else if (node.has("submitter")) {
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

    /** The last phase of a plan that has begun; null before the first. */
    @Nullable
    Border border(int plan) {
        return borders.get(plan);
    }

    void noteBorder(int plan, Border border) throws IOException {
        append(JSON.createObjectNode()
                .put("version", VERSION)
                .put("plan", plan)
                .put("phase", border.phase())
                .put("began", border.millis()));
        borders.put(plan, border);
    }

    void noteLaunch(String tag, Launched start) throws IOException {
        append(line(tag, start.plan()).put("launched", start.millis()).put("after", start.after()));
        launched.put(tag, start);
        submitters.remove(tag);
    }

    void noteSubmitter(String tag, int plan, long pid) throws IOException {
        append(line(tag, plan).put("submitter", pid));
        submitters.put(tag, pid);
    }

    void noteEnd(String tag, Ended end) throws IOException {
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
        remember(tag, end);
    }

    private static ObjectNode line(String tag, int plan) {
        return JSON.createObjectNode().put("version", VERSION).put("tag", tag).put("plan", plan);
    }

    /** A line counts once only, so it is looked for before it is written again. */
    private void append(ObjectNode node) throws IOException {
        List<byte[]> line = List.of((node + "\n").getBytes(StandardCharsets.UTF_8));
        long before = log.last();
        boolean[] again = {false};
        withRoom(() -> {
            if (again[0] && log.open(KNOWN) > before) {
                return log.last();
            }
            again[0] = true;
            return log.append(line, true);
        });
    }

    private void awaitRoom() throws IOException {
        try {
            pause.untilNextPoll();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while it waited for room in " + place, e);
        }
    }

    @Override
    public void close() throws IOException {
        log.close();
    }
}
