// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.simulate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.heddle.market.TestTerms;

/**
 * Queues that always ask for more, for some intervals in the simulator, and what each got. A queue's part is measured
 * against the slot-time that all together got, because a cluster with gaps between containers has less than its slots.
 */
final class FairnessRun {
    private static final int WINDOW = 20;
    private static final double TWO_PER_CENT = 0.02;

    /** A queue that always asks for more. */
    record Hungry(long rate, long slots, long minMillis, long maxMillis) {}

    private final long interval;
    private final Simulator.Nodes nodes;
    private final List<Hungry> queues;
    /** Slot-time of each queue up to the end of each interval. */
    private final List<double[]> got = new ArrayList<>();

    FairnessRun(long interval, Simulator.Nodes nodes, List<Hungry> queues, int intervals) {
        this.interval = interval;
        this.nodes = nodes;
        this.queues = queues;
        run(intervals);
    }

    private void run(int intervals) {
        Simulator sim = new Simulator(TestTerms.PAPER.every(interval).get(), nodes);
        Random random = new Random(1);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < queues.size(); i++) {
            Hungry queue = queues.get(i);
            String name = "q%03d".formatted(i);
            names.add(name);
            sim.queue(name, String.valueOf(queue.rate), "9000000000");
            sim.submit(
                    name,
                    1_000_000_000L,
                    () -> queue.minMillis + (long) (random.nextDouble() * (queue.maxMillis - queue.minMillis)),
                    queue.slots);
        }
        double[] sum = new double[queues.size()];
        got.add(sum.clone());
        long step = Math.max(50, interval / 20);
        for (long at = 0; at < intervals * interval; at += step) {
            sim.run(at);
            for (int i = 0; i < sum.length; i++) {
                sum[i] += sim.held(names.get(i)) * (double) step;
            }
            if ((at + step) % interval < step) {
                got.add(sum.clone());
            }
        }
    }

    /** The slot-time of the longest container, with its launch and the wait for the heartbeat that tells its end. */
    private double longest() {
        double around = nodes.launchMillis() + (nodes.reported() ? nodes.heartbeatMillis() : 0);
        return queues.stream()
                .mapToDouble(queue -> queue.slots * (queue.maxMillis + around))
                .max()
                .orElse(0);
    }

    /** A queue's part of what all got from one interval to another. */
    private double part(int queue, int from, int to) {
        double all =
                Arrays.stream(got.get(to)).sum() - Arrays.stream(got.get(from)).sum();
        double rates = queues.stream().mapToDouble(Hungry::rate).sum();
        return all * queues.get(queue).rate / rates;
    }

    /** The largest error of any queue in any window, in tolerances: 1 is just within them. */
    double worst() {
        double worst = 0;
        for (int to = WINDOW; to < got.size(); to++) {
            for (int i = 0; i < queues.size(); i++) {
                double part = part(i, to - WINDOW, to);
                double error = Math.abs(got.get(to)[i] - got.get(to - WINDOW)[i] - part);
                worst = Math.max(worst, error / Math.max(TWO_PER_CENT * part, longest()));
            }
        }
        return worst;
    }

    /** The smallest part of its entitlement that any queue got in the whole run, one container allowed. */
    double least() {
        double least = Double.POSITIVE_INFINITY;
        int last = got.size() - 1;
        for (int i = 0; i < queues.size(); i++) {
            least = Math.min(least, (got.get(last)[i] + longest()) / part(i, 0, last));
        }
        return least;
    }
}
