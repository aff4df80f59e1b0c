// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Each free place is drawn by lot, the weight (of the first resource) being the number of tickets: lottery scheduling,
 * which the authors of Mesos name as a policy for a cluster whose tasks are short (Mesos 4.3).
 *
 * <p>Drawn as a race of exponential times. Everyone's next time is "now" plus a draw with its weight as the rate; the
 * smallest wins, becomes "now", and only the winner draws again, which is the same as if all did (exponential times have
 * no memory). For the same reason whoever was away may draw anew when it comes back. As it must bear being asked for a
 * key at any time, it draws only where a schedulable holds more containers than before.
 */
public final class LotteryOrder implements ShareOrder {
    public static final String NAME = "lottery";

    private final RandomGenerator random;
    private final Map<Long, Ticket> tickets = new HashMap<>();
    private double now;

    /** When a schedulable's turn comes, and what it looked like when that was drawn. */
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
    public double key(SchedulableView child) {
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
        return ticket.time;
    }

    @Override
    public void removed(SchedulableView child) {
        tickets.remove(child.sequence());
    }

    /** Schedulables that it holds a ticket for. */
    int remembered() {
        return tickets.size();
    }
}
