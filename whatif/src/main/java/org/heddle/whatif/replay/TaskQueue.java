// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.replay;

import java.util.ArrayDeque;
import java.util.Deque;
import org.heddle.whatif.model.TaskGroup;
import org.jspecify.annotations.Nullable;

/** The tasks of one group: which of them are requested, and since when. */
final class TaskQueue {
    private record Request(int task, long sinceMillis) {}

    /** A task that got a container. */
    record Given(int task, long waitedMillis) {}

    private final TaskGroup group;
    private final Deque<Request> again = new ArrayDeque<>();
    private boolean open;
    private long openedMillis;
    private int next;
    private int ended;

    TaskQueue(TaskGroup group) {
        this.group = group;
    }

    TaskGroup group() {
        return group;
    }

    /** From now on all tasks are requested. */
    void open(long nowMillis) {
        open = true;
        openedMillis = nowMillis;
    }

    boolean isOpen() {
        return open;
    }

    /** How many containers are requested and have not come. */
    int requested() {
        return open ? again.size() + group.millis().length - next : 0;
    }

    /** Since when the task is requested that gets the next container; {@code Long.MAX_VALUE} if none is. */
    long oldestMillis() {
        if (requested() == 0) {
            return Long.MAX_VALUE;
        }
        return next < group.millis().length ? openedMillis : again.element().sinceMillis();
    }

    /** A container has come; null if none was requested. */
    @Nullable
    Given give(long nowMillis) {
        if (requested() == 0) {
            return null;
        }
        if (next < group.millis().length) {
            return new Given(next++, nowMillis - openedMillis);
        }
        Request repeated = again.remove();
        return new Given(repeated.task(), nowMillis - repeated.sinceMillis());
    }

    /** A task lost its container and is requested once more. */
    void repeat(int task, long nowMillis) {
        again.add(new Request(task, nowMillis));
    }

    /** A task ran to its end. */
    void end() {
        ended++;
    }

    int ended() {
        return ended;
    }

    boolean isDone() {
        return ended == group.millis().length;
    }
}
