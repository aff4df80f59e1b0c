// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.hs.PartialJob;
import org.apache.hadoop.mapreduce.v2.jobhistory.JobIndexInfo;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.util.Clock;
import org.jspecify.annotations.NullUnmarked;

/**
 * The fake job. Speculators call a few of its methods, millions of times in a large run, so this is no mock: a mock
 * records the caller of each call, which took most of the time of the stock speculator's runs.
 */
@NullUnmarked
final class SimJob extends PartialJob {
    final JobId id;
    final Map<TaskId, Task> maps = new LinkedHashMap<>();
    final Map<TaskId, Task> reduces = new LinkedHashMap<>();
    int mapsDone;
    int reducesDone;

    SimJob(int mapCount, int reduceCount) {
        this(MRBuilderUtils.newJobId(ApplicationId.newInstance(1_000_000L, 1), 1), mapCount, reduceCount);
    }

    private SimJob(JobId id, int mapCount, int reduceCount) {
        super(new JobIndexInfo(0, 0, "user", "job", id, mapCount, reduceCount, "RUNNING"), id);
        this.id = id;
        for (int i = 0; i < mapCount; i++) {
            SimTask task = new SimTask(MRBuilderUtils.newTaskId(id, i, TaskType.MAP));
            maps.put(task.id, task);
        }
        for (int i = 0; i < reduceCount; i++) {
            SimTask task = new SimTask(MRBuilderUtils.newTaskId(id, i, TaskType.REDUCE));
            reduces.put(task.id, task);
        }
    }

    SimTask task(TaskId task) {
        return (SimTask) tasks(task.getTaskType()).get(task);
    }

    Map<TaskId, Task> tasks(TaskType type) {
        return type == TaskType.MAP ? maps : reduces;
    }

    @SuppressWarnings("rawtypes") // as Hadoop has it
    AppContext context(Clock clock, EventHandler<Event> events) {
        return new SimContext(this, clock, events);
    }

    @Override
    public int getTotalMaps() {
        return maps.size();
    }

    @Override
    public int getTotalReduces() {
        return reduces.size();
    }

    @Override
    public int getCompletedMaps() {
        return mapsDone;
    }

    @Override
    public int getCompletedReduces() {
        return reducesDone;
    }

    @Override
    public Task getTask(TaskId task) {
        return task(task);
    }

    @Override
    public Map<TaskId, Task> getTasks() {
        Map<TaskId, Task> all = new LinkedHashMap<>(maps);
        all.putAll(reduces);
        return all;
    }

    @Override
    public Map<TaskId, Task> getTasks(TaskType type) {
        return tasks(type);
    }
}
