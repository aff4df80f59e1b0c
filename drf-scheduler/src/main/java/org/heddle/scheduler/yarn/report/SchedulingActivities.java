// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.report;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.activities.ActivitiesLogger;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.activities.ActivitiesManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.activities.ActivityDiagnosticConstant;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.activities.ActivityLevel;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.activities.ActivityState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.activities.AllocationState;
import org.heddle.scheduler.yarn.app.Ask;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.app.Veto;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;

/**
 * Scheduler activities for YARN's REST ({@code /ws/v1/cluster/scheduler/activities}, {@code bulk-activities} and {@code
 * app-activities}), as under CapacityScheduler: what a node's heartbeat placed, and for each ask that it did not place,
 * why not. Recorded only while somebody asks for it. Texts are CapacityScheduler's where they mean the same. Its own
 * methods are called under the scheduler's lock; those of the base class, by REST, are not.
 */
public final class SchedulingActivities extends ActivitiesManager {
    /** Asks that one recording tests at most, so that it takes milliseconds. */
    private static final int MOST_ASKS = 5_000;

    private static final String NO_DIAGNOSTIC = ActivityDiagnosticConstant.EMPTY;

    private final QueueTree queues;
    private final Explainer explainer;
    private final Function<ApplicationId, @Nullable HeddleAttempt> attempts;
    private final Function<NodeId, @Nullable HeddleNode> nodes;
    private final Clocks clocks;
    /** Until when applications are followed, by the monotonic clock. */
    private final Map<ApplicationId, Long> followed = new ConcurrentHashMap<>();

    private @Nullable HeddleNode recorded;
    private Set<ContainerId> held = Set.of();
    private @Nullable RMContainer reserved;
    private int tested;

    /** @param attempts the current attempt of an application */
    public SchedulingActivities(
            RMContext context,
            QueueTree queues,
            Explainer explainer,
            Function<ApplicationId, @Nullable HeddleAttempt> attempts,
            Function<NodeId, @Nullable HeddleNode> nodes,
            Clocks clocks) {
        super(context);
        this.queues = queues;
        this.explainer = explainer;
        this.attempts = attempts;
        this.nodes = nodes;
        this.clocks = clocks;
    }

    @Override
    public void turnOnAppActivitiesRecording(ApplicationId application, double seconds) {
        super.turnOnAppActivitiesRecording(application, seconds);
        followed.put(application, clocks.millis() + (long) (seconds * 1000));
    }

    // ---- heartbeats ----

    /** Before a node's resources are offered. */
    public void beforeOffer(HeddleNode node) {
        ActivitiesLogger.NODE.startNodeUpdateRecording(this, node.getNodeID());
        // The base class turns its collector on when it records the node.
        boolean wanted = getOptionalDiagnosticsCollector().isPresent();
        recorded = wanted ? node : null;
        if (wanted || !followed.isEmpty()) {
            held = idsOf(node.getCopiedListOfRunningContainers());
            reserved = node.getReservedContainer();
        }
    }

    /**
     * After a node's resources were offered.
     *
     */
    public void afterOffer(HeddleNode node) {
        if (recorded == null && followed.isEmpty()) {
            return;
        }
        long now = clocks.millis();
        followed.values().removeIf(until -> until < now);
        for (RMContainer container : node.getCopiedListOfRunningContainers()) {
            if (!held.contains(container.getContainerId())) {
                placed(node, container, ActivityState.ALLOCATED, AllocationState.ALLOCATED);
            }
        }
        RMContainer reservation = node.getReservedContainer();
        if (reservation != null && reservation != reserved) {
            placed(node, reservation, ActivityState.RESERVED, AllocationState.RESERVED);
        }
        explainer.begin();
        tested = 0;
        if (recorded == null) {
            followed.keySet().forEach(id -> notPlaced(node, attempts.apply(id), now));
        } else {
            notPlaced(node, now);
        }
        ActivitiesLogger.NODE.finishNodeUpdateRecording(this, node.getNodeID(), node.getPartition());
        recorded = null;
    }

    /** Runs a pass that may place containers on all nodes, and records those of applications that REST follows. */
    public void during(Runnable pass) {
        if (followed.isEmpty()) {
            pass.run();
            return;
        }
        Map<HeddleAttempt, Set<ContainerId>> before = new HashMap<>();
        followed.keySet().stream()
                .map(attempts)
                .filter(Objects::nonNull)
                .forEach(attempt -> before.put(attempt, idsOf(attempt.getLiveContainers())));
        pass.run();
        before.forEach((attempt, ids) -> attempt.getLiveContainers().stream()
                .filter(container -> !ids.contains(container.getContainerId()))
                .forEach(this::placedAnywhere));
    }

    private void placedAnywhere(RMContainer container) {
        HeddleNode node = nodes.apply(container.getAllocatedNode());
        if (node != null) {
            placed(node, container, ActivityState.ALLOCATED, AllocationState.ALLOCATED);
        }
    }

    private static Set<ContainerId> idsOf(Collection<RMContainer> containers) {
        return containers.stream().map(RMContainer::getContainerId).collect(Collectors.toSet());
    }

    // ---- what is recorded ----

