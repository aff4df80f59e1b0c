// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.packing.fit.SparkApplication.Executor;
import org.heddle.packing.fit.SparkApplication.Stage;
import org.heddle.packing.fit.SparkApplication.Task;
import org.heddle.settings.past.JobSpan;
import org.jspecify.annotations.Nullable;

/**
 * Reads an event log of Spark: JSON, one event a line. A job that was started after another one had ended is taken to
 * have waited for it, for its driver did.
 */
final class SparkEventLog {
    private static final Pattern EVENT = Pattern.compile("\\s*\\{\\s*\"Event\"\\s*:\\s*\"([^\"]+)\"");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final double NANOS = 1e9;

    /** An attempt of a task as the log tells it. */
    private record Attempt(long startMillis, long endMillis, boolean succeeded) {}

    /** An executor whose end may not be told. */
    private record Began(String host, int cores, long millis) {}

    private final Map<String, String> properties = new HashMap<>();
    private final Map<String, Began> executors = new LinkedHashMap<>();
    private final Map<String, Long> executorEnds = new HashMap<>();
    private final Map<Integer, Integer> jobOfStage = new HashMap<>();
    private final Map<Integer, List<Integer>> stagesOfJob = new HashMap<>();
    /** The job that had ended last when a job was started. */
    private final Map<Integer, Integer> jobBefore = new HashMap<>();

    private final Map<Integer, List<Integer>> parents = new HashMap<>();
    private final TreeMap<Integer, TreeMap<Integer, List<Attempt>>> tasks = new TreeMap<>();
    private @Nullable JsonNode start;
    private @Nullable Integer lastEnded;
    private boolean lastSucceeded = true;
    private long endMillis = -1;
    private double cpuNanos;
    private double ioBytes;
    private long leftOut;
    private long cut;
    private long others;

    private SparkEventLog() {}

    /** Whether a text is the beginning of an event log. */
    static boolean isOne(String beginning) {
        return EVENT.matcher(beginning).lookingAt();
    }

