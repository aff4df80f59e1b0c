// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskReport;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.jspecify.annotations.NullUnmarked;

/** The fake task a speculator sees. */
@NullUnmarked
final class SimTask implements Task {
    final TaskId id;
    final Map<TaskAttemptId, TaskAttempt> attempts = new LinkedHashMap<>();
    boolean succeeded;

    SimTask(TaskId id) {
        this.id = id;
    }

    boolean running() {
        return !succeeded && live().iterator().hasNext();
    }

    Iterable<SimAttempt> live() {
        return () -> attempts.values().stream()
                .map(SimAttempt.class::cast)
                .filter(a -> a.node >= 0 && !a.isFinished())
                .iterator();
    }

    @Override
    public TaskId getID() {
        return id;
    }

    @Override
    public TaskType getType() {
        return id.getTaskType();
    }

    @Override
    public Map<TaskAttemptId, TaskAttempt> getAttempts() {
        return attempts;
    }

    @Override
    public TaskAttempt getAttempt(TaskAttemptId attempt) {
        return attempts.get(attempt);
    }

    @Override
    public boolean isFinished() {
        return succeeded;
    }

    @Override
    public TaskState getState() {
        return succeeded ? TaskState.SUCCEEDED : TaskState.RUNNING;
    }

    @Override
    public float getProgress() {
        throw new UnsupportedOperationException();
    }

    @Override
    public TaskReport getReport() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Counters getCounters() {
        return new Counters();
    }

    @Override
    public boolean canCommit(TaskAttemptId attempt) {
        return true;
    }
}
