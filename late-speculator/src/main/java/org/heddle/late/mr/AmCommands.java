// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobCounterUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocatorEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerFailedEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerRequestEvent;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;

/** Sends all commands to the ApplicationMaster: its own events for launches, kills, blacklists and counters. */
@SuppressWarnings("rawtypes") // AppContext hands out EventHandler<Event>
final class AmCommands {
    private final EventHandler<Event> events;
    private final int failuresPerNode;
    private final Set<String> blacklisted = new HashSet<>();
    private final Map<LateCounter, Long> counts = new EnumMap<>(LateCounter.class);

    /** @param failuresPerNode failures after which the ApplicationMaster blacklists a node for this job */
    AmCommands(EventHandler<Event> events, int failuresPerNode) {
        this.events = events;
        this.failuresPerNode = failuresPerNode;
    }

    void launch(TaskId task) {
        events.handle(new TaskEvent(task, TaskEventType.T_ADD_SPEC_ATTEMPT));
    }

    /** Kills a badly placed backup, or a reduce; the ApplicationMaster requests its successor without a further command. */
    void kill(TaskAttemptId attempt, String why) {
        events.handle(new TaskAttemptKillEvent(attempt, why));
    }

    /**
     * Replaces an attempt's container request by one without hosts and racks. The ApplicationMaster overwrites the
     * resource with the job's own, so the one given here has no effect.
     */
    void requestAnywhere(TaskAttemptId attempt) {
        events.handle(new ContainerAllocatorEvent(attempt, ContainerAllocator.EventType.CONTAINER_DEALLOCATE));
        events.handle(new ContainerRequestEvent(attempt, Resource.newInstance(0, 1), new String[0], new String[0]));
    }

    /**
     * Blacklists a node: reports as many failures as the ApplicationMaster needs for that. It cannot be revoked.
     *
     * @param nodesUsed nodes the job has used
     * @param share the largest part of them that may be blacklisted
     */
    void blacklist(TaskAttemptId attempt, String node, int nodesUsed, double share) {
        if (blacklisted.contains(node) || blacklisted.size() + 1 > share * nodesUsed) {
            return;
        }
        blacklisted.add(node);
        for (int i = 0; i < failuresPerNode; i++) {
            events.handle(new ContainerFailedEvent(attempt, node));
        }
        count(LateCounter.BLACKLISTED_NODES, 1);
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
