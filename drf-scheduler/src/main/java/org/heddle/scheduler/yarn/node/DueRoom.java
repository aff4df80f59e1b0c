// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.DueList;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.yarn.app.Ask;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.app.Locality;
import org.jspecify.annotations.Nullable;

/**
 * The nodes whose free room was not given to one above its share in the present pass, because one who is due needs more than
 * is free there. They are reserved for it at the end of the pass ({@link NodeReservations}). Guarded by the scheduler's lock.
 */
final class DueRoom implements DueList.Server {
    private final Feasibility feasibility;
    private final DueList due;
    private final Map<HeddleNode, Wanted> wanted = new LinkedHashMap<>();
    private PlacementContext context = PlacementContext.promise(0);
    private boolean on;
    private @Nullable HeddleNode node;
    private @Nullable Wanted found;

    /** For whom a node is wanted. */
    record Wanted(HeddleAttempt attempt, Ask ask) {}

    DueRoom(ShareEngine engine, Feasibility feasibility) {
        this.feasibility = feasibility;
        this.due = new DueList(engine);
    }

    /**
     * Begins a pass.
     *
     * @param reserves whether nodes may be reserved
     * @param newContext under which those who are due would be served
     */
    void begin(boolean reserves, PlacementContext newContext) {
        on = reserves;
        context = newContext;
        wanted.clear();
        if (on) {
            due.refresh(context.nowMillis());
        }
    }

    /** The nodes wanted in the pass, and for whom. */
    Map<HeddleNode, Wanted> wanted() {
        return wanted;
    }

    /** Ends the pass: nothing is wanted outside of one. */
    void end() {
        on = false;
    }

    /** Whether an application must leave the free room of a node to one that is due. */
    boolean isLeft(HeddleAttempt attempt, Ask ask, HeddleNode offered, long[] free) {
        if (!on || due.isEmpty()) {
            return false;
        }
        node = offered;
        found = null;
        Schedulable application = attempt.application().schedulable();
        if (due.ahead(application, ask.size().need(), free, this) == null) {
            return false;
        }
        if (found != null) {
            wanted.putIfAbsent(offered, found);
        }
        return true;
    }

    /** Whether fewer nodes are reserved for an ask than it misses containers. */
    private boolean isMissing(DueList.Due one, HeddleAttempt attempt, Ask ask) {
        long most = Math.min(
                (long) one.lag(),
                attempt.getPendingAsk(ask.key(), ResourceRequest.ANY).getCount());
        long has = attempt.getNumReservedContainers(ask.key())
                + wanted.values().stream()
                        .filter(other ->
                                other.attempt.equals(attempt) && other.ask.key().equals(ask.key()))
                        .count();
        return has < most;
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
                    && (wanted.containsKey(at) || isMissing(one, attempt, ask))
                    && at.canBecomeFree(size)
                    && feasibility.testAsIfFree(attempt, ask, at, context) instanceof Locality) {
                found = new Wanted(attempt, ask);
                return true;
            }
        }
        return false;
    }
}
