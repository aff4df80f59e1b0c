// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.market;

import java.util.ArrayList;
import java.util.List;

/**
 * All that was seen, and the phases that it falls into.
 *
 * @param samples in order of time
 * @param raisedAt when alice's new rate was asked for
 */
record Timeline(List<Sample> samples, double raisedAt) {
    Timeline {
        samples = List.copyOf(samples);
    }

    /** When carol could not pay any more; the end if that was not seen. */
    double brokeAt() {
        return samples.stream()
                .filter(sample -> sample.of(MarketScenario.SPENDER).isBroke())
                .mapToDouble(Sample::seconds)
                .findFirst()
                .orElse(end());
    }

    double end() {
        return samples.isEmpty() ? 0 : samples.get(samples.size() - 1).seconds() + 1;
    }

    List<Phase> phases() {
        List<Phase> phases = new ArrayList<>();
        double broke = brokeAt();
        phases.add(new Phase("equal rates", 0, raisedAt));
        if (broke > raisedAt) {
            phases.add(new Phase(MarketScenario.RAISER + " pays four times as much", raisedAt, broke));
        }
        if (broke < end()) {
            phases.add(new Phase(MarketScenario.SPENDER + " has nothing left", Math.max(broke, raisedAt), end()));
        }
        return phases;
    }
}
