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
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;
import org.heddle.packing.fit.ForeignFormat;
import org.heddle.settings.past.JobSpan;
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.model.TaskKind;

/**
 * Reads traces of YARN's Scheduler Load Simulator (SLS) and of Rumen: JSON objects one after another, a job each, and
 * SLS's synthetic workloads. A file whose name ends with {@code .gz} is decompressed.
 */
public final class TraceFile {
    /** What SLS takes for a container without a size. */
    private static final Size SLS_CONTAINER = new Size(1_024, 1);
    /** MapReduce's default, for Rumen does not record the size of masters. */
    private static final Size RUMEN_MASTER = new Size(1_536, 1);

    private static final long DEFAULT_TASK_MB = 1_024;
    private static final double SLOWSTART = 0.05;
    private static final long MOST_TASKS = 10_000_000;

    private final Path file;
    private final List<Job> jobs = new ArrayList<>();
    private final RecordedNodes nodes;
    private final Tally tally = new Tally();
    private final Set<String> ids = new HashSet<>();
    private long objects;
    private long tasks;

    private TraceFile(Path file, long leastMb) {
        this.file = file;
        nodes = new RecordedNodes(leastMb);
    }

    /**
     * @param leastMb the scheduler makes the memory of each container a multiple of this, in MiB
     * @throws HistoryException if the file is no such trace, or has no job
     */
    public static History read(Path file, long leastMb) throws HistoryException {
        if (!Files.isRegularFile(file)) {
            throw new HistoryException(file + (Files.isDirectory(file) ? " is a directory" : " does not exist")
                    + "; give the file of an SLS or a Rumen trace");
        }
        return new TraceFile(file, leastMb).read();
    }

    private History read() throws HistoryException {
        try (InputStream in = open();
                MappingIterator<JsonNode> objects =
                        new ObjectMapper().readerFor(JsonNode.class).readValues(in)) {
            while (objects.hasNextValue()) {
                add(objects.nextValue());
            }
        } catch (JsonProcessingException e) {
            String where =
                    e.getLocation() == null ? "" : " at line " + e.getLocation().getLineNr();
            if (jobs.isEmpty()) {
                throw new HistoryException(file + " is no SLS or Rumen trace: it is not JSON" + where, e);
            }
            tally.also(
                    "after " + jobs.size() + " jobs the trace is cut, or no JSON" + where + "; the rest is left out");
        } catch (HistoryException e) {
            throw e;
        } catch (IOException e) { // a compressed file that is cut, too
            if (jobs.isEmpty()) {
                throw new HistoryException(file + " cannot be read: " + e.getMessage(), e);
            }
            tally.also("after " + jobs.size() + " jobs the trace cannot be read (" + e.getMessage()
                    + "); the rest is left out");
        }
        if (jobs.isEmpty()) {
            String first = tally.first();
            if (first == null) {
                throw new HistoryException(file + " has no job; give an SLS or a Rumen trace with at least one");
            }
            throw new HistoryException(file + " has no job that can be replayed; the first: " + first);
        }
        return new History(jobs, nodes.nodes(), tally.remarks(jobs));
    }

    private InputStream open() throws IOException {
        InputStream in = Files.newInputStream(file);
        return file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in;
    }

    private void add(JsonNode object) throws HistoryException {
        objects++;
        String id = JsonTree.text(object, "job.id", JsonTree.text(object, "jobID", "object_" + objects));
        try {
            if (object.has("job.tasks")) {
                addSls(object, id);
            } else if (object.has("mapTasks") || object.has("reduceTasks")) {
                addRumen(object, id);
            } else if (object.has("workloads")) {
                new SyntheticWorkload(object, SLS_CONTAINER).draw(this::add);
                tally.also(
                        "the jobs are drawn from the distributions of a synthetic workload: SLS draws others of them");
            } else if (!object.has("num.nodes")) { // the size of SLS's cluster, which its jobs do not need
                throw new HistoryException(file + " is neither an SLS nor a Rumen trace: " + name(object));
            }
        } catch (IllegalArgumentException e) {
            tally.job(id + " " + e.getMessage());
        }
    }

    private static String name(JsonNode object) {
        Set<String> fields = new HashSet<>();
        object.fieldNames().forEachRemaining(fields::add);
        String foreign = ForeignFormat.of(fields);
        return foreign == null ? "an object in it has neither job.tasks nor mapTasks" : foreign;
    }

    private void add(Job job) {
        tasks += job.tasks();
        if (tasks > MOST_TASKS) {
            throw new IllegalArgumentException(
                    "brings the trace above " + MOST_TASKS + " tasks, the most that are read");
        }
        if (!ids.add(job.id())) {
            throw new IllegalArgumentException("is there twice, and counts once");
        }
        jobs.add(job);
    }

    private void addSls(JsonNode object, String id) {
        long submitted = JsonTree.number(object, -1, "job.start.ms");
        if (!JobSpan.isTime(submitted)) {
            throw new IllegalArgumentException("has no job.start.ms");
        }
        RecordedTasks recorded = new RecordedTasks();
        for (JsonNode task : object.get("job.tasks")) {
            addSlsTask(task, recorded);
        }
        Size master = new Size(JsonTree.number(object, SLS_CONTAINER.memoryMb(), "am.memory-mb", "am.memory"), (int)
                JsonTree.number(object, SLS_CONTAINER.vcores(), "am.vcores"));
        long copies = Math.max(1, JsonTree.number(object, 1, "job.count"));
        long finished = JsonTree.number(object, 0, "job.end.ms");
        for (long copy = 1; copy <= copies; copy++) {
            add(new Job(
                    copies == 1 ? id : id + "_" + copy,
                    JsonTree.text(object, "job.user", "default"),
                    JsonTree.text(object, "job.queue.name", "default"),
                    submitted,
                    JobSpan.isTime(finished) ? finished : 0,
                    master,
                    0,
                    SLOWSTART,
                    true,
                    recorded.groups()));
        }
    }

