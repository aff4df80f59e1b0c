// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.placement;

import java.util.Map;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.RoomIndex;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.AllocationMode.NodeChoice;
import org.heddle.scheduler.model.LocalityDelay;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.yarn.app.Ask;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.app.TakenAhead;
import org.heddle.scheduler.yarn.app.Verdict;
import org.heddle.scheduler.yarn.app.Veto;
import org.heddle.scheduler.yarn.node.ContainerAllocator;
import org.heddle.scheduler.yarn.node.PlacementContext;
import org.jspecify.annotations.Nullable;

/**
 * Finds a node for one ask, and places one container there: first a node that the ask names, then one on a rack that it
 * names, then any node of its partition. Whether a node may be used is decided by {@code Feasibility}, so an ask that
 * prefers nodes without room waits as its scheduling delay says. Guarded by the scheduler's lock.
 */
final class NodeSearch {
    /** Nodes that are tested for one ask at each level: named nodes, each rack, any node. */
    private static final int MOST_CANDIDATES = 64;

    /** An ask that names more places than this is compared with the nodes that have room, instead of the reverse. */
    private static final int MANY_PLACES = 32;

    private static final int DRAWS = 2;

    /** The result of a test. */
    private enum Result {
        PLACED,
        /** Not on this node. */
        REFUSED,
        /** Not on any node at this level. */
        NOT_HERE,
        /** Not on any node. */
        NOWHERE
    }

    private final ShareEngine engine;
    private final NodeIndex index;
    private final ContainerAllocator allocator;
    private SchedulerSpec spec;
    private PlacementContext context;
    private long silenceMillis;
    private int tests;
    private boolean waited;

    @SuppressWarnings("NullAway.Init") // spec and context are set by begin() before each use
    NodeSearch(ShareEngine engine, NodeIndex index, ContainerAllocator allocator) {
        this.engine = engine;
        this.index = index;
        this.allocator = allocator;
    }

    /** Begins a pass. */
    void begin(SchedulerSpec newSpec, long nowMillis, long silence) {
        spec = newSpec;
        context = PlacementContext.offer(newSpec, nowMillis);
        silenceMillis = silence;
        tests = 0;
        waited = false;
    }

    /** Whether asks wait for other nodes than have room, although they would gain nothing if they waited. */
    boolean hasLeftRoom() {
        return waited && spec.schedulingDelays().locality() instanceof LocalityDelay.WhileRoom;
    }

    /** From now on such asks are served on any node, too. */
    void beginRest() {
        context = context.rest(spec);
    }

    /** Tests of nodes in this pass. */
    int tests() {
        return tests;
    }

    /** Places one container for an ask if any node may be used. */
    boolean place(HeddleAttempt attempt, Ask ask) {
        tests++; // so that asks for which no node is tested count, too
        AppPlacementAllocator<?> wishes = attempt.getAppSchedulingInfo().getAppPlacementAllocator(ask.key());
        if (wishes == null) {
            return false;
        }
        IndexedPartition partition = index.partition(wishes);
        if (partition == null || !partition.headStart().isOpen() || !mayTakeAhead(attempt, ask, partition)) {
            return false;
        }
        Map<String, ResourceRequest> places = wishes.getResourceRequests();
        if (places.size() <= 1) {
            return onAny(attempt, ask, partition.all(), places) == Result.PLACED;
        }
        Result result;
        if (places.size() <= MANY_PLACES) {
            result = onNamed(attempt, ask, partition, places);
        } else {
            result = onNamedOfMany(attempt, ask, partition, places);
        }
        if (result == Result.REFUSED) {
            result = onRacks(attempt, ask, partition, places);
        }
        if (result == Result.REFUSED) {
            result = onAny(attempt, ask, partition.all(), places);
        }
        return result == Result.PLACED;
    }

    private boolean mayTakeAhead(HeddleAttempt attempt, Ask ask, IndexedPartition partition) {
        HeddleApplication application = attempt.application();
        Schedulable schedulable = application.schedulable();
        Schedulable first = partition.leftToHeartbeats();
        if (first != null && engine.exceeds(schedulable, ask.size(), first)) {
            return false;
        }
        TakenAhead ahead = application.takenAhead();
        double share = partition.share(ask.size());
        ahead.update(share, partition.shareOf(schedulable), index.heartbeatMillis(), context.nowMillis());
        boolean admitted = ahead.admits(share, schedulable.pending());
        if (!admitted) {
            partition.leaveToHeartbeats(schedulable);
        }
        return admitted;
    }

    /** On the best of the nodes that an ask names. */
    private Result onNamed(
            HeddleAttempt attempt, Ask ask, IndexedPartition partition, Map<String, ResourceRequest> places) {
        IndexedNode best = null;
        for (ResourceRequest place : places.values()) {
            if (place.getNumContainers() > 0) {
                best = better(best, place.getResourceName(), ask.size(), partition);
            }
        }
        if (best == null) {
            return Result.REFUSED;
        }
        Result result = test(attempt, ask, best, true);
        return result == Result.REFUSED ? onEachNamed(attempt, ask, partition, places, best) : result;
    }

