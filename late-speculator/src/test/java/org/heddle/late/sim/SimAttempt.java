// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

import java.util.List;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptReport;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.jspecify.annotations.NullUnmarked;

/** The fake attempt a speculator sees. Hadoop's interface is not null-marked, so neither is this. */
@NullUnmarked
final class SimAttempt implements TaskAttempt {
    final TaskAttemptId id;
    final SimTask task;
    final boolean original;
    TaskAttemptState state = TaskAttemptState.STARTING;
    int node = -1;
    NodeId nodeId;
    long startedAt;
    long endedAt;
    // As the ApplicationMaster's clock says.
    long launchTime;
    long finishTime;
    long mayFetchFrom;
    long fetchedAt = -1;
    float reported;
    float truth;
    ProgressCurve course;

    SimAttempt(TaskAttemptId id, SimTask task, boolean original) {
        this.id = id;
        this.task = task;
        this.original = original;
    }

    @Override
    public TaskAttemptId getID() {
        return id;
    }

    @Override
    public float getProgress() {
        return reported;
    }

    @Override
    public TaskAttemptState getState() {
        return state;
    }

    @Override
    public boolean isFinished() {
        return state == TaskAttemptState.SUCCEEDED || state == TaskAttemptState.KILLED;
    }

    @Override
    public NodeId getNodeId() {
        return nodeId;
    }

    @Override
    public long getLaunchTime() {
        return launchTime;
    }

    @Override
    public long getFinishTime() {
        return finishTime;
    }

    @Override
    public TaskAttemptReport getReport() {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<String> getDiagnostics() {
        return List.of();
    }

    @Override
    public Counters getCounters() {
        return new Counters();
    }

    @Override
    public Phase getPhase() {
        throw new UnsupportedOperationException();
    }

    @Override
    public ContainerId getAssignedContainerID() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getAssignedContainerMgrAddress() {
        return nodeId.toString();
    }

    @Override
    public String getNodeHttpAddress() {
        return nodeId.toString();
    }

    @Override
    public String getNodeRackName() {
        return "/default-rack";
    }

    @Override
    public long getShuffleFinishTime() {
        return Math.max(0, fetchedAt);
    }

    @Override
    public long getSortFinishTime() {
        return 0;
    }

    @Override
    public int getShufflePort() {
        return 13562;
    }
}
