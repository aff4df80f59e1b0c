// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.Arrays;
import org.heddle.scheduler.model.Vectors;

/**
 * One distinct size of containers that applications ask for. There are far fewer sizes than applications, so nodes are
 * tested for sizes.
 */
public final class ContainerSize {
    final long[] need;
    /** Containers of this container size that are asked for in the whole tree. */
    long pending;
    /** The round in which it was first asked for. */
    final long bornInRound;
    /** The last round in which it fitted a visited node. */
    long fittedInRound;
    /** The time since which it fits nowhere, in milliseconds; {@code Long.MAX_VALUE} while it fits somewhere. */
    long passedOverSinceMillis = Long.MAX_VALUE;
    /** It fitted no node in the last whole round. */
    boolean blocked;
    /** It fits the present node; valid during a pass. */
    boolean open;
    /** An ancestor of the present schedulable is suspended for it; valid while a pass goes down the tree. */
    boolean barred;

    ContainerSize(long[] need, long round) {
        this.need = need.clone();
        this.bornInRound = round;
        this.fittedInRound = round;
    }

    /** One resource of a container. */
    public long need(int resource) {
        return need[resource];
    }

    /** The resources of one container. */
    public long[] need() {
        return need.clone();
    }

    boolean isReachable() {
        return open && !barred;
    }

    /** Whether it has fitted no node for at least this time. */
    public boolean isPassedOver(long nowMillis, long patienceMillis) {
        return passedOverSinceMillis <= nowMillis - patienceMillis;
    }

    /** Whether one container fits these free resources. */
    public boolean fits(long[] free) {
        return Vectors.fit(need, free);
    }

    @Override
    public String toString() {
        return Arrays.toString(need);
    }
}
