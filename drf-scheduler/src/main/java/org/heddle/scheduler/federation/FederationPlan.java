// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.federation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the sub-clusters are to do so that the weights of the queues hold over the whole federation: where each queue's
 * new applications and requests go, and which weight each sub-cluster gives to the queue.
 *
 * <p>There are two divisions. In the first one, demand can go to every sub-cluster that has the queue, and every queue
 * wants its configured part at least: it says where requests should go, also those of a queue that is idle until its
 * next application comes. In the second one, demand is as it is and where it is: the weights in the sub-clusters come
 * from it, so that the shares hold also while old requests are where they were made. (A third one, with today's demand
 * anywhere, only tells the fair shares.)
 *
 * @param queues all but the root, parents before children
 * @param remarks one sentence each, for the log
 */
public record FederationPlan(List<Queue> queues, List<String> remarks) {
    /**
     * Every sub-cluster with the queue gets at least this part of its requests: of none, YARN ignores node names there.
     */
    private static final double LEAST_PART = 0.01;
    /** No weight is smaller than this part of the sub-cluster. */
    private static final double LEAST_WEIGHT = 0.001;

    /**
     * A queue.
     *
     * @param path names from the root
     * @param leaf whether applications can be in it
     * @param share what it has of the federation: its dominant share, 0 to 1
     * @param fairShare what it should have, if requests can go to every sub-cluster that has the queue
     * @param demandShare what it has and asks for
     * @param requests by sub-cluster: the part of its requests that should go there
     * @param weights by sub-cluster: its weight there, in the same unit as its siblings'
     */
    public record Queue(
            String path,
            boolean leaf,
            double share,
            double fairShare,
            double demandShare,
            Map<String, Double> requests,
            Map<String, Double> weights) {
        /** For logs. */
        public String inWords() {
            return String.format(
                    Locale.ROOT,
                    "%s has %.1f %% of the federation, should have %.1f %%, asks for %.1f %%; requests %s, weights %s",
                    path,
                    share * 100,
                    fairShare * 100,
                    demandShare * 100,
                    requests,
                    weights);
        }
    }

    /** Makes the plan for the present state of the sub-clusters. */
    public static FederationPlan of(Collection<SubCluster> clusters) {
        FederationTree tree = new FederationTree(clusters);
        int leaves = tree.leaves().size();
        double[][] anywhere = new double[leaves][];
        double[][] asItIs = new double[leaves][];
        for (FederationTree.Node leaf : tree.leaves()) {
            anywhere[leaf.leaf()] = leaf.limits().clone();
            double[] now = leaf.limits().clone();
            Arrays.setAll(now, s -> Math.min(now[s], leaf.demandShares()[s]));
            asItIs[leaf.leaf()] = now;
        }
        double[] demands = new double[leaves];
        double[] expected = new double[leaves];
        expect(tree.root(), 1, expected);
        for (FederationTree.Node leaf : tree.leaves()) {
            demands[leaf.leaf()] = leaf.demandShare();
            expected[leaf.leaf()] = Math.max(expected[leaf.leaf()], leaf.demandShare());
        }
        FairDivision ideal = FairDivision.anywhere(tree).divide();
        FairDivision future = new FairDivision(tree, expected, anywhere).divide();
        FairDivision present = new FairDivision(tree, demands, asItIs).divide();
        return new FederationPlan(new Maker(tree, ideal, future, present).queues(), tree.differences());
    }

    /** The part of the federation of each leaf by the configured weights. */
    private static void expect(FederationTree.Node node, double part, double[] parts) {
        if (node.isLeaf()) {
            parts[node.leaf()] = part;
        }
        double weights = node.children().stream()
                .mapToDouble(FederationTree.Node::weight)
                .sum();
        for (FederationTree.Node child : node.children()) {
            expect(child, weights > 0 ? part * child.weight() / weights : 0, parts);
        }
    }

    /** Makes the figures of all queues from the divisions. */
    private static final class Maker {
        private final FederationTree tree;
        private final FairDivision ideal;
        private final FairDivision future;
        private final FairDivision present;
        private final List<Queue> queues = new ArrayList<>();
        private final int clusters;

