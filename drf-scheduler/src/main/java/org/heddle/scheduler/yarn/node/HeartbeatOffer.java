// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.Placer;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.model.LocalityDelay;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.yarn.app.Ask;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.app.Locality;
import org.heddle.scheduler.yarn.app.Verdict;
import org.heddle.scheduler.yarn.app.Veto;
import org.jspecify.annotations.Nullable;

/**
 * The offer of one node at its heartbeat, to the applications that the engine chooses and to the ask for which it is
 * reserved. It places at most one ApplicationMaster. Guarded by the scheduler's lock.
 */
public final class HeartbeatOffer implements Placer {
    private static final long[] NOTHING = {};

    private final ContainerAllocator allocator;
    private final HeddleNode node;
    private final SchedulerSpec spec;
    private final PlacementContext first;
    private PlacementContext context;
    private long[] free = NOTHING;
    private long[] atStart = NOTHING;
    private boolean masterPlaced;
    private boolean waited;

    /** Begins a node's heartbeat with the configuration in force. */
    public HeartbeatOffer(ContainerAllocator allocator, HeddleNode node, SchedulerSpec spec, long nowMillis) {
        this.allocator = allocator;
        this.node = node;
        this.spec = spec;
        this.first = PlacementContext.offer(spec, nowMillis);
        this.context = first;
        allocator.beginTurn();
    }

    /** Sets what the engine's next choices may use; it is counted down by what they get. */
    public HeartbeatOffer filling(long[] room) {
        return filling(room, first);
    }

    /** The same for asks for nodes without a label, and no ApplicationMasters: the idle rest of a shared partition. */
    public HeartbeatOffer lending(long[] room) {
        return filling(room, first.lent());
    }

    /** The same for asks that wait, and would gain nothing by it. */
    public HeartbeatOffer fillingRest(long[] room) {
        return filling(room, context.rest(spec));
    }

    private HeartbeatOffer filling(long[] room, PlacementContext under) {
        free = room;
        context = under;
        waited = false;
        return this;
    }

    /** Whether since the last {@link #filling} an ask has left room that it may take with {@link #fillingRest}. */
    public boolean hasLeftRoom() {
        return waited && spec.schedulingDelays().locality() instanceof LocalityDelay.WhileRoom;
    }

    /** With dynamic max-assign, containers are placed until more than half of any free resource is used. */
    @Override
    public boolean goesOn(long[] left) {
        if (!spec.rules().dynamicMaxAssign()) {
            return true;
        }
        if (atStart.length == 0) {
            atStart = left.clone();
        }
        for (int j = 0; j < left.length; j++) {
            if (atStart[j] - left[j] > atStart[j] / 2) {
                return false;
            }
        }
        return true;
    }

    @Override
    public @Nullable ContainerSize place(Schedulable schedulable, Gate gate) {
        HeddleAttempt attempt = HeddleApplication.attemptOf(schedulable);
        if (attempt == null || attempt.isStopped()) {
            return null;
        }
        if (attempt.awaitsMaster()
                && (masterPlaced || context.partitions() == SchedulingMode.IGNORE_PARTITION_EXCLUSIVITY)) {
            return null;
        }
        for (Ask ask : attempt.asks()) {
            if (gate.admits(ask.size()) && place(attempt, ask, null)) {
                return ask.size();
            }
        }
        return null;
    }

    /**
     * Places one container in what is to be filled.
     *
     * @param reserved the container for which the node was reserved; null if none
     */
    boolean place(HeddleAttempt attempt, Ask ask, @Nullable Container reserved) {
        boolean master = attempt.awaitsMaster();
        Verdict verdict = allocator.place(attempt, ask, node, free, context, reserved);
        waited |= verdict == Veto.LOCALITY;
        boolean placed = verdict instanceof Locality;
        masterPlaced |= placed && master;
        return placed;
    }

    /** Whether an ask could be served here if enough resources were free and not reserved. */
    boolean couldServe(HeddleAttempt attempt, Ask ask) {
        return allocator.testAsIfFree(attempt, ask, node, first) instanceof Locality;
    }
}
