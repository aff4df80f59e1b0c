// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import java.util.HashMap;
import java.util.Map;

/**
 * Equal shares between the applications of the bridge in one queue, whatever the order of that queue: an application does not
 * ask for containers while another one of its queue waits, and would not have more than this one with its next container.
 * Different users are compared first, by what all applications of each user have; this is the order of queues that share by
 * users. A queue that already shares equally gives the same result; a queue that serves applications first come, first served
 * (the default of CapacityScheduler) allocates to the one that still asks.
 */
public final class QueueShares {
    /** Sums of shares are not exact. */
    private static final double ROUNDING = 1e-9;

    private record UserKey(String queue, String user) {}

    private final Map<UserKey, Double> usedByUser = new HashMap<>();
    private final Map<String, Double> leastUser = new HashMap<>();
    private final Map<UserKey, Double> leastApplication = new HashMap<>();

    /**
     * An application of the bridge.
     *
     * @param queue its queue; empty if its queue alone decides
     * @param user as whom it runs in YARN
     * @param used its dominant share of the cluster, 0 to 1
     * @param next the same of one more container
     * @param waits it asks for containers that others hold, and can use them
     */
    public record Member(String queue, String user, double used, double next, boolean waits) {
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
                leastUser.merge(member.queue(), user(member) + member.next(), Math::min);
                leastApplication.merge(member.key(), member.used() + member.next(), Math::min);
            }
        }
    }

    private double user(Member member) {
        return usedByUser.getOrDefault(member.key(), 0.0);
    }

    /** Whether another application of the queue comes first. */
    public boolean holdsBack(Member member) {
        if (member.queue().isEmpty()) {
            return false;
        }
        return leastUser.getOrDefault(member.queue(), Double.MAX_VALUE) <= user(member) + ROUNDING
                || leastApplication.getOrDefault(member.key(), Double.MAX_VALUE) <= member.used() + ROUNDING;
    }
}
