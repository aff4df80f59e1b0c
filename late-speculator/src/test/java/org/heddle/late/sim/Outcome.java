// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

import java.util.List;

/**
 * What a run came to.
 *
 * @param millis from the job's start to its last success
 * @param backups attempts that were not the first of their task
 * @param won backups that finished first
 * @param wastedMillis task time of attempts that did not win
 * @param busyMillis all task time
 * @param runs every attempt that ran
 */
public record Outcome(long millis, int backups, int won, long wastedMillis, long busyMillis, List<Run> runs) {

    /** One attempt that ran. */
    public record Run(String task, int node, long start, long end, boolean won, boolean original) {}

    public double seconds() {
        return millis / 1000.0;
    }

    /** Wasted share of all task time, in [0, 1]. */
    public double wastedShare() {
        return busyMillis == 0 ? 0 : (double) wastedMillis / busyMillis;
    }

    /** Share of task time spent in backups that did not win, in [0, 1]. */
    public double uselessShare() {
        long useless = runs.stream()
                .filter(r -> !r.won() && !r.original())
                .mapToLong(r -> r.end() - r.start())
                .sum();
        return busyMillis == 0 ? 0 : (double) useless / busyMillis;
    }
}
