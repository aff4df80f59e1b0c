// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Lottery scheduling: each allocation goes to a random child; the weight (of the first resource) is its number of
 * tickets. The authors of Mesos name it as a policy for clusters with short tasks (Mesos 4.3).
 *
 * <p>The lottery is a race of exponential times. The next time of a child is "now" plus a draw with its weight as the
 * rate. The smallest time wins and becomes "now", and only the winner draws again; that is the same as if all did,
 * because exponential times have no memory. For the same reason a child that had no asks for a while may draw anew.
 * {@link #key} may be called at any time, so a child draws only if it has more containers than at the last call.
 */
public final class LotteryOrder implements ShareOrder {
    public static final String NAME = "lottery";

    private final RandomGenerator random;
    private final Map<Long, Ticket> tickets = new HashMap<>();
    private double now;

    /** The next time of a child, and its state when that was drawn. */
    private static final class Ticket {
        double time;
        long running;
        double weight = -1;
    }

    public LotteryOrder(RandomGenerator random) {
        this.random = random;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void added(SchedulableView child) {
        changed(child);
    }

    @Override
    public double key(SchedulableView child) {
        Ticket ticket = tickets.get(child.sequence());
        return ticket == null ? Double.POSITIVE_INFINITY : ticket.time;
    }

    @Override
    public void changed(SchedulableView child) {
        Ticket ticket = tickets.computeIfAbsent(child.sequence(), unused -> new Ticket());
        double weight = child.weight(0);
        boolean known = ticket.weight >= 0;
        boolean won = known && child.runningContainers() > ticket.running;
        if (won && ticket.time < Double.POSITIVE_INFINITY) {
            now = Math.max(now, ticket.time);
        }
        boolean keeps = known && !won && ticket.time >= now && ticket.weight == weight;
        if (!keeps) {
            ticket.time = weight > 0 ? now + random.nextExponential() / weight : Double.POSITIVE_INFINITY;
        }
        ticket.running = child.runningContainers();
        ticket.weight = weight;
    }

    @Override
    public void removed(SchedulableView child) {
        tickets.remove(child.sequence());
    }

    /** Number of children with a ticket. */
    int remembered() {
        return tickets.size();
    }
}
