// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.examples;

import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.heddle.scheduler.policy.ClaimView;
import org.heddle.scheduler.policy.ShareOrder;
import org.heddle.scheduler.policy.ShareOrders;

/**
 * Each free place is drawn by lot, the weight being the number of tickets: a race of exponential times. Everyone's next
 * time is "now" plus a draw with its weight as the rate; the smallest wins, becomes "now", and only the winner draws
 * again, which is the same as if all did (exponential times have no memory). For the same reason whoever was away may
 * draw anew when it comes back.
 *
 * <p>An example of an order with state: it must bear being asked for a key at any time, so it draws only where a claim
 * holds more containers than before.
 */
final class LotteryOrder implements ShareOrder {
    static final String NAME = "example-lottery";

    private final RandomGenerator random;
    private final Map<Long, Ticket> tickets = new HashMap<>();
    private double now;

    private record Ticket(double time, long running, double weight) {}

    LotteryOrder(RandomGenerator random) {
        this.random = random;
    }

    /** As another jar would offer it. */
    public static final class Provider implements ShareOrders.Provider {
        @Override
        public String name() {
            return NAME;
        }

        @Override
        public ShareOrder create(RandomGenerator random) {
            return new LotteryOrder(random);
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public double key(ClaimView child) {
        Ticket last = tickets.get(child.sequence());
        boolean won = last != null && child.runningContainers() > last.running;
        if (last != null && won) {
            now = Math.max(now, last.time);
        }
        boolean keeps = last != null && !won && last.time >= now && last.weight == child.weight(0);
        double time = last != null && keeps ? last.time : now + random.nextExponential() / child.weight(0);
        tickets.put(child.sequence(), new Ticket(time, child.runningContainers(), child.weight(0)));
        return time;
    }

    @Override
    public void removed(ClaimView child) {
        tickets.remove(child.sequence());
    }

    int remembered() {
        return tickets.size();
    }
}
