// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.model.TaskGroup;
import org.heddle.whatif.model.TaskKind;

/**
 * Draws the jobs of a synthetic workload of YARN's Scheduler Load Simulator (SYNTH): numbers and sizes of tasks from
 * log-normal distributions. The seed of the file decides, with another generator than SLS's, so that the jobs are
 * others of the same kind.
 */
final class SyntheticWorkload {
    private static final int MOST_TASKS_OF_A_JOB = 1_000_000;
    private static final double SLOWSTART = 0.05;

    private final JsonNode trace;
    private final Size master;
    private final Random random;

    /** @param master the size of the jobs' masters, which the workload does not say */
    SyntheticWorkload(JsonNode trace, Size master) {
        this.trace = trace;
        this.master = master;
        random = new Random(JsonTree.number(trace, 0, "rand_seed"));
    }

    /** @throws IllegalArgumentException the rest of a sentence, if something that is needed is missing */
    void draw(Consumer<Job> jobs) {
        List<JsonNode> workloads = list(trace, "workloads");
        long number = JsonTree.number(trace, 0, "num_jobs");
        for (long i = 1; i <= number; i++) {
            JsonNode workload = weighted(workloads, "workload_weight", "workloads");
            List<JsonNode> times = list(workload, "time_distribution");
            JsonNode slot = weighted(times, "weight", "time_distribution");
            JsonNode next = times.get(Math.min(times.indexOf(slot) + 1, times.size() - 1));
            long start = JsonTree.number(slot, 0, "time");
            long range = JsonTree.number(next, 0, "time") - start;
            long seconds = start + (range > 0 ? random.nextInt((int) Math.min(range, Integer.MAX_VALUE)) : 0);
            JsonNode kind = weighted(list(workload, "job_classes"), "class_weight", "job_classes");
            jobs.accept(new Job(
                    "job_" + i,
                    JsonTree.text(kind, "user_name", "default"),
                    JsonTree.text(workload, "queue_name", "default"),
                    1_000 * seconds,
                    0,
                    master,
                    0,
                    SLOWSTART,
                    true,
                    groups(kind)));
        }
    }

    private static List<JsonNode> list(JsonNode object, String name) {
        List<JsonNode> all =
                StreamSupport.stream(object.path(name).spliterator(), false).collect(Collectors.toList());
        if (all.isEmpty()) {
            throw new IllegalArgumentException("has no " + name);
        }
        return all;
    }

    private JsonNode weighted(List<JsonNode> choices, String weight, String what) {
        double[] weights = choices.stream()
                .mapToDouble(choice -> choice.path(weight).asDouble())
                .toArray();
        double at = random.nextDouble() * Arrays.stream(weights).sum();
        for (int i = 0; i < weights.length; i++) {
            at -= weights[i];
            if (at < 0) {
                return choices.get(i);
            }
        }
        throw new IllegalArgumentException("has " + what + " without a " + weight + " above 0");
    }

    /** The older form has a map and a reduce in fields of their own. */
    private List<TaskGroup> groups(JsonNode kind) {
        List<TaskGroup> groups = new ArrayList<>();
        if (kind.has("tasks")) {
            for (JsonNode task : kind.path("tasks")) {
                groups.add(group(
                        JsonTree.text(task, "type", "map"),
                        sample(task.path("count")),
                        () -> sample(task.path("time")),
                        sample(task.path("max_memory")),
                        sample(task.path("max_vcores"))));
            }
        } else {
            for (String type : List.of("map", "reduce")) {
                String letter = type.substring(0, 1);
                groups.add(group(
                        type,
                        older(kind, letter + "tasks"),
                        () -> older(kind, letter + "time"),
                        older(kind, type + "_max_memory"),
                        older(kind, type + "_max_vcores")));
            }
        }
        groups.removeIf(group -> group.millis().length == 0);
        return groups;
    }

    /** Draws a length in seconds. */
    private interface Length {
        double seconds();
    }

    private static TaskGroup group(String type, double count, Length length, double memory, double vcores) {
        if (!(count <= MOST_TASKS_OF_A_JOB)) {
            throw new IllegalArgumentException("has a job of more than " + MOST_TASKS_OF_A_JOB + " tasks");
        }
        Size size = new Size(Math.max(1, Math.round(memory)), (int) Math.max(1, Math.round(vcores)));
        long[] millis = IntStream.range(0, (int) Math.max(0, Math.round(count)))
                .mapToLong(i -> Math.max(1, Math.round(1_000 * length.seconds())))
                .toArray();
        return new TaskGroup(type.equals("reduce") ? TaskKind.REDUCE : TaskKind.MAP, size, millis);
    }

    private double older(JsonNode kind, String name) {
        return draw(
                kind.path(name + "_avg").asDouble(), kind.path(name + "_stddev").asDouble());
    }

    /** A mean with a deviation, or one of several values with weights. */
    private double sample(JsonNode sample) {
        JsonNode values = sample.path("discrete");
        if (values.isEmpty()) {
            return draw(sample.path("val").asDouble(), sample.path("std").asDouble());
        }
        JsonNode weights = sample.path("weights");
        double sum = 0;
        for (JsonNode weight : weights) {
            sum += weight.asDouble();
        }
        double at = random.nextDouble() * (weights.isEmpty() ? values.size() : sum);
        for (int i = 0; i < values.size(); i++) {
            at -= weights.isEmpty() ? 1 : weights.path(i).asDouble();
            if (at < 0) {
                return values.get(i).asDouble();
            }
        }
        return values.get(values.size() - 1).asDouble();
    }

    /** Of a log-normal distribution with this mean and deviation. */
    private double draw(double mean, double deviation) {
        if (mean <= 0 || deviation <= 0) {
            return Math.max(0, mean);
        }
        double variance = Math.log1p(deviation * deviation / (mean * mean));
        return Math.exp(Math.log(mean) - variance / 2 + Math.sqrt(variance) * random.nextGaussian());
    }
}
