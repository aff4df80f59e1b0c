// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobCounterUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;

/** Sends all commands to the ApplicationMaster: its own events for launches, kills and counters. */
@SuppressWarnings("rawtypes") // AppContext hands out EventHandler<Event>
final class AmCommands {
    private final EventHandler<Event> events;
    private final Map<LateCounter, Long> counts = new EnumMap<>(LateCounter.class);

    AmCommands(EventHandler<Event> events) {
        this.events = events;
    }

    void launch(TaskId task) {
        events.handle(new TaskEvent(task, TaskEventType.T_ADD_SPEC_ATTEMPT));
    }

    /**
     * Kills a badly placed backup, or a reduce; the ApplicationMaster requests its successor without a further command.
     */
    void kill(TaskAttemptId attempt, String why) {
        events.handle(new TaskAttemptKillEvent(attempt, why));
    }

    void count(LateCounter counter, long by) {
        counts.merge(counter, by, Long::sum);
    }

    /** Adds the counts since the last call to the counters of the job. */
    void publish(JobId job) {
        if (counts.isEmpty()) {
            return;
        }
        JobCounterUpdateEvent update = new JobCounterUpdateEvent(job);
        counts.forEach(update::addCounterUpdate);
        counts.clear();
        events.handle(update);
    }
}
