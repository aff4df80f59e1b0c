// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.simulate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import org.heddle.market.TestTerms;

/**
 * Queues that always ask for more, for some intervals in the simulator, and what each got. A queue's part is measured
 * against the slot-time that all together got, because a cluster with gaps between containers has less than its slots.
 */
final class FairnessRun {
    private static final int WINDOW = 20;
    private static final double TWO_PER_CENT = 0.02;
    private static final int SIZES = 4;
    private static final int ROUNDS = 1_000;

    /**
     * A queue that always asks for more.
     *
     * @param askMillis when it begins to ask
     */
    record Hungry(long rate, long slots, long minMillis, long maxMillis, long askMillis) {
        Hungry(long rate, long slots, long minMillis, long maxMillis) {
            this(rate, slots, minMillis, maxMillis, 0);
        }
    }

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
            LongSupplier life =
                    () -> queue.minMillis + (long) (random.nextDouble() * (queue.maxMillis - queue.minMillis));
            if (queue.askMillis == 0) {
                sim.submit(name, 1_000_000_000L, life, queue.slots);
            } else {
                sim.at(queue.askMillis, () -> sim.submit(name, 1_000_000_000L, life, queue.slots));
            }
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

    /**
     * The first interval of which all windows are looked at: all queues ask, and the containers that began before have
     * ended. In these nobody's part could be kept, and nobody gets anything back for it later.
     */
    private int first() {
        long asked = queues.stream().mapToLong(Hungry::askMillis).max().orElse(0);
        long longest = queues.stream().mapToLong(Hungry::maxMillis).max().orElse(0);
        return asked == 0
                ? 0
                : (int) ((asked + longest + nodes.launchMillis() + nodes.heartbeatMillis()) / interval) + 2;
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
        for (int to = first() + WINDOW; to < got.size(); to++) {
            worst = Math.max(worst, error(to - WINDOW, to));
        }
        return worst;
    }

    /** The largest error of any queue from the start to any later interval, in tolerances. */
    double worstSinceStart() {
        double worst = 0;
        for (int to = first() + WINDOW; to < got.size(); to++) {
            worst = Math.max(worst, error(first(), to));
        }
        return worst;
    }

    /** Part of the capacity that all together got. */
    double used() {
        int last = got.size() - 1;
        return Arrays.stream(got.get(last)).sum() / ((double) nodes.count() * nodes.slots() * interval * last);
    }

    /** Windows of all queues. */
    int windows() {
        return Math.max(0, got.size() - WINDOW - first()) * queues.size();
    }

    /** Windows in which a queue's error is at most one tolerance. */
    int windowsWithin() {
        int within = 0;
        for (int to = first() + WINDOW; to < got.size(); to++) {
            for (int i = 0; i < queues.size(); i++) {
                within += error(i, to - WINDOW, to) <= 1 ? 1 : 0;
            }
        }
        return within;
    }

    /** Mean slots that a queue held from one interval to another. */
    double mean(int queue, int from, int to) {
        return (got.get(to)[queue] - got.get(from)[queue]) / ((double) (to - from) * interval);
    }

    private double error(int from, int to) {
        double worst = 0;
        for (int i = 0; i < queues.size(); i++) {
            worst = Math.max(worst, error(i, from, to));
        }
        return worst;
    }

    /** The error of a queue, in tolerances. */
    private double error(int queue, int from, int to) {
        double part = part(queue, from, to);
        double error = Math.abs(got.get(to)[queue] - got.get(from)[queue] - part);
        return error / Math.max(TWO_PER_CENT * part, longest());
    }

    /**
     * The largest part of its entitlement that every queue can get at the same time, at most 1: where containers of
     * several slots do not fill the nodes, less than 1 can be had. Each node may change between all ways to fill it
     * with containers, at no cost. This is the value of a matrix game between the ways to fill a node and the sizes of
     * containers, by fictitious play (Brown, 1951), which approaches it from below.
     */
    double fits() {
        double[] entitled = new double[SIZES + 1];
        double rates = queues.stream().mapToDouble(Hungry::rate).sum();
        queues.forEach(queue -> entitled[(int) queue.slots] += nodes.slots() * queue.rate / rates);
        List<int[]> fillings = new ArrayList<>();
        fill(new int[SIZES + 1], SIZES, (int) nodes.slots(), fillings);
        double[] held = new double[SIZES + 1];
        double best = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            double least = Double.POSITIVE_INFINITY;
            int scarce = 0;
            for (int size = 1; size <= SIZES; size++) {
                if (entitled[size] > 0 && held[size] / entitled[size] < least) {
                    least = held[size] / entitled[size];
                    scarce = size;
                }
            }
            best = Math.max(best, least / Math.max(1, round - 1));
            int wanted = scarce;
            int[] most = fillings.stream()
                    .max(Comparator.<int[]>comparingInt(filling -> filling[wanted])
                            .thenComparingDouble(filling -> worth(filling, held, entitled)))
                    .orElseThrow();
            for (int size = 1; size <= SIZES; size++) {
                held[size] += most[size] * size;
            }
        }
        return Math.min(1, best);
    }

    /** The slots of a filling, counted the more the less their size has got up to now. */
    private static double worth(int[] filling, double[] held, double[] entitled) {
        double worth = 0;
        for (int size = 1; size <= SIZES; size++) {
            worth += filling[size] * size * entitled[size] / (held[size] + 1);
        }
        return worth;
    }

    private static void fill(int[] filling, int size, int room, List<int[]> fillings) {
        if (size == 1) {
            filling[1] = room;
            fillings.add(filling.clone());
            return;
        }
        for (int count = room / size; count >= 0; count--) {
            filling[size] = count;
            fill(filling, size - 1, room - count * size, fillings);
        }
        filling[size] = 0;
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
