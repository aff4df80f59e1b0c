// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

/**
 * The Fair Sojourn Protocol (Friedman and Henderson, Fairness and Efficiency in Web Server Protocols, SIGMETRICS 2003):
 * applications are served in the order in which they would end if all of them shared equally. Sizes are estimated as
 * the application runs (as HFSP does: Pastorelli and others, IEEE BigData 2013).
 *
 * <p>Equal sharing is computed as in fair queueing ({@link EqualSharing}): the virtual time V is the work that an
 * application which wants more at every moment would have had by now. An application that arrives at V and has size S
 * ends at V + S, however many others come later: that is its key.
 *
 * <p><b>Size.</b> The work that was served so far, and for each pending container the mean work of the application's
 * containers so far; one container of the mean of all its siblings is added to that, so that an application that is not
 * known yet counts as small. What was served is never forgotten: small asks, late ones and further stages all end up in
 * it.
 *
 * <p><b>Applications that live long</b> are neither served first for ever, since their served work moves them back, nor
 * last for ever: V passes every V + S at last, and those that arrive later are behind it.
 *
 * <p>Priorities of applications come first. Equal keys: by arrival. Siblings that are queues or users have no size;
 * they are served by their normalized share.
 */
public final class SojournOrder implements ShareOrder {
    public static final String NAME = "sojourn";

    private final EqualSharing sharing = new EqualSharing();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean entitles() {
        return false;
    }

    @Override
    public void added(SchedulableView child) {
        if (child.meter() instanceof ServedWork served) {
            sharing.join(served);
            changed(child);
        }
    }

    @Override
    public void changed(SchedulableView child) {
        if (child.meter() instanceof ServedWork served && served.member != null) {
            sharing.changed(served.member, child.pendingContainers() > 0);
        }
    }

    @Override
    public void removed(SchedulableView child) {
        if (child.meter() instanceof ServedWork served && served.member != null) {
            sharing.ended(served.member);
        }
    }

    @Override
    public long tier(SchedulableView child) {
        return -(long) child.priority();
    }

    @Override
    public double key(SchedulableView child) {
        if (!(child.meter() instanceof ServedWork served) || served.member == null) {
            return child.normalizedShare();
        }
        double work = served.work(sharing.nowMillis());
        return served.member.arrival() + work + child.pendingContainers() * each(child, served, work);
    }

    /** The estimated work of one container of an application. */
    private double each(SchedulableView child, ServedWork served, double work) {
        return (work + (child.runningContainers() + 1) * sharing.meanWork()) / (served.started() + 1);
    }

    @Override
    public double remainingWork(SchedulableView child) {
        if (!(child.meter() instanceof ServedWork served)) {
            return Double.NaN;
        }
        double each = each(child, served, served.work(sharing.nowMillis()));
        return child.pendingContainers() * each + child.runningContainers() * sharing.meanWork();
    }
}
