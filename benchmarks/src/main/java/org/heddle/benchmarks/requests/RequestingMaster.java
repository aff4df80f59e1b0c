// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.requests;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.heddle.testkit.UnmanagedApplication;

/**
 * An application whose ApplicationMaster is this process, with Hadoop's own client. It launches nothing in its
 * containers, and gives each back after two seconds. For one thread.
 */
final class RequestingMaster implements AutoCloseable {
    private static final Priority PRIORITY = Priority.newInstance(1);
    private static final Resource CONTAINER = Resource.newInstance(1024, 1);
    private static final long HELD_NANOS = Duration.ofSeconds(2).toNanos();

    /**
     * How a request was served.
     *
     * @param waited from the call with the request to the end of the call that returned its container, or until now
     * @param isGiven whether it has its container
     * @param isInSameAnswer whether the call with the request returned it
     * @param isLocal whether it is on the node that the request prefers
     */
    record Answer(Duration waited, boolean isGiven, boolean isInSameAnswer, boolean isLocal) {}

    private record Waiting(ContainerRequest request, String node, long sinceNanos) {}

    private record Held(ContainerId container, long endNanos) {}

    private final YarnClient yarn;
    private final AMRMClient<ContainerRequest> manager;
    private final List<String> nodes;
    private final SplittableRandom random;
    private final Map<Long, Waiting> waiting = new LinkedHashMap<>();
    private final Deque<Held> held = new ArrayDeque<>();
    private final List<Answer> given = new ArrayList<>();
    private long countedFromNanos = System.nanoTime();
    private long requested;

    private RequestingMaster(
            YarnClient yarn, AMRMClient<ContainerRequest> manager, List<String> nodes, SplittableRandom random) {
        this.yarn = yarn;
        this.manager = manager;
        this.nodes = nodes;
        this.random = random;
    }

    /**
     * Submits the application and registers its master.
     *
     * @param random chooses the nodes that requests prefer
     */
    static RequestingMaster start(Configuration conf, String queue, SplittableRandom random)
            throws IOException, YarnException {
        YarnClient yarn = YarnClient.createYarnClient();
        yarn.init(conf);
        yarn.start();
        ApplicationId id = UnmanagedApplication.submit(yarn, "requests", queue, submission -> {});
        UserGroupInformation.getCurrentUser().addToken(UnmanagedApplication.awaitToken(yarn, id));
        AMRMClient<ContainerRequest> manager = AMRMClient.createAMRMClient();
        manager.init(conf);
        manager.start();
        manager.registerApplicationMaster("", 0, "");
        List<String> nodes = new ArrayList<>();
        for (NodeReport node : yarn.getNodeReports(NodeState.RUNNING)) {
            nodes.add(node.getNodeId().getHost());
        }
        return new RequestingMaster(yarn, manager, nodes, random);
    }

    /**
     * A call to the ResourceManager, unless nothing is waited for or to be given back.
     *
     * @param requests whether it requests one more container, preferably on a random node
     */
    void call(boolean requests) throws IOException, YarnException {
        long began = System.nanoTime();
        if (requests) {
            request(began);
        }
        boolean gives = false;
        for (Held first = held.peek(); first != null && first.endNanos <= began; first = held.peek()) {
            manager.releaseAssignedContainer(first.container);
            held.remove();
            gives = true;
        }
        if (waiting.isEmpty() && !gives) {
            return;
        }
        AllocateResponse response = manager.allocate(0.5f);
        long ended = System.nanoTime();
        for (Container container : response.getAllocatedContainers()) {
            take(container, began, ended);
        }
    }

    private void request(long now) {
        String node = nodes.get(random.nextInt(nodes.size()));
        ContainerRequest request = ContainerRequest.newBuilder()
                .capability(CONTAINER)
                .priority(PRIORITY)
                .nodes(new String[] {node})
                .allocationRequestId(++requested)
                .build();
        manager.addContainerRequest(request);
        waiting.put(requested, new Waiting(request, node, now));
    }

    private void take(Container container, long began, long ended) {
        held.add(new Held(container.getId(), ended + HELD_NANOS));
        Waiting served = waiting.remove(container.getAllocationRequestId());
        if (served == null) {
            return; // more than was requested: given back like the others
        }
        manager.removeContainerRequest(served.request);
        if (served.sinceNanos >= countedFromNanos) {
            Duration waited = Duration.ofNanos(ended - served.sinceNanos);
            boolean isLocal = container.getNodeId().getHost().equals(served.node);
            given.add(new Answer(waited, true, served.sinceNanos == began, isLocal));
        }
    }

    /** From now on, only requests that are made later count. */
    void countFromNow() {
        given.clear();
        countedFromNanos = System.nanoTime();
    }

    /** How the requests that count were served; those that still wait have waited until now. */
    List<Answer> answers() {
        long now = System.nanoTime();
        List<Answer> all = new ArrayList<>(given);
        for (Waiting one : waiting.values()) {
            if (one.sinceNanos >= countedFromNanos) {
                all.add(new Answer(Duration.ofNanos(now - one.sinceNanos), false, false, false));
            }
        }
        return all;
    }

    @Override
    public void close() throws IOException, YarnException {
        try (yarn;
                manager) {
            manager.unregisterApplicationMaster(FinalApplicationStatus.SUCCEEDED, "", "");
        }
    }
}
