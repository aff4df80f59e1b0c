// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.UpdateContainerError;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMServerUtils;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.scheduler.OpportunisticContainerAllocator;
import org.apache.hadoop.yarn.server.scheduler.OpportunisticContainerContext;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * Increases, decreases and demotions of containers; corrects cases in which Hadoop ({@code ContainerUpdateContext})
 * would count them wrongly. Under the scheduler's lock.
 */
public final class ContainerChanges {
    private final Function<NodeId, ? extends SchedulerNode> nodes;

    public ContainerChanges(Function<NodeId, ? extends SchedulerNode> nodes) {
        this.nodes = nodes;
    }

    public static boolean isEmpty(ContainerUpdates updates) {
        return updates.getIncreaseRequests().isEmpty()
                && updates.getDecreaseRequests().isEmpty()
                && updates.getPromotionRequests().isEmpty()
                && updates.getDemotionRequests().isEmpty();
    }

    /**
     * Changes containers as their ApplicationMaster asks.
     *
     * @param update makes Hadoop do the change
     */
    public void change(HeddleAttempt attempt, ContainerUpdates updates, Runnable update) {
        if (!updates.getDemotionRequests().isEmpty()) {
            updates.getDemotionRequests().removeIf(request -> refusesDemotion(attempt, request));
            prepareDemotion(attempt);
        }
        resize(
                attempt,
                Stream.of(updates.getIncreaseRequests(), updates.getDecreaseRequests())
                        .flatMap(List::stream)
                        .map(UpdateContainerRequest::getContainerId)
                        .toList(),
                update);
    }

    /**
     * Resizes containers. When Hadoop cancels a pending increase, it adds the increase to the queue's metrics as if it
     * had been granted, and never subtracts it; this method subtracts it.
     *
     * @param resized the containers that are to grow or shrink
     * @param update makes Hadoop do the change
     */
    public void resize(HeddleAttempt attempt, List<ContainerId> resized, Runnable update) {
        List<Runnable> corrections = new ArrayList<>();
        for (ContainerId id : resized) {
            RMContainer container = attempt.getRMContainer(id);
            SchedulerNode node;
            if (container == null) {
                node = null;
            } else {
                node = nodes.apply(container.getContainer().getNodeId());
            }
            if (container != null && node != null) {
                PendingAsk ask = pendingIncrease(attempt, container);
                if (ask.getCount() > 0) {
                    Resource size = ask.getPerAllocationResource();
                    corrections.add(() -> attempt.getQueue()
                            .getMetrics()
                            .releaseResources(node.getPartition(), attempt.getUser(), 1, size));
                }
            }
        }
        update.run();
        corrections.forEach(Runnable::run);
        attempt.noteAsks();
    }

    /**
     * Refuses to demote a container with a pending increase, as Hadoop refuses other changes at the same time.
     * Otherwise Hadoop would carry out the increase after the demotion: the container would be guaranteed again, but
     * only the difference would be counted.
     */
    private static boolean refusesDemotion(HeddleAttempt attempt, UpdateContainerRequest request) {
        ContainerId id = request.getContainerId();
        RMContainer container = attempt.getRMContainer(id);
        boolean grows = container != null
                && (attempt.hasGrown(id) || pendingIncrease(attempt, container).getCount() > 0);
        if (grows) {
            attempt.refuse(UpdateContainerError.newInstance(RMServerUtils.UPDATE_OUTSTANDING_ERROR, request));
        }
        return grows;
    }

    /**
     * Asks again for granted changes that are revoked before the ApplicationMaster received them. Hadoop would report
     * them to the ApplicationMaster, and ask for another container instead. Under the attempt's lock.
     *
     * @param granted changes of one kind, by the container that they change
     * @param standIn the container that Hadoop created for the change
     */
    static void askAgain(HeddleAttempt attempt, Map<ContainerId, RMContainer> granted, RMContainer standIn) {
        for (Map.Entry<ContainerId, RMContainer> change : List.copyOf(granted.entrySet())) {
            ContainerRequest request = standIn.getContainerRequest();
            if (change.getValue() == standIn) {
                granted.remove(change.getKey());
                ((RMContainerImpl) standIn).setContainerRequest(null);
                if (request != null && !attempt.isStopped() && attempt.getRMContainer(change.getKey()) != null) {
                    Map<String, ResourceRequest> byPlace = new HashMap<>();
                    request.getResourceRequests().forEach(ask -> byPlace.put(ask.getResourceName(), ask));
                    attempt.getAppSchedulingInfo()
                            .updateResourceRequests(Map.of(standIn.getAllocatedSchedulerKey(), byPlace), true);
                    attempt.noteAsks();
                }
            }
        }
    }

    /** Hadoop takes the ids for demoted containers from a context which only its opportunistic allocator creates. */
    private static void prepareDemotion(HeddleAttempt attempt) {
        if (attempt.getOpportunisticContainerContext() == null) {
            OpportunisticContainerContext context = new OpportunisticContainerContext();
            context.setContainerIdGenerator(new OpportunisticContainerAllocator.ContainerIdGenerator() {
                @Override
                public long generateContainerId() {
                    return attempt.getNewContainerId();
                }
            });
            attempt.setOpportunisticContainerContext(context);
        }
    }

    /** The pending increase of a container: Hadoop stores it under a key with the container's id. */
    private static PendingAsk pendingIncrease(HeddleAttempt attempt, RMContainer container) {
        SchedulerRequestKey given = container.getAllocatedSchedulerKey();
        return attempt.getPendingAsk(
                new SchedulerRequestKey(
                        given.getPriority(), given.getAllocationRequestId(), container.getContainerId()),
                ResourceRequest.ANY);
    }
}
