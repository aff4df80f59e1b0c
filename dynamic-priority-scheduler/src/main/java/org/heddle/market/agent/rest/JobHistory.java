// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.agent.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.settings.web.WebAddress;

/** Finished MapReduce jobs, from the REST of a JobHistory server. */
public final class JobHistory {
    private static final String JOBS = "/ws/v1/history/mapreduce/jobs";
    private static final int MOST_RUNS = 20;
    private static final double DEFAULT_MB = 1_024;

    private final YarnRest history;

    /** @param history with the address of the JobHistory server */
    public JobHistory(YarnRest history) {
        this.history = history;
    }

    /**
     * The tasks of one kind in a finished job.
     *
     * @param count number of tasks
     * @param millis mean time of a task's successful attempt
     */
    public record Tasks(long count, double millis) {}

    /** A finished job. */
    public record Run(Tasks maps, Tasks reduces) {}

    /**
     * The size of a container.
     *
     * @param memoryMb mebibytes
     * @param vcores virtual cores
     */
    public record Size(double memoryMb, double vcores) {}

    /**
     * The last runs of a job, newest first.
     *
     * @param runs at least one
     * @param map size of a map's container in the newest run
     * @param reduce size of a reduce's container in the newest run
     */
    public record Runs(List<Run> runs, Size map, Size reduce) {}

    /**
     * The last successful jobs with a name.
     *
     * @throws IOException one sentence, also if there is none
     */
    public Runs runs(String name) throws IOException {
        List<JsonNode> jobs = new ArrayList<>();
        for (JsonNode job : YarnRest.list(history.get(JOBS), "/jobs/job")) {
            if (job.path("name").asText().equals(name)
                    && job.path("state").asText().equals("SUCCEEDED")) {
                jobs.add(job);
            }
        }
        if (jobs.isEmpty()) {
            throw new IOException("the JobHistory server has no job with the name '" + name
                    + "' that succeeded; give its shape with --tasks and --task-seconds");
        }
        jobs.sort(Comparator.comparingLong(
                (JsonNode job) -> -job.path("finishTime").asLong()));
        List<Run> runs = new ArrayList<>();
        for (JsonNode job : jobs.subList(0, Math.min(jobs.size(), MOST_RUNS))) {
            runs.add(run(history.get(path(job)).path("job")));
        }
        Map<String, String> properties = new HashMap<>();
        for (JsonNode property : YarnRest.list(history.get(path(jobs.get(0)) + "/conf"), "/conf/property")) {
            properties.put(
                    property.path("name").asText(), property.path("value").asText());
        }
        return new Runs(runs, size(properties, "map"), size(properties, "reduce"));
    }

    private static String path(JsonNode job) {
        return JOBS + "/" + WebAddress.segment(job.path("id").asText());
    }

    /** A reduce's time is that of its three phases. */
    private static Run run(JsonNode job) {
        double reduceMillis = job.path("avgShuffleTime").asDouble()
                + job.path("avgMergeTime").asDouble()
                + job.path("avgReduceTime").asDouble();
        return new Run(
                new Tasks(job.path("mapsTotal").asLong(), job.path("avgMapTime").asDouble()),
                new Tasks(job.path("reducesTotal").asLong(), reduceMillis));
    }

    private static Size size(Map<String, String> properties, String kind) {
        double memory = number(properties, "mapreduce." + kind + ".memory.mb");
        return new Size(
                memory > 0 ? memory : DEFAULT_MB, Math.max(1, number(properties, "mapreduce." + kind + ".cpu.vcores")));
    }

    private static double number(Map<String, String> properties, String name) {
        String text = properties.getOrDefault(name, "");
        return text.matches("[0-9]{1,9}") ? Double.parseDouble(text) : 0;
    }
}
