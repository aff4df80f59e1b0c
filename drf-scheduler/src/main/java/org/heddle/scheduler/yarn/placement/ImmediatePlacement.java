// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.placement;

import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.Placer;
import org.heddle.scheduler.engine.Room;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.ClusterRules;
import org.heddle.scheduler.model.MinimumOffer;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.yarn.app.Ask;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.node.ContainerAllocator;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.jspecify.annotations.Nullable;

/**
 * Places asks on any node with room, in the engine's order, without waiting for a heartbeat. A pass is bounded by its
 * work: it ends after {@link #MOST_PLACED} containers, and then the caller begins another one, or after {@link
 * #MOST_TESTS} tests of a node, or when the {@link HeadStart} is used up, and then the rest waits for heartbeats.
 * Guarded by the scheduler's lock.
 */
public final class ImmediatePlacement implements Placer, Room {
    /** Containers that one pass places at most: some milliseconds under the scheduler's lock. */
    static final int MOST_PLACED = 200;

    /** Tests of a node for an ask that one pass makes at most. */
    static final int MOST_TESTS = 5_000;

    private final ShareEngine engine;
    private final NodeSearch search;
    private final NodeIndex index;
    private final long silenceMillis;
    private boolean on;
    private boolean asksArrived;
    private boolean more;

    /**
     * @param index the nodes of the cluster
     * @param silenceMillis age of a node's last heartbeat above which it gets no container
     */
    public ImmediatePlacement(ShareEngine engine, NodeIndex index, ContainerAllocator allocator, long silenceMillis) {
        this.engine = engine;
        this.silenceMillis = silenceMillis;
        this.index = index;
        this.search = new NodeSearch(engine, index, allocator);
    }

    /**
     * Puts settings into force. With a minimum offer only heartbeats allocate: a head start would take a part of a
     * node's room, and leave less than the minimum.
     */
    public void configure(ClusterRules rules) {
        on = rules.allocation().isImmediate() && rules.minimumOffer().mode() == MinimumOffer.Mode.OFF;
        asksArrived = true;
    }

    public boolean isOn() {
        return on;
    }

    public void added(HeddleNode node, long nowMillis) {
        index.add(node, nowMillis);
    }

    public void removed(HeddleNode node) {
        index.remove(node);
    }

    /** A node's heartbeat has come; its room has not been offered yet. */
    public void heard(HeddleNode node, long nowMillis) {
        IndexedNode heard = index.node(node.getNodeID());
        if (heard != null) {
            heard.heard(nowMillis);
            index.touch(heard);
            index.beginOffer(heard);
        }
    }

    /** A node's room has been offered at its heartbeat: there is no need to offer it again. */
    public void offered(HeddleNode node, int placed) {
        IndexedNode offered = index.node(node.getNodeID());
        if (offered != null) {
            offered.assigned(placed);
        }
        index.endOffer();
    }

    /** The engine has taken over new asks, or other limits hold: what did not fit may fit now. */
    public void asksArrived() {
        asksArrived = true;
    }

    /** Whether there are new asks since the last pass. */
    public boolean hasNewAsks() {
        return isOn() && asksArrived;
    }

    /** Whether there are new asks, or nodes have more room, since the last pass. */
    public boolean isDue() {
        if (!isOn()) {
            return false;
        }
        index.refresh();
        return asksArrived || index.hasGrown();
    }

    /** Whether the last pass ended although more could have been placed. */
    public boolean hasMore() {
        return more;
    }

    /**
     * Places what can be placed.
     *
     * @return number of containers placed
     */
    public int serve(SchedulerSpec spec, long nowMillis) {
        asksArrived = false;
        more = false;
        index.refresh();
        index.forgetGrowth();
        index.beginPass(nowMillis);
        if (!engine.hasAsks()) {
            return 0;
        }
        search.begin(spec, nowMillis, silenceMillis);
        int placed = engine.offer(this, MOST_PLACED, this);
        if (search.hasLeftRoom()) {
            search.beginRest();
            placed += engine.offer(this, MOST_PLACED - placed, this);
        }
        if (placed == MOST_PLACED) {
            more = true;
            asksArrived = true;
        }
        return placed;
    }

    @Override
    public boolean fits(ContainerSize size) {
        return index.fits(size);
    }

    @Override
    public void take(ContainerSize granted) {
        index.refresh(); // the node has told its change
    }

    @Override
    public boolean goesOn() {
        return search.tests() < MOST_TESTS;
    }

    @Override
    public @Nullable ContainerSize place(Schedulable schedulable, Gate gate) {
        HeddleAttempt attempt = HeddleApplication.attemptOf(schedulable);
        if (attempt == null || attempt.isStopped()) {
            return null;
        }
        for (Ask ask : attempt.asks()) {
            if (gate.admits(ask.size()) && search.place(attempt, ask)) {
                return ask.size();
            }
        }
        return null;
    }
}
