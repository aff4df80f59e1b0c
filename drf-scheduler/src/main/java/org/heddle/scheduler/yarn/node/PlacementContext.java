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
 * The conditions under which {@link Feasibility} tests asks on one node after another: delays, labels, free resources.
 * One instance serves all nodes, so a heartbeat creates no object for it. Guarded by the scheduler's lock.
 */
public final class PlacementContext {
    private static final SchedulingDelays NO_DELAYS = new SchedulingDelays(0, 0, true, 0, 0, 0);

    private SchedulingDelays delays = NO_DELAYS;
    private DelayScheduling.@Nullable Skips skips;
    private long nowMillis;
    private SchedulingMode mode = SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY;
    private boolean mastersAllowed;
    private boolean nodeTested;
    private boolean promised;
    private boolean onlyLooks;
    private boolean rest;
    private long @Nullable [] free;
    private NodeType nearness = NodeType.OFF_SWITCH;

    /**
     * Begins the tests on a node with the configuration in force. Free resources do not count until {@link #free}.
     *
     * @param nodes number of nodes of the cluster
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
        rest = false;
        free = null;
        return this;
    }

    /** Begins the tests on a node for an ask with a promise: no delay applies, because it has waited long enough. */
    public PlacementContext beginPromise(long now) {
        delays = NO_DELAYS;
        skips = null;
        nowMillis = now;
        mode = SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY;
        mastersAllowed = true;
        nodeTested = true;
        promised = true;
        rest = false;
        free = null;
        return this;
    }

    /** From now on tests only asks for nodes without a label, for the idle rest of a shared partition. */
    public PlacementContext sharedRest() {
        mastersAllowed = false;
        mode = SchedulingMode.IGNORE_PARTITION_EXCLUSIVITY;
        rest = false;
        return this;
    }

    /**
     * From now on tests what is left after the asks that are on their nodes: an ask waits for its nodes only while one of
     * them has room.
     */
    public PlacementContext rest() {
        rest = !delays.strict();
        return this;
    }

    /** From now on free resources count; the caller may reduce the array as containers are placed. */
    public PlacementContext free(long[] room) {
        free = room;
        return this;
    }

    /** The tests that concern only the node are done. */
    PlacementContext nodeTested() {
        nodeTested = true;
        return this;
    }

    /** The tests change nothing: no delay begins and no node counts as passed over. */
    public PlacementContext onlyLooks() {
        return onlyLooks(true);
    }

    PlacementContext onlyLooks(boolean looks) {
        onlyLooks = looks;
        return this;
    }

    /** An ApplicationMaster has been placed: no other one may follow in this heartbeat. */
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

    /** Whether a promise keeps resources on the node for the ask. */
    boolean isPromised() {
        return promised;
    }

    boolean isRest() {
        return rest;
    }

    boolean isOnlyLooking() {
        return onlyLooks;
    }

    public long @Nullable [] free() {
        return free;
    }

    /** The locality of the last ask without a veto. */
    NodeType nearness() {
        return nearness;
    }

    void setNearness(NodeType found) {
        nearness = found;
    }
}
