// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.price;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.heddle.market.agent.rest.JobHistory;
import org.heddle.market.agent.rest.YarnRest;
import org.heddle.market.quote.Stage;
import org.heddle.settings.command.AddressConverter;
import org.heddle.settings.command.CommandException;
import org.heddle.settings.command.DurationConverter;
import org.heddle.settings.command.SizeConverter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The work of a job: from its shape, from a MapReduce history file, or from earlier applications of its name or tag.
 */
final class JobShapeOptions {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** YARN does not tell how long the tasks of an application were. */
    private static final double UNKNOWN_TASK_MILLIS = 30_000;

    private static final int MOST_RUNS = 20;
    private static final double LEAST_SPREAD = 0.05;

    @Option(names = "--tasks", paramLabel = "N", description = "Tasks of the (first) stage.")
    private @Nullable Long tasks;

    @Option(
            names = "--task-seconds",
            paramLabel = "DURATION",
            converter = DurationConverter.Seconds.class,
            description = "Expected length of such a task; a number without a unit is seconds.")
    private Duration taskSeconds = Duration.ZERO;

    @Option(names = "--reduces", paramLabel = "N", description = "Tasks of a second stage.")
    private long reduces;

    @Option(
            names = "--reduce-seconds",
            paramLabel = "DURATION",
            converter = DurationConverter.Seconds.class,
            description = "Expected length of such a task; a number without a unit is seconds.")
    private Duration reduceSeconds = Duration.ZERO;

    @Option(
            names = "--stage",
            paramLabel = "STAGE",
            description =
                    "A stage as TASKSxDURATION[~SPREAD%%][.SLOTS], for example 400x90s~20%%.0.5;" + " may be repeated.")
    private List<String> stages = new ArrayList<>();

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Memory of a task's container, for example 2Gi; a number without a unit is MiB.")
    private @Nullable Integer memory;

    @Option(names = "--cores", paramLabel = "N", description = "Cores of a task's container. Default: 1.")
    private double cores = 1;

    @Option(
            names = "--spread",
            paramLabel = "PERCENT",
            description = "How much the length differs from run to run. Default: 20.")
    private double spread = Stage.DEFAULT_SPREAD * 100;

    @Option(
            names = "--history-file",
            paramLabel = "FILE",
            description = "Take the tasks of a MapReduce job from its history file (.jhist).")
    private @Nullable Path historyFile;

    @Option(
            names = "--like",
            paramLabel = "NAME",
            description = "Take the work of the applications with this name or tag that the ResourceManager remembers.")
    private @Nullable String like;

    @Option(
            names = "--history-server",
            paramLabel = "URL",
            converter = AddressConverter.class,
            description = "With --like: take the tasks of MapReduce jobs from this JobHistory server, for example"
                    + " http://history:19888. It remembers more jobs than the ResourceManager, and how long tasks were,"
                    + " but no tags: NAME is the name of the jobs.")
    private @Nullable URI historyServer;

    /**
     * The stages; empty if no option says anything about the job.
     *
     * @param capacity slots of the cluster
     */
    List<Stage> stages(YarnRest yarn, double capacity) {
        try {
            if (historyServer != null && like == null) {
                throw new IllegalArgumentException("--history-server needs the name of a job; add --like NAME");
            }
            if (historyServer != null && like != null) {
                YarnRest history = new YarnRest(List.of(historyServer), System.getProperty("user.name"));
                return stages(new JobHistory(history).runs(like), yarn, capacity);
            }
            if (like != null) {
                return List.of(earlier(yarn, like, capacity));
            }
            double slots = memory == null ? 1 : yarn.slots(memory, cores, capacity);
            if (historyFile != null) {
                return history(historyFile, slots);
            }
            List<Stage> all = new ArrayList<>();
            if (tasks != null && tasks <= 0) {
                throw new IllegalArgumentException("--tasks " + tasks + " must be above 0");
            }
            if (tasks != null) {
                all.add(new Stage(tasks, taskSeconds.toMillis(), spread / 100, slots));
            }
            if (reduces > 0) {
                all.add(new Stage(reduces, reduceSeconds.toMillis(), spread / 100, slots));
            }
            stages.forEach(text -> all.add(Stage.parse(text)));
            return all;
        } catch (IOException | IllegalArgumentException e) {
            throw new CommandException(CommandException.WRONG, String.valueOf(e.getMessage()));
        }
    }

    private static Stage earlier(YarnRest yarn, String name, double capacity) throws IOException {
        List<Double> work = new ArrayList<>();
        double width = 1;
        for (JsonNode app : YarnRest.list(yarn.get("/ws/v1/cluster/apps?states=FINISHED"), "/apps/app")) {
            if (isCalled(app, name)
                    && app.path("finalStatus").asText().equals("SUCCEEDED")
                    && work.size() < MOST_RUNS) {
                double slotMillis = 1_000
                        * yarn.slots(
                                app.path("memorySeconds").asDouble(),
                                app.path("vcoreSeconds").asDouble(),
                                capacity);
                work.add(slotMillis);
                width = Math.max(
                        width, slotMillis / Math.max(1, app.path("elapsedTime").asDouble()));
            }
        }
        if (work.isEmpty()) {
            throw new IOException("the ResourceManager remembers no application with the name or tag '" + name
                    + "' that succeeded; give its shape with --tasks and --task-seconds");
        }
        return stage(work, width);
    }