    private @Nullable IndexedNode better(
            @Nullable IndexedNode than, String name, ContainerSize size, IndexedPartition partition) {
        IndexedNode best = than;
        for (IndexedNode named : index.named(name)) {
            if (named.partition == partition && named.fits(size) && (best == null || isBetter(named, best))) {
                best = named;
            }
        }
        return best;
    }

    private boolean isBetter(IndexedNode a, IndexedNode b) {
        int byLoad = Double.compare(a.load(), b.load());
        return spec.rules().allocation().nodeChoice() == NodeChoice.PACK ? byLoad > 0 : byLoad < 0;
    }

    /** On any of the nodes that an ask names, in no order, after the best one has been refused. */
    private Result onEachNamed(
            HeddleAttempt attempt,
            Ask ask,
            IndexedPartition partition,
            Map<String, ResourceRequest> places,
            @Nullable IndexedNode refused) {
        int tested = 0;
        for (ResourceRequest place : places.values()) {
            if (place.getNumContainers() <= 0) {
                continue;
            }
            for (IndexedNode named : index.named(place.getResourceName())) {
                if (named != refused && named.partition == partition && named.fits(ask.size())) {
                    Result result = test(attempt, ask, named, true);
                    if (result == Result.PLACED || result == Result.NOWHERE) {
                        return result;
                    }
                    if (++tested == MOST_CANDIDATES) {
                        return Result.REFUSED;
                    }
                }
            }
        }
        return Result.REFUSED;
    }

    /** The same for an ask that names many nodes: looks among the nodes with room first, because these may be few. */
    private Result onNamedOfMany(
            HeddleAttempt attempt, Ask ask, IndexedPartition partition, Map<String, ResourceRequest> places) {
        boolean pack = spec.rules().allocation().nodeChoice() == NodeChoice.PACK;
        RoomIndex<IndexedNode> all = partition.all();
        int handle = all.first(ask.size(), pack);
        for (int i = 0; i < MOST_CANDIDATES; i++) {
            if (handle == RoomIndex.NONE) {
                return Result.REFUSED;
            }
            IndexedNode node = all.item(handle);
            int next = all.next(handle, ask.size(), pack);
            ResourceRequest place = places.get(node.node.getNodeName());
            if (place != null && place.getNumContainers() > 0) {
                Result result = test(attempt, ask, node, true);
                if (result == Result.PLACED || result == Result.NOWHERE) {
                    return result;
                }
            }
            handle = next;
        }
        return onEachNamed(attempt, ask, partition, places, null);
    }

    private Result onRacks(
            HeddleAttempt attempt, Ask ask, IndexedPartition partition, Map<String, ResourceRequest> places) {
        for (Map.Entry<String, RoomIndex<IndexedNode>> rack : partition.racks().entrySet()) {
            ResourceRequest place = places.get(rack.getKey());
            if (place != null && place.getNumContainers() > 0) {
                Result result = onAny(attempt, ask, rack.getValue(), Map.of());
                if (result == Result.PLACED || result == Result.NOWHERE) {
                    return result;
                }
            }
        }
        return Result.REFUSED;
    }

    /**
     * On the first node of an index that may be used.
     *
     * @param places nodes on racks among these have been tested
     */
    private Result onAny(
            HeddleAttempt attempt, Ask ask, RoomIndex<IndexedNode> among, Map<String, ResourceRequest> places) {
        NodeChoice choice = spec.rules().allocation().nodeChoice();
        boolean pack = choice == NodeChoice.PACK;
        if (choice == NodeChoice.RANDOM) {
            int drawn = among.anyOf(DRAWS, ask.size());
            if (drawn != RoomIndex.NONE && test(attempt, ask, among.item(drawn), false) == Result.PLACED) {
                return Result.PLACED;
            }
        }
        int handle = among.first(ask.size(), pack);
        for (int i = 0; i < MOST_CANDIDATES && handle != RoomIndex.NONE; i++) {
            IndexedNode node = among.item(handle);
            int next = among.next(handle, ask.size(), pack);
            Result result = test(attempt, ask, node, false);
            boolean onNamedRack = places.containsKey(node.node.getRackName());
            if (result != Result.REFUSED && !(result == Result.NOT_HERE && onNamedRack)) {
                return result;
            }
            handle = next;
        }
        return Result.REFUSED;
    }

    private Result test(HeddleAttempt attempt, Ask ask, IndexedNode candidate, boolean named) {
        tests++;
        if (!candidate.isUsable(spec, context.nowMillis(), silenceMillis)) {
            candidate.hide();
            return Result.REFUSED;
        }
        Verdict verdict = allocator.placeAhead(attempt, ask, candidate.node, candidate.free(), context);
        if (!(verdict instanceof Veto veto)) {
            candidate.placed(ask.size());
            attempt.application().takenAhead().take(candidate.partition.share(ask.size()));
            return Result.PLACED;
        }
        waited |= veto == Veto.LOCALITY;
        return switch (veto) {
            case OVER_LIMIT, LABEL_LIMIT, MASTERS_SHARE, WITHDRAWN -> Result.NOWHERE;
            case LOCALITY, OTHER_PLACES -> named ? Result.REFUSED : Result.NOT_HERE;
            default -> Result.REFUSED;
        };
    }
}
