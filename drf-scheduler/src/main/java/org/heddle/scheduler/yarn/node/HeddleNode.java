// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.model.Vectors;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.jspecify.annotations.Nullable;

/**
 * A node with its reservation and its promises. It extends the node of CapacityScheduler because the ResourceManager's
 * REST for scheduler activities casts to that class; what that class keeps about killable containers is not used.
 */
public final class HeddleNode extends FiCaSchedulerNode {
    private @Nullable HeddleAttempt reservedFor;
    private boolean marked;
    private final List<PromisedResources> promises = new ArrayList<>();
    /**
     * Concurrent: a master that releases a container of its own ends one that was demoted without the scheduler's lock.
     */
    private final Map<ContainerId, Long> starts = new ConcurrentHashMap<>();

    private final Map<ContainerId, long[]> stuck = new HashMap<>();
    private long[] withoutStuck = {};
    private volatile @Nullable Runnable watcher;

    public HeddleNode(RMNode node, boolean usePortForNodeName) {
        super(node, usePortForNodeName, node.getNodeLabels());
    }

    // ---- what is free ----

    /**
     * Sets what is called when free resources, the reservation or the promises of the node change, by any thread; null
     * for nothing.
     */
    public void watch(@Nullable Runnable newWatcher) {
        watcher = newWatcher;
    }

    private void changed() {
        Runnable told = watcher;
        if (told != null) {
            told.run();
        }
    }

    @Override
    public synchronized void updateTotalResource(Resource resource) {
        super.updateTotalResource(resource);
        changed();
    }

    @Override
    public synchronized void deductUnallocatedResource(Resource resource) {
        super.deductUnallocatedResource(resource);
        changed();
    }

    @Override
    protected synchronized void updateResourceForReleasedContainer(Container container) {
        super.updateResourceForReleasedContainer(container);
        changed();
    }

    // ---- reservation and promises ----

    @Override
    public synchronized void reserveResource(
            SchedulerApplicationAttempt attempt, SchedulerRequestKey schedulerKey, RMContainer container) {
        RMContainer present = getReservedContainer();
        if (present != null && !present.getApplicationAttemptId().equals(container.getApplicationAttemptId())) {
            throw new IllegalStateException("node " + getNodeID() + " is reserved for "
                    + present.getApplicationAttemptId() + ", not for " + container.getApplicationAttemptId());
        }
        setReservedContainer(container);
        reservedFor = (HeddleAttempt) attempt;
        changed();
    }

    @Override
    public synchronized void unreserveResource(SchedulerApplicationAttempt attempt) {
        if (reservedFor != null && !reservedFor.equals(attempt)) {
            throw new IllegalStateException("node " + getNodeID() + " is reserved for "
                    + reservedFor.getApplicationAttemptId() + ", not for " + attempt.getApplicationAttemptId());
        }
        setReservedContainer(null);
        reservedFor = null;
        changed();
    }

    /** The attempt for which the node is reserved; null if none. */
    @Nullable
    public HeddleAttempt reservedFor() {
        return reservedFor;
    }

    /** Whether containers here are marked for preemption and their ApplicationMasters were told. */
    public boolean isMarked() {
        return marked;
    }

    public void setMarked(boolean now) {
        marked = now;
    }

    /** The promises on this node, in order: resources that preemption frees for asks. */
    public List<PromisedResources> promises() {
        return Collections.unmodifiableList(promises);
    }

    public void promise(PromisedResources room) {
        promises.add(room);
        changed();
    }

    public void withdraw(PromisedResources room) {
        promises.remove(room);
        changed();
    }

    /** Whether the node is reserved, or a promise keeps resources on it, for any ask. */
    public boolean isKept() {
        return getReservedContainer() != null || promises.stream().anyMatch(PromisedResources::holdsNode);
    }

    /**
     * Whether the node is reserved, or promises keep resources on it, only for other asks. Called in every heartbeat.
     */
    boolean isKeptForOthers(HeddleAttempt attempt, SchedulerRequestKey key) {
        if (getReservedContainer() != null && !isReservedFor(attempt, key)) {
            return true;
        }
        boolean kept = false;
        for (int i = 0; i < promises.size(); i++) {
            PromisedResources room = promises.get(i);
            if (room.holdsNode()) {
                if (room.attempt().equals(attempt) && room.key().equals(key)) {
                    return false;
                }
                kept = true;
            }
        }
        return kept;
    }

    /**
     * Subtracts earlier promises to other asks from the free resources.
     *
     * @return whether there is a promise to the ask; if not, the array is unchanged
     */
    public boolean takeEarlierPromises(HeddleAttempt attempt, SchedulerRequestKey key, long[] free) {
        List<PromisedResources> earlier = new ArrayList<>();
        for (PromisedResources room : promises) {
            if (room.holdsNode() && room.attempt().equals(attempt) && room.key().equals(key)) {
                earlier.forEach(first -> Vectors.add(free, first.size().need(), -first.left()));
                return true;
            }
            if (room.holdsNode()) {
                earlier.add(room);
            }
        }
        return false;
    }

    public boolean isReservedFor(HeddleAttempt attempt, SchedulerRequestKey key) {
        RMContainer reserved = getReservedContainer();
        return reserved != null && attempt.equals(reservedFor) && key.equals(reserved.getReservedSchedulerKey());
    }

    // ---- lifetimes ----

    /**
     * Hadoop calls this for every container that ends, also for those that were demoted, of which the scheduler does
     * not hear.
     */
    @Override
    public synchronized void releaseContainer(ContainerId id, boolean byNode) {
        super.releaseContainer(id, byNode);
        starts.remove(id);
    }

    /** A container was allocated here. */
    void started(ContainerId id, long nowMillis) {
        starts.put(id, nowMillis);
    }

    /** How long a container lived that ends now, in milliseconds; -1 if it is not known. */
    long ended(ContainerId id, long nowMillis) {
        Long start = starts.remove(id);
        return start == null ? -1 : nowMillis - start;
    }

    /** How long a container has run here, in milliseconds; 0 if it is not known. */
    public long ageMillis(ContainerId id, long nowMillis) {
        return nowMillis - starts.getOrDefault(id, nowMillis);
    }

    /**
     * Sets the containers that did not end while the node was reserved.
     *
     * @param size per resource
     * @param total of the node, per resource
     */
    void setStuck(List<RMContainer> containers, Function<RMContainer, long[]> size, long[] total) {
        stuck.clear();
        containers.forEach(container -> stuck.put(container.getContainerId(), size.apply(container)));
        withoutStuck = total;
    }

    /** Whether a size fits beside those of them that run still. */
    boolean canBecomeFree(ContainerSize size) {
        if (stuck.isEmpty()) {
            return true;
        }
        stuck.keySet().retainAll(starts.keySet());
        long[] room = withoutStuck.clone();
        stuck.values().forEach(used -> Vectors.add(room, used, -1));
        return size.fits(room);
    }
}
