// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * The virtual time of equal sharing among siblings, as in fair queueing: the work that one which wants more at every
 * moment would have had by now. It advances by the work that is served to those that equal sharing would serve, divided
 * by their number: those that want more, those that have had more than equal sharing would have given them until now,
 * also if they have ended, and those that hold more than it would give. Constant time for each change, but for the
 * queue of the latter. The scheduler's lock guards it.
 *
 * <p><b>Lag.</b> While a member wants nothing, it gains and loses nothing: when it wants more again it is as far behind
 * the virtual time as it was, and no further. So an idle session saves up nothing, and a job does not lose the wait for
 * its master between two stages.
 */
final class EqualSharing {
    /**
     * One sibling here. Its position is its arrival in virtual time and the work that it was served since it exists.
     */
    static final class Member {
        private final ServedWork served;
        private EqualSharing in;
        private double arrival;
        /** How far it was behind the virtual time when it stopped wanting; 0 or more. */
        private double lag;

        /** Its share at the last change; and what of it is in the rate. */
        private double seenShare;

        private double countedShare;
        private long seenBegun;
        private boolean wants;
        private boolean sharing;
        /** Until then it is ahead for certain, if it is in the queue. */
        private double aheadUntil;

        private boolean queued;

        private Member(ServedWork served, EqualSharing in) {
            this.served = served;
            this.in = in;
        }

        double arrival() {
            return arrival;
        }

        private double position() {
            return arrival + served.work(in.nowMillis);
        }
    }

    /** Members that want nothing and are served all the same. An entry may be early: it is looked at again then. */
    private final PriorityQueue<Member> ahead = new PriorityQueue<>(Comparator.comparingDouble(one -> one.aheadUntil));

    private double virtualTime;
    private double rate;
    private long sharers;
    private long present;
    private long nowMillis;
    /** Of the containers of all that have been here: how many have begun, and what work they were. */
    private long begun;

    private double work;
    /** The sum of the shares that they hold. */
    private double held;

    /** Mean work of a container of any member, as far as it is served; 1 before there was one. */
    double meanWork() {
        return work > 0 && begun > 0 ? work / begun : 1;
    }

    /** The time of the last change here, by the clock of the members, in milliseconds. */
    long nowMillis() {
        return nowMillis;
    }

    /** Adds one. It keeps its distance to the virtual time if it comes from elsewhere. */
    void join(ServedWork served) {
        Member before = served.member;
        Member member = new Member(served, this);
        advance(served.nowMillis());
        present++;
        if (before == null) {
            member.arrival = virtualTime; // what it was served before counts
        } else {
            before.in.leave(before);
            member.arrival = virtualTime + before.arrival - before.in.virtualTime;
            member.lag = before.wants ? Math.max(0, virtualTime - member.position()) : before.lag;
        }
        member.seenBegun = served.started();
        see(member, served.share());
        served.member = member;
    }

    /**
     * Its share may have changed, or whether it wants more. The clock is read only if nobody has read it for this
     * change.
     */
    void changed(Member member, boolean wants) {
        boolean other = member.served.share() != member.seenShare;
        if (!other && wants == member.wants) {
            return;
        }
        advance(other ? member.served.sinceMillis() : member.served.nowMillis());
        see(member, member.served.share());
        if (wants && !member.wants && !member.sharing) {
            member.arrival += Math.max(0, virtualTime - member.lag - member.position());
        } else if (!wants && member.wants) {
            member.lag = Math.max(0, virtualTime - member.position());
        }
        member.wants = wants;
        place(member, virtualTime);
    }

    /** It has ended; equal sharing may still serve it. */
    void ended(Member member) {
        if (member.in == this && --present == 0) {
            ahead.clear(); // nothing is left to serve: equal sharing would have served all as well
            sharers = 0;
            rate = 0;
            held = 0;
        } else if (member.in == this) {
            changed(member, false);
        }
    }

    private void leave(Member member) {
        advance(member.served.nowMillis());
        present--;
        see(member, 0);
        share(member, false);
        ahead.remove(member);
    }

    private void see(Member member, double share) {
        held += share - member.seenShare;
        member.seenShare = share;
        begun += member.served.started() - member.seenBegun;
        member.seenBegun = member.served.started();
    }

    /** @param soonest when to look at it again at the soonest */
    private void place(Member member, double soonest) {
        double position = member.position();
        share(member, member.wants || position > virtualTime || holdsItsPart(member));
        if (member.sharing && !member.wants && !member.queued) {
            member.aheadUntil = Math.max(position, soonest);
            member.queued = ahead.add(member);
        }
    }

    /** Whether it holds no less than equal sharing gives each, so that it will be ahead. A small service does not. */
    private boolean holdsItsPart(Member member) {
        double share = member.served.share();
        long others = sharers - (member.sharing ? 1 : 0);
        return share > 0 && share * others >= rate - member.countedShare;
    }

    private void share(Member member, boolean shares) {
        double share = shares ? member.served.share() : 0;
        rate += share - member.countedShare;
        member.countedShare = share;
        if (shares != member.sharing) {
            sharers += shares ? 1 : -1;
            member.sharing = shares;
        }
        if (sharers == 0) {
            rate = 0; // without rounding errors
        }
    }

    private void advance(long untilMillis) {
        work += Math.max(0, held) * Math.max(0, untilMillis - nowMillis);
        double left = Math.max(0, rate) * Math.max(0, untilMillis - nowMillis);
        nowMillis = Math.max(nowMillis, untilMillis);
        while (left > 0 && sharers > 0) {
            Member next = ahead.peek();
            double end = virtualTime + left / sharers;
            if (next == null || end <= next.aheadUntil) {
                virtualTime = end;
                return;
            }
            left -= Math.max(0, next.aheadUntil - virtualTime) * sharers;
            virtualTime = Math.max(virtualTime, next.aheadUntil);
            ahead.remove().queued = false;
            place(next, virtualTime + Math.max(0, left) / sharers);
        }
    }
}