        Maker(FederationTree tree, FairDivision ideal, FairDivision future, FairDivision present) {
            this.tree = tree;
            this.ideal = ideal;
            this.future = future;
            this.present = present;
            this.clusters = tree.clusters().size();
        }

        List<Queue> queues() {
            double[] whole = new double[clusters];
            Arrays.fill(whole, 1);
            below(tree.root(), whole);
            return queues;
        }

        /** @param steady by sub-cluster: the part of the parent by the configured weights */
        private void below(FederationTree.Node parent, double[] steady) {
            double[] siblings = new double[clusters];
            for (FederationTree.Node child : parent.children()) {
                for (int s = 0; s < clusters; s++) {
                    siblings[s] += child.here()[s] ? child.weight() : 0;
                }
            }
            for (FederationTree.Node child : parent.children()) {
                double[] part = new double[clusters];
                for (int s = 0; s < clusters; s++) {
                    part[s] = child.here()[s] && siblings[s] > 0 ? steady[s] * child.weight() / siblings[s] : 0;
                }
                queues.add(new Queue(
                        child.path(),
                        child.isLeaf(),
                        child.usageShare(),
                        dominant(total(child, ideal)),
                        child.demandShare(),
                        child.isLeaf() ? requests(child) : Map.of(),
                        weights(child, part)));
                below(child, part);
            }
        }

        private Map<String, Double> requests(FederationTree.Node leaf) {
            double[] wanted = new double[clusters];
            for (int s = 0; s < clusters; s++) {
                wanted[s] = future.placed(leaf.leaf(), s);
            }
            double sum = Arrays.stream(wanted).sum();
            Map<String, Double> parts = new LinkedHashMap<>();
            for (int s = 0; s < clusters; s++) {
                if (leaf.here()[s]) {
                    double part = sum > 0 ? wanted[s] / sum : 1;
                    parts.put(tree.clusters().get(s).id(), rounded(Math.max(LEAST_PART, part)));
                }
            }
            return parts;
        }

        /**
         * A hungry queue's weight is what it is to get there; a content one's is also what it would get if all were
         * busy.
         */
        private Map<String, Double> weights(FederationTree.Node node, double[] steady) {
            boolean hungry = isHungry(node);
            Map<String, Double> weights = new LinkedHashMap<>();
            for (int s = 0; s < clusters; s++) {
                if (node.here()[s]) {
                    double target = dominant(parts(node, s));
                    double weight = hungry ? target : Math.max(target, steady[s]);
                    weights.put(tree.clusters().get(s).id(), rounded(Math.max(LEAST_WEIGHT, weight)));
                }
            }
            return weights;
        }

        private boolean isHungry(FederationTree.Node node) {
            if (node.isLeaf()) {
                return present.isHungry(node.leaf());
            }
            return node.children().stream().anyMatch(this::isHungry);
        }

        /** What a queue is to get of each resource of a sub-cluster, as parts of the sub-cluster. */
        private double[] parts(FederationTree.Node node, int cluster) {
            double[] parts = new double[tree.resources()];
            addPlaced(node, cluster, parts);
            for (int r = 0; r < parts.length; r++) {
                double there = tree.parts()[cluster][r];
                parts[r] = there > 0 ? parts[r] / there : 0;
            }
            return parts;
        }

        private void addPlaced(FederationTree.Node node, int cluster, double[] parts) {
            if (node.isLeaf()) {
                for (int r = 0; r < parts.length; r++) {
                    parts[r] += present.placed(node.leaf(), cluster) * node.direction()[r];
                }
            }
            node.children().forEach(child -> addPlaced(child, cluster, parts));
        }

        private double[] total(FederationTree.Node node, FairDivision division) {
            double[] sum = new double[tree.resources()];
            if (node.isLeaf()) {
                Arrays.setAll(sum, r -> division.share(node.leaf()) * node.direction()[r]);
            }
            for (FederationTree.Node child : node.children()) {
                double[] below = total(child, division);
                Arrays.setAll(sum, r -> sum[r] + below[r]);
            }
            return sum;
        }

        private static double dominant(double[] parts) {
            return Arrays.stream(parts).max().orElse(0);
        }

        private static double rounded(double value) {
            return Math.round(value * 1000) / 1000.0;
        }
    }
}