    /** @throws IOException one sentence without the file's name, if it is no whole event log of an application */
    static SparkApplication read(BufferedReader lines) throws IOException {
        SparkEventLog log = new SparkEventLog();
        long number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            Matcher event = EVENT.matcher(line);
            if (event.lookingAt()) {
                try {
                    log.add(event.group(1), line);
                } catch (JsonProcessingException e) {
                    throw new IOException("line " + number + " is no JSON: it is cut, or broken", e);
                }
            } else if (!line.isBlank()) {
                throw new IOException("line " + number + " is no event of Spark: it is cut, or broken");
            }
        }
        return log.application();
    }

    private void add(String event, String line) throws JsonProcessingException {
        switch (event) {
            case "SparkListenerApplicationStart" -> start = JSON.readTree(line);
            case "SparkListenerApplicationEnd" ->
                endMillis = JSON.readTree(line).path("Timestamp").asLong(-1);
            case "SparkListenerEnvironmentUpdate" ->
                JSON.readTree(line)
                        .path("Spark Properties")
                        .fields()
                        .forEachRemaining(one ->
                                properties.put(one.getKey(), one.getValue().asText()));
            case "SparkListenerExecutorAdded" -> executor(JSON.readTree(line));
            case "SparkListenerExecutorRemoved" -> {
                JsonNode json = JSON.readTree(line);
                executorEnds.put(
                        json.path("Executor ID").asText(),
                        json.path("Timestamp").asLong(-1));
            }
            case "SparkListenerJobStart" -> job(JSON.readTree(line));
            case "SparkListenerJobEnd" -> {
                JsonNode json = JSON.readTree(line);
                lastEnded = json.path("Job ID").asInt();
                lastSucceeded = json.path("Job Result").path("Result").asText().equals("JobSucceeded");
            }
            case "SparkListenerStageSubmitted", "SparkListenerStageCompleted" ->
                stage(JSON.readTree(line).path("Stage Info"));
            case "SparkListenerTaskEnd" -> task(JSON.readTree(line));
            default -> {} // about SQL, blocks, metrics and more
        }
    }

    private void executor(JsonNode json) {
        JsonNode info = json.path("Executor Info");
        executors.put(
                json.path("Executor ID").asText(),
                new Began(
                        info.path("Host").asText(),
                        Math.max(1, info.path("Total Cores").asInt(1)),
                        json.path("Timestamp").asLong(-1)));
    }

    private void job(JsonNode json) {
        int id = json.path("Job ID").asInt();
        if (lastEnded != null) {
            jobBefore.put(id, lastEnded);
        }
        List<Integer> stages = new ArrayList<>();
        for (JsonNode stage : json.path("Stage IDs")) {
            stages.add(stage.asInt());
            jobOfStage.putIfAbsent(stage.asInt(), id);
        }
        stagesOfJob.put(id, stages);
    }

    private void stage(JsonNode info) {
        List<Integer> before = new ArrayList<>();
        info.path("Parent IDs").forEach(parent -> before.add(parent.asInt()));
        parents.put(info.path("Stage ID").asInt(), before);
    }

    private void task(JsonNode json) {
        JsonNode info = json.path("Task Info");
        Attempt attempt = new Attempt(
                info.path("Launch Time").asLong(-1),
                info.path("Finish Time").asLong(-1),
                !info.path("Failed").asBoolean() && !info.path("Killed").asBoolean());
        tasks.computeIfAbsent(json.path("Stage ID").asInt(), stage -> new TreeMap<>())
                .computeIfAbsent(info.path("Index").asInt(), index -> new ArrayList<>())
                .add(attempt);
        executors.putIfAbsent( // logs before Spark 1.3 do not tell when executors came
                info.path("Executor ID").asText(), new Began(info.path("Host").asText(), 1, attempt.startMillis()));
        JsonNode metrics = json.path("Task Metrics");
        cpuNanos += metrics.path("Executor CPU Time").asDouble();
        ioBytes += metrics.path("Input Metrics").path("Bytes Read").asDouble()
                + metrics.path("Output Metrics").path("Bytes Written").asDouble()
                + metrics.path("Shuffle Read Metrics").path("Remote Bytes Read").asDouble()
                + metrics.path("Shuffle Read Metrics").path("Local Bytes Read").asDouble()
                + metrics.path("Shuffle Write Metrics")
                        .path("Shuffle Bytes Written")
                        .asDouble();
    }

    private SparkApplication application() throws IOException {
        long submitted = start == null ? -1 : start.path("Timestamp").asLong(-1);
        if (start == null || submitted <= 0 || !JobSpan.isTime(submitted)) {
            throw new IOException("it does not say when the application started");
        }
        if (!JobSpan.isTime(endMillis)) {
            throw new IOException(
                    "it does not say when the application ended: it is cut, or the application was running");
        }
        JobSpan span = JobSpan.of(
                submitted,
                endMillis,
                tasks.values().stream()
                        .flatMap(stage -> stage.values().stream())
                        .flatMap(List::stream)
                        .mapToLong(Attempt::endMillis));
        String attempt = start.path("App Attempt ID").asText("");
        return new SparkApplication(
                start.path("App ID").asText("application") + (attempt.isEmpty() ? "" : "_" + attempt),
                JobRecord.oneLine(start.path("App Name").asText("Spark")),
                start.path("User").asText("unknown"),
                lastSucceeded,
                submitted,
                span.finishedMillis(),
                Map.copyOf(properties),
                executors(span),
                stages(span),
                new SparkApplication.Counters(cpuNanos / NANOS, ioBytes),
                others,
                leftOut,
                cut);
    }

    private List<Executor> executors(JobSpan span) {
        List<Executor> all = new ArrayList<>();
        executors.forEach((id, began) -> {
            long end = executorEnds.getOrDefault(id, span.finishedMillis());
            long from = span.nearest(began.millis());
            all.add(new Executor(began.host(), began.cores(), from, Math.max(from, span.nearest(end))));
        });
        all.sort(Comparator.comparingLong(Executor::startMillis));
        return List.copyOf(all);
    }

    private List<Stage> stages(JobSpan span) {
        Map<Integer, Integer> places = new HashMap<>();
        List<Stage> stages = new ArrayList<>();
        tasks.forEach((id, attempts) -> {
            List<Task> ran = new ArrayList<>();
            attempts.values().forEach(one -> chosen(one, span).ifPresent(ran::add));
            if (!ran.isEmpty()) {
                ran.sort(Comparator.comparingLong(Task::startMillis));
                stages.add(new Stage(List.copyOf(ran), after(id, places)));
                places.put(id, stages.size() - 1);
            }
        });
        return List.copyOf(stages);
    }

    /** Of the attempts of a task the one that succeeded, otherwise the longest. */
    private Optional<Task> chosen(List<Attempt> attempts, JobSpan span) {
        @Nullable Task best = null;
        boolean succeeded = false;
        for (Attempt attempt : attempts) {
            Optional<JobSpan.Part> part = span.within(attempt.startMillis(), attempt.endMillis());
            if (part.isEmpty()) {
                leftOut++;
                continue;
            }
            cut += part.get().isCut() ? 1 : 0;
            Task task = new Task(part.get().startMillis(), part.get().endMillis());
            others += best == null ? 0 : 1;
            boolean isBetter = best == null
                    || (attempt.succeeded() && !succeeded)
                    || (attempt.succeeded() == succeeded && task.millis() > best.millis());
            if (isBetter) {
                best = task;
                succeeded = attempt.succeeded();
            }
        }
        return Optional.ofNullable(best);
    }

    /** Its parents, and what the job before its own ran; stages that were skipped have no place. */
    private List<Integer> after(int stage, Map<Integer, Integer> places) {
        TreeSet<Integer> before = new TreeSet<>(parents.getOrDefault(stage, List.of()));
        Integer job = jobOfStage.get(stage);
        Integer jobAhead = job == null ? null : jobBefore.get(job);
        if (jobAhead != null) {
            before.addAll(stagesOfJob.getOrDefault(jobAhead, List.of()));
        }
        return before.stream()
                .filter(places::containsKey)
                .map(places::get)
                .sorted()
                .toList();
    }
}
