// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.jobs;

import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.heddle.benchmarks.experiment.Spread;

/** Where the time of a MapReduce job of maps went. */
final class MapReduceTimes {
    private MapReduceTimes() {}

    /**
     * In seconds; medians over the maps. A map of the first wave waits for its container from the request on. A later
     * one waits from the end of an earlier map on: the n-th container after the first wave comes after the n-th end.
     *
     * @param room how many maps have room at once
     */
    static Map<String, Double> figures(Submission submission, List<MasterLog.Attempt> maps, int room) {
        if (maps.isEmpty()) {
            throw new IllegalArgumentException("the master's log has no map that ended well");
        }
        long[] ends = sorted(maps, MasterLog.Attempt::done);
        List<MasterLog.Attempt> inTurn = maps.stream()
                .sorted((one, other) -> Long.compare(one.allocated(), other.allocated()))
                .toList();
        long begins = sorted(maps, MasterLog.Attempt::requested)[0];
        long lastEnd = ends[ends.length - 1];
        Map<String, Double> figures = submission.figures(begins);
        int first = Math.min(room, inTurn.size());
        figures.put(
                "request to container, s",
                median(inTurn.subList(0, first), map -> Submission.seconds(map.requested(), map.allocated())));
        if (first < inTurn.size()) {
            double[] waits = new double[inTurn.size() - first];
            for (int i = 0; i < waits.length; i++) {
                waits[i] = Submission.seconds(ends[i], inTurn.get(first + i).allocated());
            }
            figures.put("end to next container, s", Spread.of(waits).median());
        }
        figures.put("container to JVM, s", median(maps, map -> Submission.seconds(map.allocated(), map.begun())));
        figures.put("task, s", median(maps, map -> Submission.seconds(map.begun(), map.done())));
        figures.put("all maps, s", Submission.seconds(begins, lastEnd));
        figures.put("last task to end, s", Submission.seconds(lastEnd, submission.unregistered()));
        return figures;
    }

    private static long[] sorted(List<MasterLog.Attempt> maps, ToLongFunction<MasterLog.Attempt> time) {
        return maps.stream().mapToLong(time).sorted().toArray();
    }

    private static double median(List<MasterLog.Attempt> maps, ToDoubleFunction<MasterLog.Attempt> seconds) {
        return Spread.of(maps.stream().mapToDouble(seconds).toArray()).median();
    }
}
