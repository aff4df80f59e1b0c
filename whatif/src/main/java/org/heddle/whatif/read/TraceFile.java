// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.read;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.model.TaskKind;
import org.jspecify.annotations.Nullable;

/**
 * Reads traces of YARN's Scheduler Load Simulator (SLS) and of Rumen: JSON objects one after another, a job each. A file
 * whose name ends with {@code .gz} is decompressed.
 */
public final class TraceFile {
    /** What SLS takes for a container without a size. */
    private static final Size SLS_CONTAINER = new Size(1_024, 1);
    /** MapReduce's default, for Rumen does not record the size of masters. */
    private static final Size RUMEN_MASTER = new Size(1_536, 1);

    private static final long DEFAULT_TASK_MB = 1_024;
    private static final double SLOWSTART = 0.05;

    private TraceFile() {}

    /** @throws HistoryException if the file is no such trace, or has no job */
    public static History read(Path file) throws HistoryException {
        List<Job> jobs = new ArrayList<>();
        try (InputStream in = open(file);
                MappingIterator<JsonNode> objects =
                        new ObjectMapper().readerFor(JsonNode.class).readValues(in)) {
            while (objects.hasNextValue()) {
                add(objects.nextValue(), file, jobs);
            }
        } catch (HistoryException e) {
            throw e;
        } catch (JsonProcessingException e) {
            throw new HistoryException(file + " is not JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new HistoryException(file + " cannot be read: " + e.getMessage(), e);
        }
        if (jobs.isEmpty()) {
            throw new HistoryException(file + " has no job; give an SLS or a Rumen trace with at least one");
        }
        return new History(jobs, List.of());
    }

    private static InputStream open(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new HistoryException(file + " is no file; give an SLS or a Rumen trace");
        }
        InputStream in = Files.newInputStream(file);
        return file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in;
    }

    private static void add(JsonNode object, Path file, List<Job> jobs) throws HistoryException {
        if (object.has("job.tasks")) {
            addSls(object, file, jobs);
        } else if (object.has("mapTasks") || object.has("reduceTasks")) {
            addRumen(object, jobs);
        } else if (!object.has("num.nodes")) { // the size of SLS's cluster; --nodes tells ours
            throw new HistoryException(file + " is neither an SLS nor a Rumen trace: an object in it has neither"
                    + " job.tasks nor mapTasks");
        }
    }

    private static void addSls(JsonNode object, Path file, List<Job> jobs) throws HistoryException {
        long submitted = JsonTree.number(object, -1, "job.start.ms");
        String id = JsonTree.text(object, "job.id", "job_" + (jobs.size() + 1));
        if (submitted < 0) {
            throw new HistoryException(file + ": " + id + " has no job.start.ms");
        }
        RecordedTasks tasks = new RecordedTasks();
        for (JsonNode task : object.get("job.tasks")) {
            long start = JsonTree.number(task, 0, "container.start.ms");
            long duration = JsonTree.number(task, -1, "container.duration.ms", "duration.ms");
            long end = duration >= 0 ? start + duration : JsonTree.number(task, -1, "container.end.ms");
            if (end < start) {
                throw new HistoryException(file + ": a task of " + id
                        + " has neither container.duration.ms nor a container.end.ms after its container.start.ms");
            }
            TaskKind kind =
                    JsonTree.text(task, "container.type", "map").equals("reduce") ? TaskKind.REDUCE : TaskKind.MAP;
            Size size = new Size(
                    JsonTree.number(task, SLS_CONTAINER.memoryMb(), "container.memory-mb", "container.memory"),
                    (int) JsonTree.number(task, SLS_CONTAINER.vcores(), "container.vcores"));
            for (long i = Math.max(1, JsonTree.number(task, 1, "count", "container.count")); i > 0; i--) {
                tasks.add(kind, size, start, end);
            }
        }
        Size master = new Size(JsonTree.number(object, SLS_CONTAINER.memoryMb(), "am.memory-mb", "am.memory"), (int)
                JsonTree.number(object, SLS_CONTAINER.vcores(), "am.vcores"));
        long copies = Math.max(1, JsonTree.number(object, 1, "job.count"));
        for (long copy = 1; copy <= copies; copy++) {
            jobs.add(new Job(
                    copies == 1 ? id : id + "_" + copy,
                    JsonTree.text(object, "job.user", "default"),
                    JsonTree.text(object, "job.queue.name", "default"),
                    submitted,
                    Math.max(0, JsonTree.number(object, 0, "job.end.ms")),
                    master,
                    0,
                    SLOWSTART,
                    tasks.groups()));
        }
    }

    private static void addRumen(JsonNode object, List<Job> jobs) {
        RecordedTasks tasks = new RecordedTasks();
        Size map = new Size(megabytes(object, "jobMapMB"), 1);
        Size reduce = new Size(megabytes(object, "jobReduceMB"), 1);
        addRumen(object.get("mapTasks"), TaskKind.MAP, map, tasks);
        addRumen(object.get("reduceTasks"), TaskKind.REDUCE, reduce, tasks);
        long submitted = Math.max(0, JsonTree.number(object, 0, "submitTime"));
        jobs.add(new Job(
                JsonTree.text(object, "jobID", "job_" + (jobs.size() + 1)),
                JsonTree.text(object, "user", "default"),
                JsonTree.text(object, "queue", "default"),
                submitted,
                Math.max(0, JsonTree.number(object, 0, "finishTime")),
                RUMEN_MASTER,
                Math.max(0, JsonTree.number(object, submitted, "launchTime") - submitted),
                SLOWSTART,
                tasks.groups()));
    }

    /** Rumen writes -1 where the job does not set a size. */
    private static long megabytes(JsonNode object, String name) {
        long value = JsonTree.number(object, 0, name);
        return value > 0 ? value : DEFAULT_TASK_MB;
    }

    private static void addRumen(@Nullable JsonNode list, TaskKind kind, Size size, RecordedTasks tasks) {
        if (list == null) {
            return;
        }
        for (JsonNode task : list) {
            JsonNode best = null;
            JsonNode attempts = task.get("attempts");
            if (attempts != null) {
                for (JsonNode attempt : attempts) {
                    if (millis(attempt) >= 0 && (best == null || isBetter(attempt, best))) {
                        best = attempt;
                    }
                }
            }
            if (best != null) {
                tasks.add(kind, size, JsonTree.number(best, 0, "startTime"), JsonTree.number(best, 0, "finishTime"));
            }
        }
    }

    /** How long an attempt ran; less than 0 if it did not. */
    private static long millis(JsonNode attempt) {
        long start = JsonTree.number(attempt, -1, "startTime");
        return start < 0 ? -1 : JsonTree.number(attempt, -1, "finishTime") - start;
    }

    private static boolean isBetter(JsonNode attempt, JsonNode than) {
        boolean succeeded = JsonTree.text(attempt, "result", "").equals("SUCCESS");
        boolean before = JsonTree.text(than, "result", "").equals("SUCCESS");
        return succeeded == before ? millis(attempt) > millis(than) : succeeded;
    }
}
