// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.federation;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hierarchical weighted dominant resource fairness over sub-clusters: all queues with unmet demand grow at the same
 * time, each at a speed by its weight and by the weights above it, until its demand is met or every sub-cluster that it
 * may use is full. What others cannot use goes to those that can: no queue can get more without a queue of a smaller
 * weighted share getting less. Whatever was placed may be placed elsewhere later ({@link Placement}), so the order of
 * the queues does not matter.
 */
final class FairDivision {
    /** A demand that is met but for this part of the federation counts as met. */
    static final double MET = 1e-6;

    private static final int BISECTIONS = 20;
    /** A leaf whose every sub-cluster costs more than this part of the highest price cannot grow. */
    private static final double BLOCKED = 0.05;

    private static final double LEAST_WEIGHT = 1e-6;

    private final FederationTree tree;
    private final double[][] direction;
    private final double[] demand;
    private final double[] share;
    private final boolean[] active;
    private final Placement placement;
    private double over;

    /**
     * @param wanted by leaf: the dominant share of the federation that it would use
     * @param most by leaf and sub-cluster: the largest part of the federation that it may have there
     */
    FairDivision(FederationTree tree, double[] wanted, double[][] most) {
        this.tree = tree;
        int leaves = tree.leaves().size();
        direction = new double[leaves][];
        demand = new double[leaves];
        for (int i = 0; i < leaves; i++) {
            direction[i] = tree.leaves().get(i).direction();
            demand[i] = Math.min(wanted[i], Arrays.stream(most[i]).sum());
        }
        share = new double[leaves];
        active = new boolean[leaves];
        for (int i = 0; i < leaves; i++) {
            active[i] = demand[i] > MET;
        }
        placement = new Placement(direction, most, tree.parts());
    }

    /** Today's demand, where it can go to every sub-cluster that has the queue. */
    static FairDivision anywhere(FederationTree tree) {
        return new FairDivision(
                tree,
                tree.leaves().stream()
                        .mapToDouble(FederationTree.Node::demandShare)
                        .toArray(),
                tree.leaves().stream().map(FederationTree.Node::limits).toArray(double[][]::new));
    }

    FairDivision divide() {
        while (anyActive()) {
            double[] speed = speeds();
            double step = Double.POSITIVE_INFINITY;
            for (int i = 0; i < share.length; i++) {
                if (active[i]) {
                    step = Math.min(step, (demand[i] - share[i]) / speed[i]);
                }
            }
            if (placement.place(after(step, speed), over)) {
                advance(step, speed);
            } else {
                double possible = largestPossible(step, speed);
                double[] impossible = after(possible + Math.scalb(step, -BISECTIONS), speed);
                advance(possible, speed);
                stopBlocked(impossible);
            }
            for (int i = 0; i < share.length; i++) {
                active[i] &= share[i] < demand[i] - MET;
            }
        }
        placement.place(share, over);
        return this;
    }

    private boolean anyActive() {
        for (boolean one : active) {
            if (one) {
                return true;
            }
        }
        return false;
    }

    private double[] after(double step, double[] speed) {
        double[] then = share.clone();
        for (int i = 0; i < then.length; i++) {
            then[i] += active[i] ? step * speed[i] : 0;
        }
        return then;
    }

    private void advance(double step, double[] speed) {
        System.arraycopy(after(step, speed), 0, share, 0, share.length);
    }

    private double largestPossible(double impossible, double[] speed) {
        double possible = 0;
        double tooLong = impossible;
        for (int k = 0; k < BISECTIONS; k++) {
            double middle = (possible + tooLong) / 2;
            if (placement.place(after(middle, speed), over)) {
                possible = middle;
            } else {
                tooLong = middle;
            }
        }
        return possible;
    }

    /** Those that cannot grow stop; at least the most blocked one does, so that the division ends. */
    private void stopBlocked(double[] impossible) {
        placement.place(impossible, over);
        double dearest = 0;
        for (int i = 0; i < share.length; i++) {
            dearest = active[i] ? Math.max(dearest, placement.cheapest(i)) : dearest;
        }
        for (int i = 0; i < share.length; i++) {
            active[i] &= placement.cheapest(i) < Math.min(BLOCKED, dearest);
        }
        over += 2 * Placement.EXACT; // else those that stopped at the limit would stop all others
    }

    /**
     * How fast each leaf grows: the dominant share of what all leaves below a queue get grows at the queue's speed, and
     * the root's speed is 1.
     */
    private double[] speeds() {
        List<FederationTree.Node> nodes = tree.nodes();
        // What a queue needs for one unit of its own dominant resource; null if nothing below it grows.
        double[] @Nullable [] needs = new double[nodes.size()][];
        // Of a unit of growth of a queue, divided by the weights of the children that grow.
        double[] unit = new double[nodes.size()];
        for (int n = 0; n < nodes.size(); n++) {
            FederationTree.Node node = nodes.get(n);
            if (node.isLeaf()) {
                needs[n] = active[node.leaf()] ? direction[node.leaf()] : null;
                continue;
            }
            double[] sum = new double[tree.resources()];
            for (FederationTree.Node child : node.children()) {
                double[] need = needs[child.index()];
                for (int r = 0; need != null && r < sum.length; r++) {
                    sum[r] += weight(child) * need[r];
                }
            }
            double dominant = Arrays.stream(sum).max().orElse(0);
            if (dominant > 0) {
                Arrays.setAll(sum, r -> sum[r] / dominant);
                needs[n] = sum;
                unit[n] = 1 / dominant;
            }
        }
        double[] speeds = new double[nodes.size()];
        double[] ofLeaves = new double[share.length];
        speeds[tree.root().index()] = 1;
        for (int n = nodes.size() - 1; n >= 0; n--) {
            FederationTree.Node node = nodes.get(n);
            if (node.isLeaf()) {
                ofLeaves[node.leaf()] = speeds[node.index()];
            }
            for (FederationTree.Node child : node.children()) {
                if (needs[child.index()] != null) {
                    speeds[child.index()] = speeds[node.index()] * unit[node.index()] * weight(child);
                }
            }
        }
        return ofLeaves;
    }

    private static double weight(FederationTree.Node node) {
        return Math.max(LEAST_WEIGHT, node.weight());
    }

    /** The leaf's dominant share of the federation. */
    double share(int leaf) {
        return share[leaf];
    }

    /** Whether it would use more. */
    boolean isHungry(int leaf) {
        return share[leaf] < demand[leaf] - MET;
    }

    /** Which part of the federation it has in a sub-cluster. */
    double placed(int leaf, int cluster) {
        return placement.placed(leaf, cluster);
    }
}