    private void addSlsTask(JsonNode task, RecordedTasks recorded) {
        long start = JsonTree.number(task, 0, "container.start.ms");
        long duration = JsonTree.number(task, -1, "container.duration.ms", "duration.ms");
        long end = duration >= 0 ? start + duration : JsonTree.number(task, -1, "container.end.ms");
        if (!JobSpan.isTime(start) || !JobSpan.isTime(end) || end < start) {
            throw new IllegalArgumentException(
                    "has a task with neither container.duration.ms nor a container.end.ms after"
                            + " its container.start.ms");
        }
        TaskKind kind = JsonTree.text(task, "container.type", "map").equals("reduce") ? TaskKind.REDUCE : TaskKind.MAP;
        Size size = new Size(
                JsonTree.number(task, SLS_CONTAINER.memoryMb(), "container.memory-mb", "container.memory"),
                (int) JsonTree.number(task, SLS_CONTAINER.vcores(), "container.vcores"));
        long count = Math.max(1, JsonTree.number(task, 1, "count", "container.count"));
        if (tasks + count > MOST_TASKS) {
            throw new IllegalArgumentException(
                    "brings the trace above " + MOST_TASKS + " tasks, the most that are read");
        }
        for (long i = count; i > 0; i--) {
            recorded.add(kind, size, start, end);
        }
        nodes.add(JsonTree.text(task, "container.host", ""), size, start, end);
    }

    private void addRumen(JsonNode object, String id) {
        long submitted = JsonTree.number(object, -1, "submitTime");
        if (!JobSpan.isTime(submitted)) {
            throw new IllegalArgumentException("does not say when it was submitted (submitTime)");
        }
        Rumen rumen = new Rumen(JobSpan.of(submitted, JsonTree.number(object, -1, "finishTime"), ends(object)));
        rumen.add(object.path("mapTasks"), TaskKind.MAP, new Size(megabytes(object, "jobMapMB"), 1));
        rumen.add(object.path("reduceTasks"), TaskKind.REDUCE, new Size(megabytes(object, "jobReduceMB"), 1));
        String outcome = JsonTree.text(object, "outcome", "SUCCESS");
        add(new Job(
                id,
                JsonTree.text(object, "user", "default"),
                JsonTree.text(object, "queue", "default"),
                submitted,
                rumen.span.finishedMillis(),
                RUMEN_MASTER,
                rumen.span.nearest(JsonTree.number(object, submitted, "launchTime")) - submitted,
                SLOWSTART,
                outcome.startsWith("SUCCE"),
                rumen.recorded.groups()));
    }

    private static LongStream ends(JsonNode job) {
        return Stream.of("mapTasks", "reduceTasks")
                .flatMap(name -> StreamSupport.stream(job.path(name).spliterator(), false))
                .flatMap(task -> StreamSupport.stream(task.path("attempts").spliterator(), false))
                .mapToLong(attempt -> JsonTree.number(attempt, -1, "finishTime"));
    }

    /** Rumen writes -1 where the job does not set a size. */
    private static long megabytes(JsonNode object, String name) {
        long value = JsonTree.number(object, 0, name);
        return value > 0 ? value : DEFAULT_TASK_MB;
    }

    /** The tasks of a job in a Rumen trace. */
    private final class Rumen {
        private record Attempt(JobSpan.Part part, boolean succeeded, String host) {}

        private final JobSpan span;
        private final RecordedTasks recorded = new RecordedTasks();

        Rumen(JobSpan span) {
            this.span = span;
        }

        private void add(JsonNode list, TaskKind kind, Size size) {
            for (JsonNode task : list) {
                List<Attempt> attempts = attempts(task);
                if (attempts.isEmpty()) {
                    tally.tasks(1);
                    continue;
                }
                attempts.forEach(one -> nodes.add(
                        one.host(), size, one.part().startMillis(), one.part().endMillis()));
                tally.attempts(attempts.size() - 1L);
                JobSpan.Part chosen = Collections.max(
                                attempts,
                                Comparator.comparing(Attempt::succeeded)
                                        .thenComparingLong(one -> one.part().endMillis()
                                                - one.part().startMillis()))
                        .part();
                recorded.add(kind, size, chosen.startMillis(), chosen.endMillis());
            }
        }

        private List<Attempt> attempts(JsonNode task) {
            List<Attempt> attempts = new ArrayList<>();
            for (JsonNode attempt : task.path("attempts")) {
                Optional<JobSpan.Part> part = span.within(
                        JsonTree.number(attempt, -1, "startTime"), JsonTree.number(attempt, -1, "finishTime"));
                if (part.isEmpty()) {
                    tally.withoutTimes(1);
                } else {
                    tally.cut(part.get().isCut() ? 1 : 0);
                    attempts.add(new Attempt(
                            part.get(),
                            JsonTree.text(attempt, "result", "").equals("SUCCESS"),
                            JsonTree.text(attempt, "hostName", "")));
                }
            }
            return attempts;
        }
    }
}
