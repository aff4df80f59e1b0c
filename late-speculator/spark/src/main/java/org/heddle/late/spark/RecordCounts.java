// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.spark;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.AccumulableInfo;
import org.heddle.late.policy.statistics.Sample;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * Estimates the progress of a stage's tasks. Spark has no progress scores, so the score of a task is the number of
 * records that it has read, divided by the median of what finished tasks of the stage have read.
 */
final class RecordCounts {
    private static final Set<String> METRICS =
            Set.of("internal.metrics.input.recordsRead", "internal.metrics.shuffle.read.recordsRead");
    // A larger task than the median is not finished when it has read as much.
    private static final double ALMOST_DONE = 0.99;

    private final Map<Long, Long> running = new HashMap<>();
    private final Sample finished = new Sample(64);

    /** @param metrics the metrics of a running task in a heartbeat */
    void update(long task, List<AccumulableInfo> metrics) {
        long records = 0;
        for (AccumulableInfo metric : metrics) {
            Option<String> name = metric.name();
            if (name.isDefined()
                    && METRICS.contains(name.get())
                    && metric.update().isDefined()) {
                records += ((Number) metric.update().get()).longValue();
            }
        }
        running.put(task, records);
    }

    /** @param metrics the metrics of an attempt that ended; Spark has none of a lost executor */
    void ended(long task, boolean success, @Nullable TaskMetrics metrics) {
        running.remove(task);
        if (success && metrics != null) {
            finished.add((double) metrics.inputMetrics().recordsRead()
                    + metrics.shuffleReadMetrics().recordsRead());
        }
    }

    /** Progress in [0, 0.99]; 0 if it is not known, as for a task that reads no records. */
    double score(long task) {
        double score = running.getOrDefault(task, 0L) / finished.median();
        return Double.isNaN(score) ? 0 : Math.min(ALMOST_DONE, score);
    }
}
