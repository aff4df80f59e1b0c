// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.heddle.benchmarks.experiment.Spread;

/** How long containers run that have begun since this was made. */
final class RunTimes {
    private final Map<ContainerId, Long> began = new HashMap<>();
    private final List<Double> millis = new ArrayList<>();

    void began(ContainerId container, long nowMillis) {
        began.put(container, nowMillis);
    }

    /** Nothing happens if it had begun before. */
    void ended(ContainerId container, long nowMillis) {
        Long then = began.remove(container);
        if (then != null) {
            millis.add((double) (nowMillis - then));
        }
    }

    /** Of those that have ended; NaN without any. */
    double medianMillis() {
        return millis.isEmpty() ? Double.NaN : Spread.of(millis).median();
    }
}
