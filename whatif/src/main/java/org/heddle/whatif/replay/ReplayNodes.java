// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.replay;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.heddle.whatif.driven.DrivenNode;
import org.heddle.whatif.model.Size;

/**
 * The nodes of the replay, and which of them have a heartbeat worth sending: those that report something, and, while
 * something is requested that fits, those with room, one after another, until enough in a row got nothing.
 */
final class ReplayNodes {
    /** So many heartbeats in a row that allocate nothing end the turn; the next turn goes on behind them. */
    private static final int FRUITLESS = 32;

    /** Sends a node's heartbeat to the scheduler. */
    @FunctionalInterface
    interface Sender {
        /** Returns whether anything was allocated. */
        boolean send(DrivenNode node);
    }

    private final List<DrivenNode> nodes = new ArrayList<>();
    private final Map<NodeId, Integer> numbers = new HashMap<>();
    private final Resource[] room;
    private final BitSet news = new BitSet();
    private final boolean all;
    private int turn;

    /** @param all whether every node sends every heartbeat while something is requested */
    ReplayNodes(List<Size> sizes, RMContext context, boolean all) {
        this.all = all;
        room = new Resource[sizes.size()];
        for (int i = 0; i < sizes.size(); i++) {
            Size size = sizes.get(i);
            room[i] = Resource.newInstance(size.memoryMb(), size.vcores());
            DrivenNode node = new DrivenNode(context, i, Resource.newInstance(size.memoryMb(), size.vcores()));
            nodes.add(node);
            numbers.put(node.getNodeID(), i);
        }
    }

    List<DrivenNode> all() {
        return nodes;
    }

    private int number(Container container) {
        return Objects.requireNonNull(numbers.get(container.getNodeId()));
    }

    /** A master starts a container. */
    void start(Container container) {
        int number = number(container);
        nodes.get(number).start(container);
        news.set(number);
        change(number, container, -1);
    }

    /** A container ends by itself: its node will report it. */
    void end(Container container) {
        int number = number(container);
        nodes.get(number).end(container.getId());
        news.set(number);
    }

    /**
     * The scheduler has taken a container off its books.
     *
     * @param killed whether it did not end by itself, so that its node still has to end it and to report that
     */
    void gone(Container container, boolean killed) {
        int number = number(container);
        if (killed) {
            nodes.get(number).kill(container.getId());
            news.set(number);
        }
        change(number, container, 1);
    }

    private void change(int number, Container container, int sign) {
        Resource left = room[number];
        Resource size = container.getResource();
        left.setMemorySize(left.getMemorySize() + sign * size.getMemorySize());
        left.setVirtualCores(left.getVirtualCores() + sign * size.getVirtualCores());
    }

    boolean hasNews() {
        return !news.isEmpty();
    }

    /**
     * The heartbeats of one interval.
     *
     * @param wanted the sizes of the containers that are requested
     * @param memoryOnly whether the scheduler counts memory alone
     */
    void heartbeats(Set<Size> wanted, boolean memoryOnly, Sender heartbeat) {
        BitSet heard = (BitSet) news.clone();
        news.clear();
        for (int i = heard.nextSetBit(0); i >= 0; i = heard.nextSetBit(i + 1)) {
            nodes.get(i).report();
            heartbeat.send(nodes.get(i));
        }
        int fruitless = 0;
        int begin = turn;
        for (int i = 0; i < nodes.size() && !wanted.isEmpty() && (all || fruitless < FRUITLESS); i++) {
            int number = (begin + i) % nodes.size();
            if (!heard.get(number) && (all || fits(wanted, room[number], memoryOnly))) {
                fruitless = heartbeat.send(nodes.get(number)) ? 0 : fruitless + 1;
            }
            turn = (number + 1) % nodes.size();
        }
    }

    private static boolean fits(Set<Size> wanted, Resource room, boolean memoryOnly) {
        for (Size size : wanted) {
            if (size.memoryMb() <= room.getMemorySize() && (memoryOnly || size.vcores() <= room.getVirtualCores())) {
                return true;
            }
        }
        return false;
    }
}
