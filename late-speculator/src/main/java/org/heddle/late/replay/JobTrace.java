// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.replay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.JobInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskAttemptInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskInfo;
import org.heddle.late.policy.TaskKind;

/** The attempts of a finished job. */
final class JobTrace {
    private final String job;
    private final List<Span> spans;

    JobTrace(String job, List<Span> spans) {
        this.job = job;
        this.spans = new ArrayList<>(spans);
        this.spans.sort(Comparator.<Span>comparingLong(s -> s.start).thenComparing(s -> s.task));
    }

    /**
     * Reads a {@code .jhist}.
     *
     * @throws IOException if it is not a job history, or if no attempt in it ran
     */
    static JobTrace read(String file, Configuration conf) throws IOException {
        Path path = new Path(file);
        // A name without a scheme is a local file if there is one, whatever the default file system is.
        boolean here = path.toUri().getScheme() == null && Files.exists(Paths.get(file));
        FileSystem fs = here ? FileSystem.getLocal(conf) : path.getFileSystem(conf);
        if (!fs.exists(path)) {
            throw new IOException(file + " does not exist; give the .jhist of a finished job");
        }
        JobInfo info;
        try {
            info = new JobHistoryParser(fs, path).parse();
        } catch (IOException | RuntimeException e) {
            throw new IOException(file + " is not a job history file: " + e.getMessage(), e);
        }
        List<Span> spans = new ArrayList<>();
        for (TaskInfo task : info.getAllTasks().values()) {
            TaskType type = task.getTaskType();
            if (type != TaskType.MAP && type != TaskType.REDUCE) {
                continue;
            }
            TaskKind kind = type == TaskType.MAP ? TaskKind.MAP : TaskKind.REDUCE;
            List<TaskAttemptInfo> attempts =
                    new ArrayList<>(task.getAllTaskAttempts().values());
            attempts.removeIf(a -> a.getStartTime() <= 0 || a.getFinishTime() < a.getStartTime());
            attempts.sort(Comparator.comparingLong(TaskAttemptInfo::getStartTime));
            for (int i = 0; i < attempts.size(); i++) {
                TaskAttemptInfo attempt = attempts.get(i);
                boolean won = "SUCCEEDED".equals(attempt.getTaskStatus());
                spans.add(new Span(
                        String.valueOf(task.getTaskId()),
                        kind,
                        String.valueOf(attempt.getHostname()),
                        attempt.getStartTime(),
                        attempt.getShuffleFinishTime(),
                        attempt.getSortFinishTime(),
                        attempt.getFinishTime(),
                        won,
                        i > 0));
            }
        }
        if (spans.isEmpty()) {
            throw new IOException(file + " contains no attempt that ran; give the history of a finished MapReduce job");
        }
        return new JobTrace(String.valueOf(info.getJobId()), spans);
    }

    String job() {
        return job;
    }

    /** All attempts, by start. */
    List<Span> spans() {
        return Collections.unmodifiableList(spans);
    }

    long begin() {
        return spans.get(0).start;
    }

    /** When the last task succeeded. */
    long end() {
        return spans.stream().filter(s -> s.won).mapToLong(s -> s.end).max().orElse(begin());
    }

    /** When the last map succeeded; the beginning for a job without maps. */
    long mapsDone() {
        return spans.stream()
                .filter(s -> s.won && s.kind == TaskKind.MAP)
                .mapToLong(s -> s.end)
                .max()
                .orElse(begin());
    }

    long wastedMillis() {
        return spans.stream()
                .filter(s -> !s.won)
                .mapToLong(s -> s.end - s.start)
                .sum();
    }

    long backups() {
        return spans.stream().filter(s -> s.backup).count();
    }

    long backupsWon() {
        return spans.stream().filter(s -> s.backup && s.won).count();
    }
}
