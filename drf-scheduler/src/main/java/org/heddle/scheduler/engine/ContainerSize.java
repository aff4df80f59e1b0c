// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.Arrays;
import org.heddle.scheduler.model.Vectors;

/**
 * One distinct size of containers that applications ask for. There are few sizes, however many applications ask: a node
 * is tested for sizes, not for applications.
 */
public final class ContainerSize {
    final long[] need;
    /** Containers of this container size that are asked for in the whole tree. */
    long pending;
    /** The round in which it was first asked for. */
    final long bornInRound;
    /** The last round in which it fitted a visited node. */
    long fittedInRound;
    /** Since when it fits nowhere, in milliseconds; {@code Long.MAX_VALUE} while that is not so. */
    long passedOverSinceMillis = Long.MAX_VALUE;
    /** No node of the last whole round had room for it. */
    boolean blocked;
    /** It fits the node at hand; meaningful during a pass. */
    boolean open;
    /** An ancestor of the present schedulable is suspended for it; meaningful while a pass goes down the tree. */
    boolean barred;

    ContainerSize(long[] need, long round) {
        this.need = need.clone();
        this.bornInRound = round;
        this.fittedInRound = round;
    }

    /** What one container needs of a resource. */
    public long need(int resource) {
        return need[resource];
    }

    /** What one container needs, per resource. */
    public long[] need() {
        return need.clone();
    }

    /** Whether no node visited in the last whole round had room for one. */
    public boolean isBlocked() {
        return blocked;
    }

    public long pending() {
        return pending;
    }

    boolean isReachable() {
        return open && !barred;
    }

    /** Whether it has fitted nowhere for so long. */
    public boolean isPassedOver(long nowMillis, long patienceMillis) {
        return passedOverSinceMillis <= nowMillis - patienceMillis;
    }

    /** Whether one container has room in this. */
    public boolean fits(long[] free) {
        return Vectors.fit(need, free);
    }

    @Override
    public String toString() {
        return Arrays.toString(need);
    }
}
