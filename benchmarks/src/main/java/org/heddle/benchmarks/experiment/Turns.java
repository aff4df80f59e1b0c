// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.experiment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The order of contestants in each repetition. */
public final class Turns {
    private Turns() {}

    /**
     * All contestants, beginning with another one in each repetition, so that a machine that becomes slower or faster
     * favours none. Those that begin are spread over the list: of six contestants in three repetitions every second
     * one.
     *
     * @param repetition from 0
     * @param repetitions in all
     */
    public static <T> List<T> of(List<T> contestants, int repetition, int repetitions) {
        List<T> turns = new ArrayList<>(contestants);
        Collections.rotate(turns, -repetition * Math.max(1, contestants.size() / repetitions));
        return turns;
    }
}
