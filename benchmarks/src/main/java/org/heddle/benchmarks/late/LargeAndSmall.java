// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.late;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.heddle.late.sim.Scenario;
import org.heddle.late.sim.Scenarios;

/** The scenarios of {@link Scenarios} by name; a seed draws the layout. */
final class LargeAndSmall {
    private LargeAndSmall() {}

    static Map<String, LongFunction<Scenario>> scenarios() {
        Map<String, LongFunction<Scenario>> scenarios = new LinkedHashMap<>();
        List<Scenario> large = Scenarios.all(1);
        for (int i = 0; i < large.size(); i++) {
            int index = i;
            scenarios.put(large.get(i).name(), seed -> Scenarios.all(seed).get(index));
        }
        List<Scenario> small = Scenarios.small(1);
        for (int i = 0; i < small.size(); i++) {
            int index = i;
            scenarios.put(small.get(i).name(), seed -> Scenarios.small(seed).get(index));
        }
        return scenarios;
    }
}
