// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import java.util.List;
import org.heddle.market.model.status.PreemptionWaste;
import org.heddle.market.model.status.QueueState;
import org.heddle.market.policy.Division;

/**
 * The running epoch at one moment. Immutable.
 *
 * @param division the division of the cluster
 * @param capacity nano-slots now
 * @param startMillis start of the epoch, monotonic clock
 * @param nowMillis the moment, monotonic clock
 * @param lines one for each queue, by name; the index refers to the division
 * @param waste what preemption cost so far
 */
public record EpochReport(
        Division division, long capacity, long startMillis, long nowMillis, List<Line> lines, PreemptionWaste waste) {
    public static final EpochReport EMPTY = new EpochReport(Division.EMPTY, 0, 0, 0, List.of(), PreemptionWaste.NONE);

    public EpochReport {
        lines = List.copyOf(lines);
    }

    /**
     * One queue.
     *
     * @param queue its name
     * @param index its place in the division, -1 if it was added during the epoch
     * @param state its state
     * @param rateNanos its rate when the epoch began
     * @param entitled nano-slots now
     * @param used nano-slots now
     * @param running containers
     * @param pending containers
     * @param accrued nano-credits for the epoch so far
     */
    public record Line(
            String queue,
            int index,
            QueueState state,
            long rateNanos,
            long entitled,
            long used,
            long running,
            long pending,
            long accrued) {}
}
