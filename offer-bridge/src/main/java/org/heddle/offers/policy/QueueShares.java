// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Equal shares between the applications of the bridge in one queue, whatever the order of that queue: an application
 * asks for no more containers than it may get before another one of its queue that waits; for none, if that one would
 * not have more than this one with its next container. Different users are compared first, by what all applications of
 * each user have; this is the order of queues that share by users. A queue that already shares equally gives the same
 * result; a queue that serves applications first come, first served (the default of CapacityScheduler) allocates to the
 * one that still asks.
 */
public final class QueueShares {
    /** Sums of shares are not exact. */
    private static final double ROUNDING = 1e-9;

    private record UserKey(String queue, String user) {}

    /** The two smallest values of different owners: what is the smallest one without its own. */
    private static final class Least {
        private @Nullable Object owner;
        private double first = Double.MAX_VALUE;
        private double second = Double.MAX_VALUE;

        private void add(Object of, double value) {
            if (of.equals(owner)) {
                first = Math.min(first, value);
            } else if (value < first) {
                second = first;
                first = value;
                owner = of;
            } else {
                second = Math.min(second, value);
            }
        }

        private double without(Object of) {
            return of.equals(owner) ? second : first;
        }
    }

    private final Map<UserKey, Double> usedByUser = new HashMap<>();
    private final Map<String, Least> leastUser = new HashMap<>();
    private final Map<UserKey, Least> leastApplication = new HashMap<>();

    /**
     * An application of the bridge.
     *
     * @param id its number among all members
     * @param queue its queue; empty if its queue alone decides
     * @param user as whom it runs in YARN
     * @param used its dominant share of the cluster, 0 to 1
     * @param next the same of one more container
     * @param waits it asks for containers that others hold, and can use them
     */
    public record Member(int id, String queue, String user, double used, double next, boolean waits) {
        private UserKey key() {
            return new UserKey(queue, user);
        }
    }

    /**
     * @param members all applications of the bridge, for two passes
     */
    public QueueShares(Iterable<Member> members) {
        for (Member member : members) {
            usedByUser.merge(member.key(), member.used(), Double::sum);
        }
        for (Member member : members) {
            if (member.waits()) {
                leastUser
                        .computeIfAbsent(member.queue(), queue -> new Least())
                        .add(member.key(), user(member) + member.next());
                leastApplication
                        .computeIfAbsent(member.key(), key -> new Least())
                        .add(member.id(), member.used() + member.next());
            }
        }
    }

    private double user(Member member) {
        return usedByUser.getOrDefault(member.key(), 0.0);
    }

    /**
     * How many containers the application may ask for before another one of its queue comes first; 0 if it comes first
     * now.
     */
    public int mayAsk(Member member) {
        if (member.queue().isEmpty()) {
            return Integer.MAX_VALUE;
        }
        Least users = leastUser.get(member.queue());
        Least applications = leastApplication.get(member.key());
        int steps = Integer.MAX_VALUE;
        if (users != null) {
            steps = steps(user(member), member.next(), users.without(member.key()));
        }
        if (applications != null) {
            steps = Math.min(steps, steps(member.used(), member.next(), applications.without(member.id())));
        }
        return steps;
    }

    /** Containers that begin below the limit. */
    private static int steps(double used, double next, double limit) {
        double room = limit - used - ROUNDING;
        if (room <= 0) {
            return 0;
        }
        return next <= 0 ? Integer.MAX_VALUE : (int) Math.min(Integer.MAX_VALUE, Math.ceil(room / next));
    }
}
