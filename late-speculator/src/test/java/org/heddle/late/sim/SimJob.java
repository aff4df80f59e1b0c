// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
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

/** The fake job and its {@link AppContext}, as proxies: speculators use a few of their many methods. */
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
        this.job = proxy(Job.class, (self, method, args) -> switch (method.getName()) {
            case "getID" -> id;
            case "getTask" -> task((TaskId) args[0]);
            case "getTasks" -> args == null ? all() : tasks((TaskType) args[0]);
            case "getTotalMaps" -> mapCount;
            case "getTotalReduces" -> reduceCount;
            case "getCompletedMaps" -> mapsDone;
            case "getCompletedReduces" -> reducesDone;
            case "hashCode" -> System.identityHashCode(self);
            case "equals" -> self == args[0];
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    SimTask task(TaskId task) {
        return (SimTask) tasks(task.getTaskType()).get(task);
    }

    Map<TaskId, Task> tasks(TaskType type) {
        return type == TaskType.MAP ? maps : reduces;
    }

    @SuppressWarnings("rawtypes")
    AppContext context(Clock clock, EventHandler<Event> events) {
        return proxy(AppContext.class, (self, method, args) -> switch (method.getName()) {
            case "getJob" -> id.equals(args[0]) ? job : null;
            case "getAllJobs" -> Map.of(id, job);
            case "getClock" -> clock;
            case "getEventHandler" -> events;
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    private Map<TaskId, Task> all() {
        Map<TaskId, Task> all = new LinkedHashMap<>(maps);
        all.putAll(reduces);
        return all;
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(SimJob.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
