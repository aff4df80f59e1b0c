// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.util.Clock;
import org.jspecify.annotations.NullUnmarked;

/** The fake job and its {@link AppContext}; speculators use a few of their many methods. */
@NullUnmarked
final class SimJob {
    final JobId id = MRBuilderUtils.newJobId(ApplicationId.newInstance(1_000_000L, 1), 1);
    final Map<TaskId, Task> maps = new LinkedHashMap<>();
    final Map<TaskId, Task> reduces = new LinkedHashMap<>();
    final Job job;
    int mapsDone;
    int reducesDone;

    SimJob(int mapCount, int reduceCount) {
        for (int i = 0; i < mapCount; i++) {
            SimTask task = new SimTask(MRBuilderUtils.newTaskId(id, i, TaskType.MAP));
            maps.put(task.id, task);
        }
        for (int i = 0; i < reduceCount; i++) {
            SimTask task = new SimTask(MRBuilderUtils.newTaskId(id, i, TaskType.REDUCE));
            reduces.put(task.id, task);
        }
        this.job = fake(Job.class);
        doReturn(id).when(job).getID();
        doReturn(mapCount).when(job).getTotalMaps();
        doReturn(reduceCount).when(job).getTotalReduces();
        doAnswer(call -> mapsDone).when(job).getCompletedMaps();
        doAnswer(call -> reducesDone).when(job).getCompletedReduces();
        doAnswer(call -> task(call.getArgument(0))).when(job).getTask(any());
        doAnswer(call -> all()).when(job).getTasks();
        doAnswer(call -> tasks(call.getArgument(0))).when(job).getTasks(any());
    }

    SimTask task(TaskId task) {
        return (SimTask) tasks(task.getTaskType()).get(task);
    }

    Map<TaskId, Task> tasks(TaskType type) {
        return type == TaskType.MAP ? maps : reduces;
    }

    @SuppressWarnings("rawtypes") // as Hadoop has it
    AppContext context(Clock clock, EventHandler<Event> events) {
        AppContext context = fake(AppContext.class);
        doAnswer(call -> id.equals(call.getArgument(0)) ? job : null)
                .when(context)
                .getJob(any());
        doReturn(Map.of(id, job)).when(context).getAllJobs();
        doReturn(clock).when(context).getClock();
        doReturn(events).when(context).getEventHandler();
        return context;
    }

    private Map<TaskId, Task> all() {
        Map<TaskId, Task> all = new LinkedHashMap<>(maps);
        all.putAll(reduces);
        return all;
    }

    /** Fails in methods that are not given. */
    private static <T> T fake(Class<T> type) {
        return mock(type, withSettings().stubOnly().defaultAnswer(call -> {
            throw new UnsupportedOperationException(call.getMethod().getName());
        }));
    }
}
