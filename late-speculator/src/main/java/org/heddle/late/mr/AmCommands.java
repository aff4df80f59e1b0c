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

/** The only place that tells the ApplicationMaster to do something. */
@SuppressWarnings("rawtypes") // AppContext hands out EventHandler<Event>
final class AmCommands {
    private final EventHandler<Event> events;
    private final int failuresPerNode;
    private final Set<String> barred = new HashSet<>();
    private final Map<LateCounter, Long> counts = new EnumMap<>(LateCounter.class);

    /** @param failuresPerNode failures after which the ApplicationMaster leaves a node out for this job */
    AmCommands(EventHandler<Event> events, int failuresPerNode) {
        this.events = events;
        this.failuresPerNode = failuresPerNode;
    }

    void launch(TaskId task) {
        events.handle(new TaskEvent(task, TaskEventType.T_ADD_SPEC_ATTEMPT));
    }

    /** Kills a badly landed backup; the ApplicationMaster requests its successor by itself. */
    void move(TaskAttemptId attempt, String why) {
        events.handle(new TaskAttemptKillEvent(attempt, why));
    }

    /**
     * Replaces an attempt's container request by one without hosts and racks. The ApplicationMaster overwrites the
     * resource with the job's own, so what stands here does not matter.
     */
    void requestAnywhere(TaskAttemptId attempt) {
        events.handle(new ContainerAllocatorEvent(attempt, ContainerAllocator.EventType.CONTAINER_DEALLOCATE));
        events.handle(new ContainerRequestEvent(attempt, Resource.newInstance(0, 1), new String[0], new String[0]));
    }

    /**
     * Makes the ApplicationMaster believe the node failed often enough to be left out. Cannot be taken back.
     *
     * @param nodesUsed nodes the job has used
     * @param share the most of them that may be barred
     */
    void bar(TaskAttemptId attempt, String node, int nodesUsed, double share) {
        if (barred.contains(node) || barred.size() + 1 > share * nodesUsed) {
            return;
        }
        barred.add(node);
        for (int i = 0; i < failuresPerNode; i++) {
            events.handle(new ContainerFailedEvent(attempt, node));
        }
        count(LateCounter.BLACKLISTED_NODES, 1);
    }

    void count(LateCounter counter, long by) {
        counts.merge(counter, by, Long::sum);
    }

    /** Hands the counts collected since the last time to the job. */
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