    /** Whether an application of YARN's REST has this name or, in lower case as YARN keeps them, this tag. */
    static boolean isCalled(JsonNode app, String name) {
        return name.equals(app.path("name").asText())
                || List.of(app.path("applicationTags").asText().split(",")).contains(name.toLowerCase(Locale.ROOT));
    }

    /** One stage with the mean work of some runs; it can be as wide as the widest run was, and as divided as needed. */
    static Stage stage(List<Double> work, double width) {
        double mean = work.stream().mapToDouble(Double::doubleValue).average().orElse(0);
        long count = (long) Math.max(1, Math.max(Math.ceil(width), (double) Math.round(mean / UNKNOWN_TASK_MILLIS)));
        return new Stage(count, mean / count, spread(work, mean), 1);
    }

    private static List<Stage> stages(JobHistory.Runs runs, YarnRest yarn, double capacity) throws IOException {
        List<Stage> stages = new ArrayList<>();
        List<JobHistory.Tasks> maps =
                runs.runs().stream().map(JobHistory.Run::maps).toList();
        List<JobHistory.Tasks> reduces =
                runs.runs().stream().map(JobHistory.Run::reduces).toList();
        ofTasks(maps, yarn.slots(runs.map().memoryMb(), runs.map().vcores(), capacity))
                .ifPresent(stages::add);
        ofTasks(reduces, yarn.slots(runs.reduce().memoryMb(), runs.reduce().vcores(), capacity))
                .ifPresent(stages::add);
        if (stages.isEmpty()) {
            throw new IOException("the earlier jobs had no tasks; give the shape with --tasks and --task-seconds");
        }
        return stages;
    }

    /** The tasks of one kind: their mean number and length, and how much their work differed from run to run. */
    static Optional<Stage> ofTasks(List<JobHistory.Tasks> runs, double slots) {
        List<JobHistory.Tasks> some =
                runs.stream().filter(run -> run.count() > 0 && run.millis() > 0).toList();
        if (some.isEmpty()) {
            return Optional.empty();
        }
        double work = some.stream()
                .mapToDouble(run -> run.count() * run.millis())
                .average()
                .orElseThrow();
        long count = Math.max(
                1,
                Math.round(some.stream()
                        .mapToLong(JobHistory.Tasks::count)
                        .average()
                        .orElseThrow()));
        double spread =
                spread(some.stream().map(run -> run.count() * run.millis()).toList(), work);
        return Optional.of(new Stage(count, work / count, spread, slots));
    }

    /** The relative standard deviation of some runs, 5 % to 100 %; the usual one of two runs and less. */
    private static double spread(List<Double> work, double mean) {
        double square =
                work.stream().mapToDouble(each -> (each - mean) * (each - mean)).sum();
        double known = work.size() > 2 ? Math.sqrt(square / (work.size() - 1)) / mean : Stage.DEFAULT_SPREAD;
        return Math.min(1, Math.max(LEAST_SPREAD, known));
    }

    /** Maps and reduces of a history file: JSON, one event on each line. */
    static List<Stage> history(Path file, double slots) throws IOException {
        Map<String, Long> starts = new HashMap<>();
        List<Double> maps = new ArrayList<>();
        List<Double> reduces = new ArrayList<>();
        try (Stream<String> lines = Files.lines(file, StandardCharsets.UTF_8)) {
            for (String line : (Iterable<String>) lines::iterator) {
                if (!line.startsWith("{\"type\":\"") || !line.contains("ATTEMPT_")) {
                    continue;
                }
                JsonNode event = JSON.readTree(line);
                String type = event.path("type").asText();
                JsonNode body = event.path("event").elements().next();
                String attempt = body.path("attemptId").asText();
                if (type.endsWith("_ATTEMPT_STARTED")) {
                    starts.put(attempt, body.path("startTime").asLong());
                } else if (type.equals("MAP_ATTEMPT_FINISHED") || type.equals("REDUCE_ATTEMPT_FINISHED")) {
                    double millis = body.path("finishTime").asDouble() - starts.getOrDefault(attempt, 0L);
                    (type.startsWith("MAP") ? maps : reduces).add(Math.max(1, millis));
                }
            }
        } catch (IOException | java.io.UncheckedIOException e) {
            throw new IOException(file + " cannot be read as a MapReduce history file", e);
        }
        List<Stage> stages = new ArrayList<>();
        for (List<Double> kind : List.of(maps, reduces)) {
            if (!kind.isEmpty()) {
                double mean =
                        kind.stream().mapToDouble(Double::doubleValue).average().orElse(1);
                stages.add(new Stage(kind.size(), mean, Stage.DEFAULT_SPREAD, slots));
            }
        }
        if (stages.isEmpty()) {
            throw new IOException(file + " has no finished task; use the history file (.jhist) of a job that ended");
        }
        return stages;
    }
}
