// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.hadoop.net.NodeBase;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.UpdatedContainerInfo;

/** A node as the ResourceManager sees it; the driver sets the content of its heartbeats. */
final class DrivenNode extends RMNodeImpl {
    private static final int RACK = 40;

    private final List<Container> begun = new ArrayList<>();
    private final List<Container> running = new ArrayList<>();
    private List<UpdatedContainerInfo> report = List.of();

    DrivenNode(RMContext context, int number, Resource size) {
        super(
                NodeId.newInstance(host(number), 1234),
                context,
                host(number),
                1234,
                5678,
                new NodeBase(host(number), rack(number)),
                size,
                "benchmark");
    }

    /** An address, lest every container's token look a name up. */
    static String host(int number) {
        return "127.4." + number / 200 + "." + (1 + number % 200);
    }

    static String rack(int number) {
        return "/rack" + number / RACK;
    }

    /** A master has fetched a container here, and starts it. */
    void start(Container container) {
        begun.add(container);
    }

    /**
     * What the next heartbeat says: all that was started runs, and some of what ran has ended.
     *
     * @return what has ended
     */
    List<Container> prepare(int churn, RandomGenerator random) {
        List<ContainerStatus> launched = new ArrayList<>();
        List<ContainerStatus> completed = new ArrayList<>();
        List<Container> ended = new ArrayList<>();
        for (int i = 0; i < churn && !running.isEmpty(); i++) {
            int last = running.size() - 1;
            Container container = running.set(random.nextInt(running.size()), running.get(last));
            running.remove(last);
            ended.add(container);
            completed.add(status(container.getId(), ContainerState.COMPLETE));
        }
        for (Container container : begun) {
            launched.add(status(container.getId(), ContainerState.RUNNING));
            running.add(container);
        }
        begun.clear();
        report = List.of(new UpdatedContainerInfo(launched, completed, List.of()));
        return ended;
    }

    private static ContainerStatus status(ContainerId id, ContainerState state) {
        return ContainerStatus.newInstance(id, state, "", 0);
    }

    @Override
    public NodeState getState() {
        return NodeState.RUNNING;
    }

    @Override
    public List<UpdatedContainerInfo> pullContainerUpdates() {
        List<UpdatedContainerInfo> now = report;
        report = List.of();
        return now;
    }
}
