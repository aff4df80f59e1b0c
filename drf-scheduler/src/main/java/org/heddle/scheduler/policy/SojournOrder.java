// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

import java.util.PriorityQueue;

/**
 * The Fair Sojourn Protocol (Friedman and Henderson, Fairness and Efficiency in Web Server Protocols, SIGMETRICS 2003):
 * applications are served in the order in which they would end if all of them shared equally. Sizes are estimated as the
 * application runs (as HFSP does: Pastorelli and others, IEEE BigData 2013).
 *
 * <p>Equal sharing is computed as in fair queueing: the virtual time V is the work that an application which is always
 * served equally would have had by now. It advances by the work that all are served, divided by their number. An
 * application that arrives at V and has size S ends at V + S, however many others come later: that is its key.
 *
 * <p><b>Size.</b> The work that was served so far, and for each pending container the mean work of the application's
 * containers so far; one container of the mean of all its siblings is added to that, so that an application that is not
 * known yet counts as small. What was served is never forgotten: small asks, late ones and further stages all end up in it.
 *
 * <p><b>Applications that live long</b> are neither served first for ever, since their served work moves them back, nor
 * last for ever: V passes every V + S at last, and those that arrive later are behind it.
 *
 * <p>Priorities of applications come first. Equal keys: by arrival. Siblings that are queues or users have no size; they
 * are served by their normalized share.
 */
public final class SojournOrder implements ShareOrder {
    public static final String NAME = "sojourn";

    /** When those that have ended would have ended under equal sharing, if that is still to come. */
    private final PriorityQueue<Double> goneEarly = new PriorityQueue<>();

    private double virtualTime;
    private long members;
    private double work;
    private long started;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean entitles() {
        return false;
    }

    @Override
    public long tier(SchedulableView child) {
        return -(long) child.priority();
    }

    @Override
    public double key(SchedulableView child) {
        if (!(child.meter() instanceof ServedWork served)) {
            return child.normalizedShare();
        }
        if (served.order != this) {
            arrive(served);
        }
        advance(served);
        double each = (served.work() + meanWork()) / (served.started() + 1);
        return served.arrival + served.work() + child.pendingContainers() * each;
    }

    /** One from another order (its queue was configured anew, or it moved) keeps its distance to the virtual time. */
    private void arrive(ServedWork served) {
        SojournOrder before = served.order;
        members++;
        served.order = this;
        served.arrival = before == null ? virtualTime : virtualTime + served.arrival - before.virtualTime;
        served.counted = served.work();
    }

    private void advance(ServedWork served) {
        double more = served.work() - served.counted;
        served.counted += more;
        started += served.newlyStarted();
        work += more;
        virtualTime += more / (members + goneEarly.size());
        while (!goneEarly.isEmpty() && goneEarly.peek() <= virtualTime) {
            goneEarly.remove();
        }
    }

    /** Of a container of any application here; 1 before there was one. */
    private double meanWork() {
        return work > 0 && started > 0 ? work / started : 1;
    }

    @Override
    public void removed(SchedulableView child) {
        if (child.meter() instanceof ServedWork served && served.order == this) {
            members--;
            double end = served.arrival + served.work();
            if (members == 0) {
                goneEarly.clear(); // nothing is left to serve: equal sharing would have served all as well
            } else if (end > virtualTime) {
                goneEarly.add(end);
            }
        }
    }
}
