// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.jobhistory.AMStartedEvent;
import org.apache.hadoop.mapreduce.jobhistory.HistoryEvent;
import org.apache.hadoop.mapreduce.jobhistory.JobFinishedEvent;
import org.apache.hadoop.mapreduce.jobhistory.JobSubmittedEvent;
import org.apache.hadoop.mapreduce.jobhistory.JobUnsuccessfulCompletionEvent;
import org.apache.hadoop.mapreduce.jobhistory.MapAttemptFinishedEvent;
import org.apache.hadoop.mapreduce.jobhistory.ReduceAttemptFinishedEvent;
import org.apache.hadoop.mapreduce.jobhistory.TaskAttemptStartedEvent;
import org.apache.hadoop.mapreduce.jobhistory.TaskAttemptUnsuccessfulCompletionEvent;
import org.apache.hadoop.mapreduce.jobhistory.TaskFinishedEvent;
import org.apache.hadoop.mapreduce.jobhistory.TaskStartedEvent;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;

/** Events of small jobs. */
final class Histories {
    private Histories() {}

    /** One map, whose backup won. */
    static List<HistoryEvent> wonBackup(JobID job) {
        TaskID task = new TaskID(job, TaskType.MAP, 0);
        return List.of(
                submitted(job),
                new TaskStartedEvent(task, 2_000, TaskType.MAP, ""),
                started(task, 0, 2_000, "slow", "VIRGIN"),
                started(task, 1, 42_000, "fast", "SPECULATIVE"),
                new MapAttemptFinishedEvent(
                        new TaskAttemptID(task, 1),
                        TaskType.MAP,
                        "SUCCEEDED",
                        80_000,
                        80_000,
                        "fast",
                        1,
                        "/rack",
                        "",
                        new Counters(),
                        new int[4][0]),
                finished(task, 1, 80_000),
                ended(job, 81_000, 1, 0));
    }

    /** One reduce and no map. */
    static List<HistoryEvent> onlyReduce(JobID job) {
        return lateReduce(job, 32_000);
    }

    /** One reduce, whose node says that it ended at this time, and no map. */
    static List<HistoryEvent> lateReduce(JobID job, long end) {
        TaskID task = new TaskID(job, TaskType.REDUCE, 0);
        return List.of(
                submitted(job),
                new TaskStartedEvent(task, 2_000, TaskType.REDUCE, ""),
                started(task, 0, 2_000, "node", "VIRGIN"),
                new ReduceAttemptFinishedEvent(
                        new TaskAttemptID(task, 0),
                        TaskType.REDUCE,
                        "SUCCEEDED",
                        3_000,
                        4_000,
                        end,
                        "node",
                        1,
                        "/rack",
                        "",
                        new Counters(),
                        new int[4][0]),
                finished(task, 0, 32_000),
                ended(job, 33_000, 0, 1));
    }

    /** One map, which failed, and its job with it. */
    static List<HistoryEvent> failedMap(JobID job) {
        TaskID task = new TaskID(job, TaskType.MAP, 0);
        return List.of(
                submitted(job),
                new TaskStartedEvent(task, 2_000, TaskType.MAP, ""),
                started(task, 0, 2_000, "node", "VIRGIN"),
                new TaskAttemptUnsuccessfulCompletionEvent(
                        new TaskAttemptID(task, 0),
                        TaskType.MAP,
                        "FAILED",
                        32_000,
                        "node",
                        1,
                        "/rack",
                        "error",
                        new Counters(),
                        new int[4][0]),
                new JobUnsuccessfulCompletionEvent(job, 33_000, 0, 0, 0, 0, 0, 0, "FAILED", List.of("error")));
    }

    /** The same reduce, run by a second ApplicationMaster. */
    static List<HistoryEvent> restarted(JobID job) {
        ApplicationAttemptId first = ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, job.getId()), 1);
        ApplicationAttemptId second = ApplicationAttemptId.newInstance(first.getApplicationId(), 2);
        List<HistoryEvent> events = new ArrayList<>(onlyReduce(job));
        events.add(0, master(first, 500));
        events.add(1, master(second, 1_500));
        return events;
    }

    private static AMStartedEvent master(ApplicationAttemptId attempt, long at) {
        return new AMStartedEvent(attempt, at, ContainerId.newContainerId(attempt, 1), "node", 1, 2, 1_000);
    }

    /** No task at all. */
    static List<HistoryEvent> noTask(JobID job) {
        return List.of(submitted(job), ended(job, 33_000, 0, 0));
    }

    private static JobSubmittedEvent submitted(JobID job) {
        return new JobSubmittedEvent(job, "job", "user", 1_000, "job.xml", Map.of(), "default");
    }

    private static TaskAttemptStartedEvent started(TaskID task, int attempt, long at, String node, String avataar) {
        return new TaskAttemptStartedEvent(
                new TaskAttemptID(task, attempt), task.getTaskType(), at, node, 1, 1, "NODE_LOCAL", avataar);
    }

    private static TaskFinishedEvent finished(TaskID task, int attempt, long at) {
        return new TaskFinishedEvent(
                task, new TaskAttemptID(task, attempt), at, task.getTaskType(), "SUCCEEDED", new Counters());
    }

    private static JobFinishedEvent ended(JobID job, long at, int maps, int reduces) {
        return new JobFinishedEvent(job, at, maps, reduces, 0, 0, 0, 0, new Counters(), new Counters(), new Counters());
    }
}
