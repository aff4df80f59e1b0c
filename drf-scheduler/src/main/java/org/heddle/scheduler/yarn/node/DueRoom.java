// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.DueList;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.yarn.app.Ask;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.app.Locality;
import org.jspecify.annotations.Nullable;

/**
 * Which free room is not given to one above its share in a pass, because one who is due needs more than is free there.
 * Guarded by the scheduler's lock.
 */
final class DueRoom implements DueList.Server {
    private final Feasibility feasibility;
    private final DueList due;
    private PlacementContext context = PlacementContext.promise(0);
    private boolean on;
    private @Nullable HeddleNode node;

    DueRoom(ShareEngine engine, Feasibility feasibility) {
        this.feasibility = feasibility;
        this.due = new DueList(engine);
    }

    /**
     * Begins a pass.
     *
     * @param leaves whether room may be left free for larger asks
     * @param newContext under which those who are due would be served
     */
    void begin(boolean leaves, PlacementContext newContext) {
        on = leaves;
        context = newContext;
        if (on) {
            due.refresh(context.nowMillis());
        }
    }

    /** Ends the pass: nothing is left outside of one. */
    void end() {
        on = false;
    }

    /** Whether an application must leave the free room of a node to one that is due. */
    boolean isLeft(HeddleAttempt attempt, Ask ask, HeddleNode offered, long[] free) {
        if (!on || due.isEmpty()) {
            return false;
        }
        node = offered;
        return due.isAhead(attempt.application().schedulable(), ask.size().need(), free, this);
    }

    @Override
    public boolean canServe(DueList.Due one, ContainerSize size) {
        HeddleAttempt attempt = HeddleApplication.attemptOf(one.application());
        HeddleNode at = node;
        if (attempt == null || attempt.isStopped() || at == null) {
            return false;
        }
        for (Ask ask : attempt.asks()) {
            if (ask.size() == size
                    && at.canBecomeFree(size)
                    && feasibility.testAsIfFree(attempt, ask, at, context) instanceof Locality) {
                return true;
            }
        }
        return false;
    }
}
