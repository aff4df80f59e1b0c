// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing;

import java.util.concurrent.atomic.AtomicLong;
import org.heddle.packing.model.Plan;
import org.heddle.packing.solve.SolveContext;

/**
 * Searches whose limit is a number of steps instead of seconds. Each time a planner reads the clock, the clock advances
 * by one step, so the same problem gives the same plan on every machine. Each thread has a clock of its own.
 */
public final class SearchSteps {
    private static final long NANOS_PER_STEP = 1_000_000;

    private SearchSteps() {}

    /** A search that ends after this many looks at the clock; one step counts as a millisecond. */
    public static SolveContext limit(long steps) {
        ThreadLocal<AtomicLong> clock = ThreadLocal.withInitial(AtomicLong::new);
        return new SolveContext(
                () -> clock.get().getAndAdd(NANOS_PER_STEP),
                steps / 1e3,
                Plan.PROVEN,
                () -> false,
                (seconds, makespan, bound) -> {},
                1);
    }
}
