// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

import java.util.Map;
import java.util.Set;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.ClusterInfo;
import org.apache.hadoop.mapreduce.v2.app.TaskAttemptFinishingMonitor;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.security.client.ClientToAMTokenSecretManager;
import org.apache.hadoop.yarn.util.Clock;
import org.jspecify.annotations.NullUnmarked;

/** The fake context. It fails in methods which no speculator should call. */
@NullUnmarked
@SuppressWarnings("rawtypes") // as Hadoop has it
final class SimContext implements AppContext {
    private final SimJob job;
    private final Clock clock;
    private final EventHandler<Event> events;

    SimContext(SimJob job, Clock clock, EventHandler<Event> events) {
        this.job = job;
        this.clock = clock;
        this.events = events;
    }

    @Override
    public Job getJob(JobId id) {
        return job.id.equals(id) ? job : null;
    }

    @Override
    public Map<JobId, Job> getAllJobs() {
        return Map.of(job.id, job);
    }

    @Override
    public Clock getClock() {
        return clock;
    }

    @Override
    public EventHandler<Event> getEventHandler() {
        return events;
    }

    @Override
    public ApplicationId getApplicationID() {
        throw new UnsupportedOperationException();
    }

    @Override
    public ApplicationAttemptId getApplicationAttemptId() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getApplicationName() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long getStartTime() {
        throw new UnsupportedOperationException();
    }

    @Override
    public CharSequence getUser() {
        throw new UnsupportedOperationException();
    }

    @Override
    public ClusterInfo getClusterInfo() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<String> getBlacklistedNodes() {
        throw new UnsupportedOperationException();
    }

    @Override
    public ClientToAMTokenSecretManager getClientToAMTokenSecretManager() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isLastAMRetry() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean hasSuccessfullyUnregistered() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getNMHostname() {
        throw new UnsupportedOperationException();
    }

    @Override
    public TaskAttemptFinishingMonitor getTaskAttemptFinishingMonitor() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getHistoryUrl() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setHistoryUrl(String url) {
        throw new UnsupportedOperationException();
    }
}
