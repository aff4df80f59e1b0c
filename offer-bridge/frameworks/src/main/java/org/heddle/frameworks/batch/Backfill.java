// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.batch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.heddle.frameworks.offers.Size;

/**
 * Decides which parts start now: first come, first served, with backfill. The first part that does not fit gets a
 * reservation for the time at which the walltimes of the running ones leave enough room. A later part may pass it only
 * if it ends before that time, or fits beside it then (EASY: Lifka, <i>The ANL/IBM SP Scheduling System</i>, 1995). A
 * pure function.
 *
 * <p>Room is counted as a sum over the cluster; whether it is in one piece shows when offers come.
 */
final class Backfill {
    private Backfill() {}

    /** A part that waits, with all of its tasks. */
    record Waiting(Part part, Size size, long walltimeMillis) {}

    /** A part that has its place. */
    record Running(Size size, long endsAt) {}

    /**
     * The parts that start now.
     *
     * @param queue in the order of arrival
     * @param capacity what all parts together may use
     */
    static List<Part> starts(List<Waiting> queue, List<Running> running, Size capacity, long now) {
        List<Running> placed = new ArrayList<>(running);
        Size free = capacity;
        for (Running one : running) {
            free = free.minus(one.size());
        }
        List<Part> starts = new ArrayList<>();
        boolean reserved = false;
        long reservedAt = 0;
        Size beside = Size.NONE;
        for (Waiting next : queue) {
            if (!next.size().fitsIn(capacity)) {
                continue; // Never, as things are: it must not stop the others.
            }
            long end = now + next.walltimeMillis();
            boolean fits = next.size().fitsIn(free);
            boolean passes = !reserved || end <= reservedAt || next.size().fitsIn(beside);
            if (fits && passes) {
                starts.add(next.part());
                free = free.minus(next.size());
                placed.add(new Running(next.size(), end));
                if (reserved && end > reservedAt) {
                    beside = beside.minus(next.size());
                }
            } else if (!reserved) {
                reserved = true;
                placed.sort(Comparator.comparingLong(Running::endsAt));
                Size then = free;
                reservedAt = now;
                for (Running one : placed) {
                    if (next.size().fitsIn(then)) {
                        break;
                    }
                    then = then.plus(one.size());
                    // What should have ended by now ends soon.
                    reservedAt = Math.max(now, one.endsAt());
                }
                beside = then.minus(next.size());
            }
        }
        return starts;
    }
}
