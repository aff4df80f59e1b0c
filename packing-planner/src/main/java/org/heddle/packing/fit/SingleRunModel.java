// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import java.util.Comparator;
import java.util.List;
import org.heddle.packing.fit.JobRecord.Attempt;
import org.heddle.packing.fit.JobRecord.Task;
import org.heddle.packing.model.RuntimeModel;
import org.heddle.packing.model.TaskModel;
import org.heddle.packing.model.WaveModel;
import org.heddle.settings.past.JobSpan;
import org.jspecify.annotations.Nullable;

/** The model that a single run gives: what its tasks took. Attempts that failed, and waiting, are no work. */
final class SingleRunModel {
    private SingleRunModel() {}

    /** Null if no task ran. */
    static @Nullable RuntimeModel of(JobRecord job) {
        List<Attempt> maps = chosen(job, true);
        List<Attempt> reduces = chosen(job, false);
        long mapsEnd = maps.stream().mapToLong(Attempt::endMillis).max().orElse(Long.MIN_VALUE);
        List<Double> mapSeconds =
                maps.stream().map(map -> map.millis() / 1000.0).toList();
        List<Double> reduceSeconds = reduces.stream()
                .map(reduce ->
                        (reduce.endMillis() - JobSpan.reduceStart(reduce.startMillis(), reduce.endMillis(), mapsEnd))
                                / 1000.0)
                .toList();
        double work = mapSeconds.stream().mapToDouble(Double::doubleValue).sum()
                + reduceSeconds.stream().mapToDouble(Double::doubleValue).sum();
        if (work <= 0) {
            return null;
        }
        int tasks = maps.size() + reduces.size();
        if (tasks > TaskModel.MOST_TASKS) {
            return new WaveModel(tasks, work / tasks, outside(job));
        }
        return TaskModel.ofMapsAndReduces(mapSeconds, reduceSeconds, outside(job));
    }

    private static List<Attempt> chosen(JobRecord job, boolean maps) {
        return job.tasks().stream()
                .filter(task -> task.isMap() == maps)
                .map(Task::chosen)
                .sorted(Comparator.comparingLong(Attempt::startMillis))
                .toList();
    }

    /**
     * From the start of the master to its first request, and from the last task to the end; not what it waited between.
     */
    private static double outside(JobRecord job) {
        long last = job.attempts().stream().mapToLong(Attempt::endMillis).max().orElse(job.finishedMillis());
        return (job.launchedMillis() - job.masterStartedMillis() + job.finishedMillis() - last) / 1000.0;
    }
}
