// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.experiment;

import java.util.List;

/**
 * An experiment of the evaluation. {@code benchmarks/bin/evaluate} runs it, adds where and how it was measured, keeps
 * the result, and draws tables and pictures from the kept result; so {@link #plots} gets a measurement that may come
 * from a file and must need nothing else.
 */
public interface Experiment {
    /** What it measures and what it is compared with. */
    Description description();

    /** How long it takes, how often it repeats, and whether it needs a quiet machine. */
    Effort effort();

    /** How far two results may be apart by chance; not at all by default, as in simulations. */
    default Bands bands() {
        return Bands.EXACT;
    }

    /** What it has to reach, nothing by default. */
    default List<Goal> goals() {
        return List.of();
    }

    /**
     * Measures.
     *
     * @throws Exception if it cannot; the message is shown to the user and other experiments go on
     */
    Measurement run(Run run) throws Exception;

    /** The pictures of a measurement, none by default. */
    default List<Plot> plots(Measurement measurement) {
        return List.of();
    }

    default String name() {
        return description().name();
    }
}
