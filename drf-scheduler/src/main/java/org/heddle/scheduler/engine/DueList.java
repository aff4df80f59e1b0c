// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The queues, users and applications that hold less than they should and ask for more, and what others must leave to
 * them: one that holds more than it should takes no room of a node while one below its share, which comes before it,
 * needs more than is free there. Both are compared where their paths to the root part. One that is in the same tier of
 * the order leaves room only to those that miss a whole container; one in a later tier, to all. One below its guarantee
 * leaves nothing.
 *
 * <p>The list is made anew at most ten times a second, outside the passes; what it says is checked again when it is
 * used. Guarded by the scheduler's lock.
 */
public final class DueList {
    private static final long LEAST_AGE_MILLIS = 100;
    private static final int MOST = 16;

    private final ShareEngine engine;
    private final List<Due> list = new ArrayList<>();
    private long madeAtMillis;
    private boolean made;

    /**
     * An application that is due.
     *
     * @param below the queue, user or application below its share: the application or one above it
     * @param lag the containers by which it is below
     */
    public record Due(Schedulable below, Schedulable application, double lag) {}

    public DueList(ShareEngine engine) {
        this.engine = engine;
    }

    /** Makes the list anew if it is old; not during a pass. */
    public void refresh(long nowMillis) {
        if (made && nowMillis - madeAtMillis < LEAST_AGE_MILLIS) {
            return;
        }
        made = true;
        madeAtMillis = nowMillis;
        list.clear();
        add(engine.root());
        list.sort(Comparator.comparingDouble(Due::lag).reversed());
        if (list.size() > MOST) {
            list.subList(MOST, list.size()).clear();
        }
    }

    private void add(Schedulable parent) {
        if (parent.order == null || !parent.order.leavesRoom()) {
            return;
        }
        for (Schedulable child : parent.children) {
            if (child.pending > 0) {
                double lag = lag(child);
                Schedulable next = lag > 0 ? engine.nextBelow(child) : null;
                if (next != null) {
                    list.add(new Due(child, next, lag));
                }
                add(child);
            }
        }
    }

    /** Whether nobody is due. */
    public boolean isEmpty() {
        return list.isEmpty();
    }

    /** Says whether the node of an offer could serve one that is due. */
    public interface Server {
        /** @param size that its application asks for */
        boolean canServe(Due due, ContainerSize size);
    }

    /** How many of its smallest containers are missing, in parts of one, too; 0 if none. */
    private double lag(Schedulable child) {
        double most = 0;
        for (int k = 0; k < child.slots; k++) {
            long[] need = child.containerSize[k].need;
            double without = engine.excess(child, need, 0);
            double each = engine.excess(child, need, 1) - without;
            if (without < 0) {
                most = Math.max(most, -without / each);
            }
        }
        return most;
    }

    /**
     * Whether an application must leave the free room of a node to another one.
     *
     * @param need what it would take
     * @param free of the node
     * @param server the node
     */
    public boolean isAhead(Schedulable application, long[] need, long[] free, Server server) {
        for (int i = 0; i < list.size(); i++) {
            Due due = list.get(i);
            Schedulable sibling = SchedulableTree.siblingAbove(application, due.below);
            if (sibling != null
                    && sibling.tier != SchedulableTree.BELOW_GUARANTEE
                    && due.below.precedes(sibling)
                    && engine.excess(sibling, need, 1) > 0
                    && fitsNothing(due, free)
                    && servesAny(due, sibling.tier == due.below.tier, server)) {
                return true;
            }
        }
        return false;
    }

    private static boolean fitsNothing(Due due, long[] free) {
        Schedulable application = due.application;
        for (int k = 0; k < application.slots; k++) {
            if (application.containerSize[k].fits(free)) {
                return false;
            }
        }
        return true;
    }

    /** @param whole only for a size of which a whole container is missing, as one of the same tier asks */
    private boolean servesAny(Due due, boolean whole, Server server) {
        Schedulable application = due.application;
        for (int k = 0; k < application.slots; k++) {
            ContainerSize size = application.containerSize[k];
            if (isMissing(due.below, size, whole) && server.canServe(due, size)) {
                return true;
            }
        }
        return false;
    }

    private boolean isMissing(Schedulable below, ContainerSize size, boolean whole) {
        return whole ? engine.excess(below, size.need, 1) <= 0 : engine.excess(below, size.need, 0) < 0;
    }
}
