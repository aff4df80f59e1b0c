// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.replay;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.JobInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskAttemptInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskInfo;
import org.heddle.late.policy.TaskKind;
import org.heddle.settings.past.JobSpan;

/** The attempts of a finished job. */
final class JobTrace {
    private static final String SUCCEEDED = "SUCCEEDED";

    private final String job;
    private final List<Span> spans;
    private final int masters;
    private final String outcome;

    /** A job that succeeded, with one ApplicationMaster. */
    JobTrace(String job, List<Span> spans) {
        this(job, spans, 1, SUCCEEDED);
    }

    /**
     * @param masters how often the ApplicationMaster was started
     * @param outcome as the history has it, for example FAILED
     */
    private JobTrace(String job, List<Span> spans, int masters, String outcome) {
        this.job = job;
        this.masters = masters;
        this.outcome = outcome;
        this.spans = new ArrayList<>(spans);
        this.spans.sort(Comparator.<Span>comparingLong(s -> s.start).thenComparing(s -> s.task));
    }

    /**
     * Reads a {@code .jhist}.
     *
     * @throws IOException with one sentence for the user, if it is not the history of a job that has ended, or if no
     *     attempt
     *     in it ran
     */
    static JobTrace read(String file, Configuration conf) throws IOException {
        HistoryEvents events = HistoryEvents.read(file, conf);
        JobInfo info = events.job();
        JobSpan time = JobSpan.of(
                info.getSubmitTime(),
                info.getFinishTime(),
                info.getAllTasks().values().stream()
                        .flatMap(task -> task.getAllTaskAttempts().values().stream())
                        .mapToLong(TaskAttemptInfo::getFinishTime));
        List<Span> spans = new ArrayList<>();
        for (TaskInfo task : info.getAllTasks().values()) {
            TaskType type = task.getTaskType();
            if (type == TaskType.MAP || type == TaskType.REDUCE) {
                spans.addAll(
                        spans(task, type == TaskType.MAP ? TaskKind.MAP : TaskKind.REDUCE, time, events.speculative()));
            }
        }
        if (spans.isEmpty()) {
            throw new IOException(file + " contains no attempt that ran; give the history of a finished MapReduce job");
        }
        List<?> started = info.getAMInfos();
        return new JobTrace(
                String.valueOf(info.getJobId()),
                spans,
                started == null ? 1 : started.size(),
                String.valueOf(info.getJobStatus()));
    }

    /**
     * The attempts of a task that ran, cut to the time of the job, for clocks are wrong now and then. An attempt that
     * was still live when the job ended has no finish time: it ends with the job. An attempt is a backup if the history
     * says so, or if it started while another one ran: MapReduce does not mark the successor of a backup that was
     * moved.
     */
    private static List<Span> spans(TaskInfo task, TaskKind kind, JobSpan time, Set<String> speculative) {
        List<TaskAttemptInfo> attempts =
                new ArrayList<>(task.getAllTaskAttempts().values());
        attempts.removeIf(a -> a.getStartTime() <= 0);
        attempts.sort(Comparator.comparingLong(TaskAttemptInfo::getStartTime));
        List<Span> spans = new ArrayList<>();
        long busyUntil = Long.MIN_VALUE;
        for (TaskAttemptInfo attempt : attempts) {
            long finish = attempt.getFinishTime() > 0 ? attempt.getFinishTime() : time.finishedMillis();
            Optional<JobSpan.Part> within = time.within(attempt.getStartTime(), finish);
            if (within.isEmpty()) {
                continue;
            }
            long start = within.get().startMillis();
            long end = within.get().endMillis();
            boolean marked = speculative.contains(String.valueOf(attempt.getAttemptId()));
            spans.add(new Span(
                    String.valueOf(task.getTaskId()),
                    kind,
                    node(attempt),
                    new Span.Times(start, attempt.getShuffleFinishTime(), attempt.getSortFinishTime(), end),
                    "SUCCEEDED".equals(attempt.getTaskStatus()),
                    marked || start < busyUntil));
            busyUntil = Math.max(busyUntil, end);
        }
        return spans;
    }

    /** An attempt without an end has no host name in the history, but the name of its NodeManager's host. */
    private static String node(TaskAttemptInfo attempt) {
        String host = attempt.getHostname();
        return String.valueOf(host == null || host.isEmpty() ? attempt.getTrackerName() : host);
    }

    String job() {
        return job;
    }

    /** Whether a later ApplicationMaster ran the rest of the job. */
    boolean restarted() {
        return masters > 1;
    }

    /** All attempts, by start. */
    List<Span> spans() {
        return Collections.unmodifiableList(spans);
    }

    long begin() {
        return spans.get(0).start;
    }

    /** Empty if the job succeeded, otherwise how it ended, for example FAILED. */
    Optional<String> failure() {
        return outcome.equals(SUCCEEDED) ? Optional.empty() : Optional.of(outcome);
    }

    /** When the last task succeeded; of a job that did not, when its last attempt ended. */
    long end() {
        boolean all = failure().isPresent();
        return spans.stream()
                .filter(s -> all || s.won)
                .mapToLong(s -> s.end)
                .max()
                .orElse(begin());
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
