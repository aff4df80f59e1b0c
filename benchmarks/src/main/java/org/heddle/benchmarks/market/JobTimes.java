// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.market;

import java.util.List;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.market.simulate.Simulator;

/** Times of jobs in the simulator. */
final class JobTimes {
    private JobTimes() {}

    /** Jobs of a queue that began and ended in this time of the virtual clock, in milliseconds. */
    static List<Simulator.Job> between(Simulator simulator, String queue, long from, long to) {
        return simulator.finished(queue).stream()
                .filter(job -> job.startMillis() >= from && job.endMillis() <= to)
                .toList();
    }

    static double seconds(Simulator.Job job) {
        return (job.endMillis() - job.startMillis()) / 1e3;
    }

    /** Their seconds; NaN if there are none. */
    static Spread spread(List<Simulator.Job> jobs) {
        return jobs.isEmpty()
                ? Spread.of(Double.NaN)
                : Spread.of(jobs.stream().mapToDouble(JobTimes::seconds).toArray());
    }
}
