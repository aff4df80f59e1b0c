// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.benchmarks.experiment.Spread;

/** Seconds of the iterations of some runs, the first iteration apart from the later ones. */
final class IterationTimes {
    private final List<double[]> runs = new ArrayList<>();

    /** @param seconds of each iteration of a run, in their order */
    void add(double[] seconds) {
        runs.add(seconds);
    }

    /** Of the first iteration of each run. */
    Spread first() {
        return Spread.of(runs.stream().mapToDouble(run -> run[0]).toArray());
    }

    /** Of all other iterations of all runs. */
    Spread later() {
        return Spread.of(
                runs.stream().flatMapToDouble(run -> Arrays.stream(run).skip(1)).toArray());
    }
}