    private void placed(HeddleNode node, RMContainer container, ActivityState state, AllocationState allocation) {
        HeddleAttempt attempt =
                attempts.apply(container.getApplicationAttemptId().getApplicationId());
        if (attempt == null) {
            return;
        }
        ContainerId id = container.getContainerId();
        follow(node, attempt);
        ActivitiesLogger.APP.recordAppActivityWithAllocation(this, node, attempt, container, state);
        recordPath(node, attempt.application().leaf(), ActivityState.ACCEPTED);
        ActivitiesLogger.NODE.finishAllocatedNodeAllocation(this, node, id, allocation);
        ActivitiesLogger.APP.finishAllocatedAppAllocationRecording(
                this, attempt.getApplicationId(), id, state, NO_DIAGNOSTIC);
    }

    /**
     * A tree for each application that still asks, because the base class takes requests of two applications with the
     * same priority in one tree for the same; one tree of queues if none asks.
     */
    private void notPlaced(HeddleNode node, long nowMillis) {
        boolean any = false;
        for (HeddleApplication application : HeddleApplication.of(queues.root())) {
            HeddleAttempt attempt = application.getCurrentAppAttempt();
            if (notPlaced(node, attempt, nowMillis)) {
                any = true;
                recordPath(node, application.leaf(), ActivityState.SKIPPED);
                ActivitiesLogger.NODE.finishSkippedNodeAllocation(this, node);
            }
        }
        if (!any) {
            recordIdle(node, queues.root());
            ActivitiesLogger.NODE.finishSkippedNodeAllocation(this, node);
        }
    }

    /** Returns whether the application asks for anything. */
    private boolean notPlaced(HeddleNode node, @Nullable HeddleAttempt attempt, long nowMillis) {
        if (attempt == null || tested >= MOST_ASKS) {
            return false;
        }
        follow(node, attempt);
        List<Ask> asks = List.copyOf(attempt.asks());
        for (Ask ask : asks) {
            tested++;
            Veto everywhere = explainer.testApplication(attempt, ask);
            Veto here = everywhere == null ? explainer.test(attempt, ask, node, nowMillis) : everywhere;
            // With a level, the base class records those above it.
            ActivitiesLogger.APP.recordAppActivityWithoutAllocation(
                    this,
                    node,
                    attempt,
                    ask.key(),
                    words(here),
                    ActivityState.SKIPPED,
                    everywhere == null ? ActivityLevel.NODE : ActivityLevel.REQUEST);
        }
        ActivitiesLogger.APP.finishSkippedAppAllocationRecording(
                this,
                attempt.getApplicationId(),
                ActivityState.SKIPPED,
                asks.isEmpty() ? noAsks(attempt) : NO_DIAGNOSTIC);
        return !asks.isEmpty();
    }

    private static String noAsks(HeddleAttempt attempt) {
        if (attempt.application().isRunnable()) {
            return ActivityDiagnosticConstant.APPLICATION_DO_NOT_NEED_RESOURCE;
        }
        return "Application waits until fewer applications of its queue or user run";
    }

    private void follow(HeddleNode node, HeddleAttempt attempt) {
        if (followed.containsKey(attempt.getApplicationId())) {
            ActivitiesLogger.APP.startAppAllocationRecording(this, node, clocks.date(), attempt);
        }
    }

    private void recordPath(HeddleNode node, HeddleQueue leaf, ActivityState state) {
        for (HeddleQueue queue = leaf; queue != null; queue = queue.parent()) {
            record(node, queue, state, NO_DIAGNOSTIC);
        }
    }

    /** Children before their parent, as the base class wants it. */
    private void recordIdle(HeddleNode node, HeddleQueue queue) {
        queue.children().forEach(child -> recordIdle(node, child));
        record(node, queue, ActivityState.SKIPPED, ActivityDiagnosticConstant.QUEUE_DO_NOT_NEED_MORE_RESOURCE);
    }

    private void record(HeddleNode node, HeddleQueue queue, ActivityState state, String diagnostic) {
        HeddleQueue parent = queue.parent();
        ActivitiesLogger.QUEUE.recordQueueActivity(
                this, node, parent == null ? "" : parent.getQueueName(), queue.getQueueName(), state, diagnostic);
    }

    private static String words(@Nullable Veto veto) {
        if (veto == null) {
            return "Node has room, but other requests come first, or it got as many containers in this heartbeat as it may";
        }
        return switch (veto) {
            case OVER_LIMIT -> "Queue, user or application would exceed its maximum resources";
            case MASTERS_SHARE -> "ApplicationMasters of the queue have reached their maximum share";
            case NOT_RUNNING -> "Node is being decommissioned";
            case BLACKLISTED -> ActivityDiagnosticConstant.NODE_IS_BLACKLISTED;
            case LABEL -> ActivityDiagnosticConstant.NODE_DO_NOT_MATCH_PARTITION_OR_PLACEMENT_CONSTRAINTS;
            case LABEL_LIMIT -> "Queue would exceed its maximum resources on nodes with this label";
            case TOO_LARGE -> ActivityDiagnosticConstant.NODE_TOTAL_RESOURCE_INSUFFICIENT_FOR_REQUEST;
            case RESERVED -> ActivityDiagnosticConstant.NODE_HAS_BEEN_RESERVED;
            case INSUFFICIENT_RESOURCES -> ActivityDiagnosticConstant.NODE_DO_NOT_HAVE_SUFFICIENT_RESOURCE;
            case WITHDRAWN -> ActivityDiagnosticConstant.REQUEST_DO_NOT_NEED_RESOURCE;
            case MINIMUM_OFFER -> "Node keeps its room together until a larger request fits (minimum-offer)";
            case LOCALITY, OTHER_PLACES -> ActivityDiagnosticConstant.NODE_SKIPPED_BECAUSE_OF_OFF_SWITCH_DELAY;
        };
    }
}
