// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.heddle.late.policy.TaskKind;
import org.heddle.settings.past.JobSpan;

/** The stages in an event log of Spark, each as a job of tasks that may start at any time. */
final class SparkStages {
    private static final Pattern EVENT = Pattern.compile("\\s*\\{\\s*\"Event\"\\s*:\\s*\"SparkListener(\\w+)\"");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<Integer, List<Span>> stages = new TreeMap<>();

    private SparkStages() {}

    /**
     * The stages by their numbers; empty if the file is no event log.
     *
     * @throws IOException with one sentence for the user, if the file cannot be read, or no task of the log has ended
     */
    static Optional<List<JobTrace>> read(String file, Configuration conf) throws IOException {
        Path path = HistoryEvents.path(file, conf);
        SparkStages found = new SparkStages();
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(path.getFileSystem(conf).open(path), StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            if (line == null || !EVENT.matcher(line).lookingAt()) {
                return Optional.empty();
            }
            for (; line != null; line = lines.readLine()) {
                Matcher event = EVENT.matcher(line);
                if (event.lookingAt() && event.group(1).equals("TaskEnd")) {
                    found.add(JSON.readTree(line));
                }
            }
        } catch (JsonProcessingException e) {
            throw new IOException(file + " is cut or broken: a line in it is no JSON; give the whole event log", e);
        }
        if (found.stages.isEmpty()) {
            throw new IOException(file + " is an event log of Spark in which no task has ended; give that of an"
                    + " application that has run");
        }
        List<JobTrace> traces = new ArrayList<>();
        found.stages.forEach((stage, spans) -> traces.add(new JobTrace("stage " + stage, spans)));
        return Optional.of(traces);
    }

    private void add(JsonNode event) {
        JsonNode task = event.path("Task Info");
        long start = task.path("Launch Time").asLong(-1);
        long end = task.path("Finish Time").asLong(-1);
        if (!JobSpan.isTime(start) || !JobSpan.isTime(end) || end < start) {
            return; // it has not run
        }
        int stage = event.path("Stage ID").asInt();
        stages.computeIfAbsent(stage, id -> new ArrayList<>())
                .add(new Span(
                        "stage " + stage + " task " + task.path("Index").asInt(),
                        TaskKind.MAP,
                        task.path("Host").asText(),
                        new Span.Times(start, 0, 0, end),
                        !task.path("Failed").asBoolean() && !task.path("Killed").asBoolean(),
                        task.path("Speculative").asBoolean()));
    }
}
