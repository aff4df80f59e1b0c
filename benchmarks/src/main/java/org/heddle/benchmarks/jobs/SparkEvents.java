// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;

/**
 * What Spark's event log says, in milliseconds since 1970.
 *
 * @param stages how many ended
 * @param firstStage the first stage begins
 * @param lastStage the last stage ends
 * @param executors how many came
 * @param firstExecutor the first executor is there; 0 if there was none
 * @param lastExecutor the last executor is there; 0 if there was none
 */
record SparkEvents(int stages, long firstStage, long lastStage, int executors, long firstExecutor, long lastExecutor) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** @param lines of the log, an event each */
    static SparkEvents of(Collection<String> lines) throws IOException {
        int stages = 0;
        long firstStage = Long.MAX_VALUE;
        long lastStage = 0;
        int executors = 0;
        long firstExecutor = 0;
        long lastExecutor = 0;
        for (String line : lines) {
            JsonNode event = JSON.readTree(line);
            switch (event.path("Event").asText()) {
                case "SparkListenerStageCompleted" -> {
                    JsonNode stage = event.path("Stage Info");
                    stages++;
                    firstStage =
                            Math.min(firstStage, stage.path("Submission Time").asLong());
                    lastStage =
                            Math.max(lastStage, stage.path("Completion Time").asLong());
                }
                case "SparkListenerExecutorAdded" -> {
                    executors++;
                    lastExecutor = event.path("Timestamp").asLong();
                    firstExecutor = executors == 1 ? lastExecutor : firstExecutor;
                }
                default -> {}
            }
        }
        return new SparkEvents(stages, firstStage, lastStage, executors, firstExecutor, lastExecutor);
    }

    /** Where the time of the application went, in seconds. */
    Map<String, Double> figures(Submission submission) {
        Map<String, Double> figures = submission.figures(firstStage);
        figures.put("to the first executor, s", Submission.seconds(firstStage, firstExecutor));
        figures.put("to the last executor, s", Submission.seconds(firstStage, lastExecutor));
        figures.put("all stages, s", Submission.seconds(firstStage, lastStage));
        figures.put("last task to end, s", Submission.seconds(lastStage, submission.unregistered()));
        return figures;
    }
}
