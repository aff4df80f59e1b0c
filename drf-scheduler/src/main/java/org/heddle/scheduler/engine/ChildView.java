// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import org.heddle.scheduler.policy.SchedulableView;
import org.heddle.scheduler.policy.UsageMeter;
import org.jspecify.annotations.Nullable;

/** Hot: shows one child after another to the share orders without allocating. */
final class ChildView implements SchedulableView {
    private final long[] capacity;
    private Schedulable schedulable;

    @SuppressWarnings("NullAway.Init") // set before each use
    ChildView(long[] capacity) {
        this.capacity = capacity;
    }

    ChildView of(Schedulable shown) {
        schedulable = shown;
        return this;
    }

    @Override
    public int resources() {
        return capacity.length;
    }

    @Override
    public long usage(int resource) {
        return schedulable.usage[resource];
    }

    @Override
    public long capacity(int resource) {
        return capacity[resource];
    }

    @Override
    public double weight(int resource) {
        return schedulable.weight[resource];
    }

    @Override
    public double entitlement(int resource) {
        return schedulable.entitlement[resource];
    }

    @Override
    public double normalizedShare() {
        return schedulable.normalizedShare;
    }

    @Override
    public @Nullable UsageMeter meter() {
        return schedulable.meter;
    }

    @Override
    public long pendingContainers() {
        return schedulable.pending;
    }

    @Override
    public long runningContainers() {
        return schedulable.running;
    }

    @Override
    public int priority() {
        return schedulable.priority;
    }

    @Override
    public long sequence() {
        return schedulable.sequence;
    }

    @Override
    public long front() {
        return front(schedulable);
    }

    private static long front(Schedulable schedulable) {
        long front = Long.MAX_VALUE;
        for (int k = 0; k < schedulable.slots; k++) {
            front = Math.min(front, front(schedulable, schedulable.containerSize[k]));
        }
        return front;
    }

    private static long front(Schedulable schedulable, ContainerSize containerSize) {
        Schedulable at = schedulable;
        while (!at.isLeaf()) {
            Schedulable head = SchedulableTree.heapOf(at, containerSize).head();
            if (head == null) {
                return Long.MAX_VALUE;
            }
            at = head;
        }
        return at.sequence;
    }
}
