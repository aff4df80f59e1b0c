// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.driven;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
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

/**
 * A node as the ResourceManager sees it; the driver sets the content of its heartbeats: either it names each container
 * that ends ({@link #end}, {@link #report}), or the node chooses among those that run ({@code prepare}).
 */
public final class DrivenNode extends RMNodeImpl {
    private static final int RACK = 40;

    private final List<Container> begun = new ArrayList<>();
    private final List<Container> running = new ArrayList<>();
    private final List<ContainerStatus> ended = new ArrayList<>();
    private List<UpdatedContainerInfo> report = List.of();

    public DrivenNode(RMContext context, int number, Resource size) {
        super(
                NodeId.newInstance(host(number), 1234),
                context,
                host(number),
                1234,
                5678,
                new NodeBase(host(number), rack(number)),
                size,
                "driven");
    }

    /** An address, lest every container's token look a name up. */
    public static String host(int number) {
        return "127.4." + number / 200 + "." + (1 + number % 200);
    }

    public static String rack(int number) {
        return "/rack" + number / RACK;
    }

    /** A master has fetched a container here, and starts it. */
    public synchronized void start(Container container) {
        begun.add(container);
    }

    /** A container ends by itself. */
    public synchronized void end(ContainerId container) {
        ended.add(status(container, ContainerState.COMPLETE));
    }

    /** The scheduler has ended a container: if it runs, the node ends it, and only then its resources are free. */
    public synchronized void kill(ContainerId container) {
        if (!begun.removeIf(one -> one.getId().equals(container))) {
            end(container);
        }
    }

    /** What the next heartbeat says: all that was started runs, and what ended has ended. */
    public synchronized void report() {
        List<ContainerStatus> launched = begun.stream()
                .map(container -> status(container.getId(), ContainerState.RUNNING))
                .toList();
        report = List.of(new UpdatedContainerInfo(launched, List.copyOf(ended), List.of()));
        begun.clear();
        ended.clear();
    }

    /**
     * What the next heartbeat says: all that was started runs, and some of what ran has ended.
     *
     * @param churn how many containers are drawn
     * @param mayEnd whether a container that is drawn ends; the others go on
     * @return what has ended
     */
    public synchronized List<Container> prepare(int churn, RandomGenerator random, Predicate<Container> mayEnd) {
        List<ContainerStatus> launched = new ArrayList<>();
        List<ContainerStatus> completed = new ArrayList<>();
        List<Container> chosen = new ArrayList<>();
        for (int i = 0; i < churn && !running.isEmpty(); i++) {
            int drawn = random.nextInt(running.size());
            Container container = running.get(drawn);
            if (!mayEnd.test(container)) {
                continue;
            }
            int last = running.size() - 1;
            running.set(drawn, running.get(last));
            running.remove(last);
            chosen.add(container);
            completed.add(status(container.getId(), ContainerState.COMPLETE));
        }
        for (Container container : begun) {
            launched.add(status(container.getId(), ContainerState.RUNNING));
            running.add(container);
        }
        begun.clear();
        report = List.of(new UpdatedContainerInfo(launched, completed, List.of()));
        return chosen;
    }

    /** The same, but those containers end that have ended by a clock. */
    public synchronized void prepare(Predicate<Container> hasEnded) {
        List<ContainerStatus> launched = new ArrayList<>();
        List<ContainerStatus> completed = new ArrayList<>();
        running.removeIf(container -> {
            boolean ends = hasEnded.test(container);
            if (ends) {
                completed.add(status(container.getId(), ContainerState.COMPLETE));
            }
            return ends;
        });
        for (Container container : begun) {
            launched.add(status(container.getId(), ContainerState.RUNNING));
            running.add(container);
        }
        begun.clear();
        List<UpdatedContainerInfo> all = new ArrayList<>(report); // not fetched yet, if the scheduler is late
        all.add(new UpdatedContainerInfo(launched, completed, List.of()));
        report = all;
    }

    private static ContainerStatus status(ContainerId id, ContainerState state) {
        return ContainerStatus.newInstance(id, state, "", 0);
    }

    @Override
    public NodeState getState() {
        return NodeState.RUNNING;
    }

    @Override
    public synchronized List<UpdatedContainerInfo> pullContainerUpdates() {
        List<UpdatedContainerInfo> now = report;
        report = List.of();
        return now;
    }
}
