// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.heddle.scheduler.model.ClusterRules;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.model.SchedulingDelays;
import org.heddle.scheduler.yarn.app.DelayScheduling;
import org.jspecify.annotations.Nullable;

/**
 * The circumstances under which {@link Feasibility} tests asks on one node after another: delays, labels, free room.
 * One instance serves all nodes, so that a heartbeat allocates nothing for it. Guarded by the scheduler's lock.
 */
public final class PlacementContext {
    private static final SchedulingDelays NO_DELAYS = new SchedulingDelays(0, 0, 0, 0, 0);

    private SchedulingDelays delays = NO_DELAYS;
    private DelayScheduling.@Nullable Skips skips;
    private long nowMillis;
    private SchedulingMode mode = SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY;
    private boolean mastersAllowed;
    private boolean nodeTested;
    private boolean promised;
    private boolean onlyLooks;
    private long @Nullable [] free;
    private NodeType nearness = NodeType.OFF_SWITCH;

    /**
     * A node is looked at under the configuration in force. How much is free on it does not count until {@link #free}.
     *
     * @param nodes how many nodes the cluster has
     */
    public PlacementContext begin(SchedulerSpec spec, int nodes, long now) {
        ClusterRules rules = spec.rules();
        delays = spec.schedulingDelays();
        skips = rules.countsSkips()
                ? new DelayScheduling.Skips(nodes * rules.nodeSkips(), nodes * rules.rackSkips())
                : null;
        nowMillis = now;
        mode = SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY;
        mastersAllowed = true;
        nodeTested = false;
        promised = false;
        free = null;
        return this;
    }

    /** A node is looked at for an ask that room is made for: it has waited long enough for a better place. */
    public PlacementContext beginPromise(long now) {
        delays = NO_DELAYS;
        skips = null;
        nowMillis = now;
        mode = SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY;
        mastersAllowed = true;
        nodeTested = true;
        promised = true;
        free = null;
        return this;
    }

    /** Only asks for nodes without a label are looked at from now on, for the idle rest of a shared partition. */
    public PlacementContext sharedRest() {
        mastersAllowed = false;
        mode = SchedulingMode.IGNORE_PARTITION_EXCLUSIVITY;
        return this;
    }

    /** Room counts from now on; the array may be counted down by what is placed. */
    public PlacementContext free(long[] room) {
        free = room;
        return this;
    }

    /** The questions that concern the node alone have been asked. */
    PlacementContext nodeTested() {
        nodeTested = true;
        return this;
    }

    /** No delay begins and no node counts as passed over because of what is tested. */
    public PlacementContext onlyLooks() {
        onlyLooks = true;
        return this;
    }

    /** An ApplicationMaster has been placed; the next one goes elsewhere. */
    void masterPlaced() {
        mastersAllowed = false;
    }

    SchedulingDelays delays() {
        return delays;
    }

    DelayScheduling.@Nullable Skips skips() {
        return skips;
    }

    long nowMillis() {
        return nowMillis;
    }

    SchedulingMode mode() {
        return mode;
    }

    boolean areMastersAllowed() {
        return mastersAllowed;
    }

    boolean isNodeTested() {
        return nodeTested;
    }

    /** Whether room on the node is kept for the ask. */
    boolean isPromised() {
        return promised;
    }

    boolean isOnlyLooking() {
        return onlyLooks;
    }

    public long @Nullable [] free() {
        return free;
    }

    /** How near to its place the ask that passed last would be. */
    NodeType nearness() {
        return nearness;
    }

    void setNearness(NodeType found) {
        nearness = found;
    }
}
