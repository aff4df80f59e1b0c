// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.AMInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.JobInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskAttemptInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskInfo;
import org.heddle.settings.past.JobSpan;
import org.jspecify.annotations.Nullable;

/**
 * What a history tells of a job, with times that can be: clocks of nodes are wrong now and then by years, so attempts
 * are cut to the time of their job. All times are in milliseconds since 1970.
 *
 * @param name as its owner gave it, in one line
 * @param submittedMillis more than 0
 * @param launchedMillis when its master first asked for containers; at least the submission
 * @param finishedMillis not before the submission
 * @param masterHost where its first master ran, if that is known
 * @param masterStartedMillis when that started; at least the submission
 * @param inItsMaster whether its tasks ran inside its master (uberized)
 * @param tasks maps and reduces with an attempt that has usable times, by id
 * @param leftOut attempts without usable times
 * @param cut attempts whose times were cut to the job's
 */
public record JobRecord(
        String id,
        String name,
        String user,
        String queue,
        boolean succeeded,
        long submittedMillis,
        long launchedMillis,
        long finishedMillis,
        @Nullable String masterHost,
        long masterStartedMillis,
        boolean inItsMaster,
        List<Task> tasks,
        @Nullable Counters counters,
        long leftOut,
        long cut) {
    /** A task with its attempts in the order of their ids; at least one. */
    public record Task(boolean isMap, List<Attempt> attempts) {
        /** The attempt that did the task's work: one that succeeded, otherwise the longest. */
        public Attempt chosen() {
            return Collections.max(
                    attempts, Comparator.comparing(Attempt::succeeded).thenComparingLong(Attempt::millis));
        }
    }

    /** An attempt that ran, from its start to its end, on a host. */
    public record Attempt(String host, long startMillis, long endMillis, boolean succeeded) {
        public long millis() {
            return endMillis - startMillis;
        }
    }

    /** The attempts of all tasks. */
    public List<Attempt> attempts() {
        return tasks.stream().flatMap(task -> task.attempts().stream()).toList();
    }

    /** @throws IllegalArgumentException one sentence if it does not say when the job was submitted, or how it ended */
    static JobRecord of(JobInfo info) {
        long submitted = info.getSubmitTime();
        if (submitted <= 0 || !JobSpan.isTime(submitted)) {
            throw new IllegalArgumentException("it does not say when the job was submitted");
        }
        if (info.getJobStatus() == null || info.getJobStatus().isEmpty()) {
            throw new IllegalArgumentException("it does not say how the job ended: it is cut, or the job was running");
        }
        JobSpan span = JobSpan.of(
                submitted,
                info.getFinishTime(),
                info.getAllTasks().values().stream()
                        .flatMap(task -> task.getAllTaskAttempts().values().stream())
                        .mapToLong(TaskAttemptInfo::getFinishTime));
        Reader reader = new Reader(span);
        List<Task> tasks = reader.tasks(info);
        List<AMInfo> masters = info.getAMInfos();
        AMInfo master = masters == null || masters.isEmpty() ? null : masters.get(0);
        return new JobRecord(
                String.valueOf(info.getJobId()),
                oneLine(info.getJobname()),
                String.valueOf(info.getUsername()),
                info.getJobQueueName() == null || info.getJobQueueName().isEmpty() ? "default" : info.getJobQueueName(),
                "SUCCEEDED".equals(info.getJobStatus()),
                submitted,
                span.nearest(info.getLaunchTime()),
                span.finishedMillis(),
                master == null ? null : master.getNodeManagerHost(),
                master == null ? submitted : span.nearest(master.getStartTime()),
                info.getUberized(),
                tasks,
                info.getTotalCounters(),
                reader.leftOut,
                reader.cut);
    }

    /** Hive puts the query into the name of its jobs, line breaks included. */
    static String oneLine(@Nullable String name) {
        return String.valueOf(name)
                .replaceAll("[\\s\\p{Cc}\\p{Zl}\\p{Zp}]+", " ")
                .strip();
    }

    private static final class Reader {
        private final JobSpan span;
        private long leftOut;
        private long cut;

        Reader(JobSpan span) {
            this.span = span;
        }

        List<Task> tasks(JobInfo info) {
            List<Task> tasks = new ArrayList<>();
            for (TaskInfo task : new TreeMap<>(info.getAllTasks()).values()) {
                TaskType type = task.getTaskType();
                if (type == TaskType.MAP || type == TaskType.REDUCE) {
                    List<Attempt> attempts = new ArrayList<>();
                    for (TaskAttemptInfo attempt : new TreeMap<>(task.getAllTaskAttempts()).values()) {
                        add(attempt, attempts);
                    }
                    if (!attempts.isEmpty()) {
                        tasks.add(new Task(type == TaskType.MAP, List.copyOf(attempts)));
                    }
                }
            }
            return List.copyOf(tasks);
        }

        private void add(TaskAttemptInfo attempt, List<Attempt> attempts) {
            // An attempt that ran when the job ended has no end of its own.
            long end = attempt.getFinishTime() > 0 ? attempt.getFinishTime() : span.finishedMillis();
            Optional<JobSpan.Part> part =
                    attempt.getStartTime() > 0 ? span.within(attempt.getStartTime(), end) : Optional.empty();
            if (part.isEmpty()) {
                leftOut++;
                return;
            }
            JobSpan.Part within = part.get();
            cut += within.isCut() ? 1 : 0;
            attempts.add(new Attempt(
                    host(attempt),
                    within.startMillis(),
                    within.endMillis(),
                    "SUCCEEDED".equals(attempt.getTaskStatus())));
        }

        /** An attempt without an end has no host name in the history, but the name of its NodeManager's host. */
        private static String host(TaskAttemptInfo attempt) {
            String host = attempt.getHostname();
            return String.valueOf(host == null || host.isEmpty() ? attempt.getTrackerName() : host);
        }
    }
}
