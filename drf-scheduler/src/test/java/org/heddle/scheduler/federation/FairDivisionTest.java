// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.federation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.commons.math3.optim.MaxIter;
import org.apache.commons.math3.optim.linear.LinearConstraint;
import org.apache.commons.math3.optim.linear.LinearConstraintSet;
import org.apache.commons.math3.optim.linear.LinearObjectiveFunction;
import org.apache.commons.math3.optim.linear.NonNegativeConstraint;
import org.apache.commons.math3.optim.linear.Relationship;
import org.apache.commons.math3.optim.linear.SimplexSolver;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The division against linear programs: random federations with three resources, queues that are in some sub-clusters
 * only, limits and small demands. Max-min fairness says one level after the other: what all can have, then who could
 * have more.
 */
@Tag("pure")
class FairDivisionTest {
    private static final List<String> RESOURCES = List.of("memory-mb", "vcores", "gpu");
    private static final double ANY = 1e-7;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 100);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void sharesAreThoseOfLinearPrograms(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int clusters = random.nextInt(2, 5);
        int queues = random.nextInt(2, 7);
        double[] weights = random.doubles(queues, 0.5, 4).toArray();
        List<Map<String, Long>> asks = new ArrayList<>();
        for (int q = 0; q < queues; q++) {
            long scale = random.nextInt(4) > 0 ? 1_000 : 10;
            asks.add(amounts(random, scale));
        }
        List<SubCluster> all = new ArrayList<>();
        for (int s = 0; s < clusters; s++) {
            List<SubCluster.Queue> here = new ArrayList<>();
            for (int q = 0; q < queues; q++) {
                if (random.nextInt(3) > 0 || s == q % clusters) {
                    Map<String, Long> limit =
                            random.nextInt(5) > 0 ? Map.of() : Map.of("vcores", random.nextLong(1, 40));
                    here.add(new SubCluster.Queue("root.q" + q, weights[q], Map.of(), asks.get(q), limit, List.of()));
                }
            }
            all.add(new SubCluster(
                    "sc" + s,
                    amounts(random, 30),
                    new SubCluster.Queue("root", 1, Map.of(), Map.of(), Map.of(), here)));
        }
        FederationTree tree = new FederationTree(all);

        FairDivision division = FairDivision.anywhere(tree).divide();

        double[] fair = new Programs(tree).fair();
        for (FederationTree.Node leaf : tree.leaves()) {
            assertThat(division.share(leaf.leaf()))
                    .as("%s of %s", leaf.path(), Arrays.toString(fair))
                    .isCloseTo(fair[leaf.leaf()], within(0.001));
        }
        for (int s = 0; s < clusters; s++) {
            for (int r = 0; r < tree.resources(); r++) {
                double used = 0;
                for (FederationTree.Node leaf : tree.leaves()) {
                    used += division.placed(leaf.leaf(), s) * leaf.direction()[r];
                }
                assertThat(used).as("resource %d of sc%d", r, s).isLessThan(tree.parts()[s][r] * 1.001 + ANY);
            }
        }
    }

    private static Map<String, Long> amounts(SplittableRandom random, long scale) {
        Map<String, Long> amounts = new HashMap<>();
        RESOURCES.forEach(resource -> amounts.put(resource, scale * random.nextLong(1, 10)));
        return amounts;
    }

    /** The variables are what each queue has in each sub-cluster, and last the level: share / weight. */
    private static final class Programs {
        private final FederationTree tree;
        private final double[] demand;
        private final double[][] most;
        private final int clusters;
        private final int level;
        private final double[] weight;

        Programs(FederationTree tree) {
            this.tree = tree;
            List<FederationTree.Node> leaves = tree.leaves();
            most = leaves.stream().map(FederationTree.Node::limits).toArray(double[][]::new);
            clusters = tree.clusters().size();
            level = leaves.size() * clusters;
            weight = leaves.stream().mapToDouble(FederationTree.Node::weight).toArray();
            demand = leaves.stream()
                    .mapToDouble(leaf -> Math.min(
                            leaf.demandShare(), Arrays.stream(leaf.limits()).sum()))
                    .toArray();
        }

        double[] fair() {
            double[] least = new double[demand.length];
            boolean[] grows = new boolean[demand.length];
            Arrays.fill(grows, true);
            while (IntStream.range(0, grows.length).anyMatch(i -> grows[i])) {
                double highest = solve(least, grows, level);
                for (int i = 0; i < grows.length; i++) {
                    if (grows[i]) {
                        least[i] = Math.min(demand[i], highest * weight[i]);
                    }
                }
                boolean[] none = new boolean[grows.length];
                for (int i = 0; i < grows.length; i++) {
                    grows[i] &= least[i] < demand[i] - ANY && solve(least, none, i) > least[i] + 1e-5;
                }
            }
            return least;
        }

        /**
         * The largest level of those that grow, or the largest amount of one queue.
         *
         * @param least what each has at least
         * @param what {@link #level} or a queue
         */
        private double solve(double[] least, boolean[] grows, int what) {
            List<LinearConstraint> rules = new ArrayList<>();
            double[] goal = new double[level + 1];
            for (int i = 0; i < demand.length; i++) {
                double[] sum = new double[level + 1];
                for (int s = 0; s < clusters; s++) {
                    double[] one = new double[level + 1];
                    one[i * clusters + s] = 1;
                    sum[i * clusters + s] = 1;
                    goal[i * clusters + s] = what == i ? 1 : 0;
                    rules.add(new LinearConstraint(one, Relationship.LEQ, most[i][s]));
                }
                rules.add(new LinearConstraint(sum, Relationship.GEQ, least[i] - 1e-9));
                if (grows[i]) {
                    double[] rise = sum.clone();
                    rise[level] = -weight[i];
                    rules.add(new LinearConstraint(rise, Relationship.EQ, 0));
                    double[] upTo = new double[level + 1];
                    upTo[level] = weight[i];
                    rules.add(new LinearConstraint(upTo, Relationship.LEQ, demand[i]));
                }
            }
            for (int s = 0; s < clusters; s++) {
                for (int r = 0; r < tree.resources(); r++) {
                    double[] used = new double[level + 1];
                    for (FederationTree.Node leaf : tree.leaves()) {
                        used[leaf.leaf() * clusters + s] = leaf.direction()[r];
                    }
                    rules.add(new LinearConstraint(used, Relationship.LEQ, tree.parts()[s][r]));
                }
            }
            goal[level] = what == level ? 1 : 0;
            return new SimplexSolver()
                    .optimize(
                            new MaxIter(10_000),
                            new LinearObjectiveFunction(goal, 0),
                            new LinearConstraintSet(rules),
                            GoalType.MAXIMIZE,
                            new NonNegativeConstraint(true))
                    .getValue();
        }
    }
}
