// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.federation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plans for sub-clusters of containers with one core and one unit of memory, unless a test says otherwise. */
@Tag("pure")
class FederationPlanTest {
    /** The tolerance of the division is 0.2 % of a sub-cluster, and the plan's weights have three digits. */
    private static final Offset<Double> NEARLY = within(0.005);

    private static SubCluster.Queue leaf(String path, double weight, long used, long asked) {
        return leaf(
                path,
                weight,
                Map.of("memory", used, "vcores", used),
                Map.of("memory", used + asked, "vcores", used + asked));
    }

    private static SubCluster.Queue leaf(
            String path, double weight, Map<String, Long> usage, Map<String, Long> demand) {
        return new SubCluster.Queue(path, weight, usage, demand, Map.of(), List.of());
    }

    private static SubCluster.Queue parent(String path, double weight, SubCluster.Queue... children) {
        return new SubCluster.Queue(path, weight, Map.of(), Map.of(), Map.of(), List.of(children));
    }

    private static SubCluster cluster(String id, long size, SubCluster.Queue... queues) {
        return new SubCluster(id, Map.of("memory", size, "vcores", size), parent("root", 1, queues));
    }

    private static FederationPlan.Queue of(FederationPlan plan, String path) {
        return plan.queues().stream()
                .filter(queue -> queue.path().equals(path))
                .findFirst()
                .orElseThrow();
    }

    private static double share(FederationPlan plan, String path) {
        return of(plan, path).fairShare();
    }

    private static double weight(FederationPlan plan, String path, String cluster) {
        return Objects.requireNonNull(of(plan, path).weights().get(cluster), cluster);
    }

    private static double part(FederationPlan plan, String path, String cluster) {
        Map<String, Double> requests = of(plan, path).requests();
        double sum = requests.values().stream().mapToDouble(part -> part).sum();
        return Objects.requireNonNull(requests.get(cluster), cluster) / sum;
    }

    /** Queue a is in the small sub-cluster only. It gets half of that, its part of the whole. */
    @Test
    void queueOfOneSubClusterGetsItsPartOfTheWhole() {
        FederationPlan plan = FederationPlan.of(List.of(
                cluster("sc1", 100, leaf("root.a", 1, 10, 500), leaf("root.b", 2, 30, 500), leaf("root.c", 3, 60, 500)),
                cluster("sc2", 200, leaf("root.b", 2, 80, 500), leaf("root.c", 3, 120, 500))));

        assertThat(share(plan, "root.a")).isCloseTo(1 / 6.0, NEARLY);
        assertThat(share(plan, "root.b")).isCloseTo(2 / 6.0, NEARLY);
        assertThat(share(plan, "root.c")).isCloseTo(3 / 6.0, NEARLY);
        assertThat(of(plan, "root.a").share()).isCloseTo(10 / 300.0, NEARLY);
        assertThat(weight(plan, "root.a", "sc1")).isCloseTo(0.5, NEARLY);
        // The rest of sc1 and all of sc2, b to c as 2 to 3 in both.
        assertThat(weight(plan, "root.b", "sc1")).isCloseTo(0.2, NEARLY);
        assertThat(weight(plan, "root.c", "sc1")).isCloseTo(0.3, NEARLY);
        assertThat(weight(plan, "root.b", "sc2")).isCloseTo(0.4, NEARLY);
        assertThat(weight(plan, "root.c", "sc2")).isCloseTo(0.6, NEARLY);
        assertThat(part(plan, "root.b", "sc2")).isCloseTo(0.8, NEARLY);
        assertThat(of(plan, "root.a").requests()).containsOnlyKeys("sc1");
    }

    /** Its part of the whole is more than the sub-cluster has: it gets all of it, and the others divide the rest. */
    @Test
    void queueOfATooSmallSubClusterGetsAllOfThat() {
        FederationPlan plan = FederationPlan.of(List.of(
                cluster("sc1", 50, leaf("root.a", 2, 0, 500), leaf("root.b", 1, 0, 500), leaf("root.c", 1, 0, 500)),
                cluster("sc2", 150, leaf("root.b", 1, 0, 500), leaf("root.c", 1, 0, 500))));

        assertThat(share(plan, "root.a")).isCloseTo(0.25, NEARLY);
        assertThat(share(plan, "root.b")).isCloseTo(0.375, NEARLY);
        assertThat(weight(plan, "root.a", "sc1")).isCloseTo(1, within(0.01));
        assertThat(weight(plan, "root.b", "sc1")).isLessThan(0.01);
        assertThat(part(plan, "root.b", "sc1")).isLessThan(0.02);
    }

    /** What b does not ask for goes to a and c, by their weights. */
    @Test
    void whatOneDoesNotUseGoesToTheOthersByWeight() {
        FederationPlan plan = FederationPlan.of(List.of(
                cluster("sc1", 100, leaf("root.a", 1, 0, 500), leaf("root.b", 2, 0, 10), leaf("root.c", 3, 0, 500)),
                cluster("sc2", 100, leaf("root.a", 1, 0, 500), leaf("root.b", 2, 0, 10), leaf("root.c", 3, 0, 500))));

        assertThat(share(plan, "root.b")).isCloseTo(0.1, NEARLY);
        assertThat(share(plan, "root.a")).isCloseTo(0.225, NEARLY);
        assertThat(share(plan, "root.c")).isCloseTo(0.675, NEARLY);
        assertThat(weight(plan, "root.b", "sc1"))
                .as("its part if it became busy")
                .isCloseTo(1 / 3.0, NEARLY);
        assertThat(weight(plan, "root.c", "sc1") / weight(plan, "root.a", "sc1"))
                .isCloseTo(3, within(0.05));
    }

    /** Requests that do not leave their sub-cluster: until they do, the weights there are by what can be had now. */
    @Test
    void weightsFollowTheDemandThatIsThereNow() {
        FederationPlan plan = FederationPlan.of(List.of(
                cluster("sc1", 100, leaf("root.a", 1, 0, 500), leaf("root.b", 1, 0, 500)),
                cluster("sc2", 100, leaf("root.a", 1, 0, 0), leaf("root.b", 1, 0, 0))));

        assertThat(weight(plan, "root.a", "sc1")).isCloseTo(0.5, NEARLY);
        assertThat(part(plan, "root.a", "sc2")).as("new requests use both").isCloseTo(0.5, NEARLY);
        assertThat(share(plan, "root.a")).isCloseTo(0.5, NEARLY);
    }

    /** An application keeps the parts with which it comes, so those of an idle queue are as if it were busy. */
    @Test
    void requestsOfAnIdleQueueGoWhereItsPartWillBe() {
        FederationPlan plan = FederationPlan.of(List.of(
                cluster("sc1", 100, leaf("root.a", 1, 100, 500), leaf("root.b", 2, 0, 0), leaf("root.c", 3, 0, 0)),
                cluster("sc2", 200, leaf("root.b", 2, 0, 0), leaf("root.c", 3, 0, 0))));

        assertThat(part(plan, "root.c", "sc1")).isCloseTo(0.2, NEARLY);
        assertThat(share(plan, "root.c")).isZero();
        assertThat(share(plan, "root.a")).isCloseTo(1 / 3.0, NEARLY);
    }

    /** Ghodsi's example, once in each of two sub-clusters: 9 cores and 18 of memory in each half. */
    @Test
    void dominantSharesAreEqualOverTheWhole() {
        SubCluster.Queue memory =
                leaf("root.memory", 1, Map.of("memory", 0L, "vcores", 0L), Map.of("memory", 4000L, "vcores", 1000L));
        SubCluster.Queue cores =
                leaf("root.cores", 1, Map.of("memory", 0L, "vcores", 0L), Map.of("memory", 1000L, "vcores", 3000L));
        FederationPlan plan = FederationPlan.of(List.of(
                new SubCluster("sc1", Map.of("memory", 180L, "vcores", 90L), parent("root", 1, memory, cores)),
                new SubCluster("sc2", Map.of("memory", 180L, "vcores", 90L), parent("root", 1, memory, cores))));

        assertThat(share(plan, "root.memory")).isCloseTo(2 / 3.0, NEARLY);
        assertThat(share(plan, "root.cores")).isCloseTo(2 / 3.0, NEARLY);
        assertThat(weight(plan, "root.memory", "sc2")).isCloseTo(weight(plan, "root.cores", "sc2"), NEARLY);
    }

    /** The parent's part is divided below it; its leaves are in different sub-clusters. */
    @Test
    void hierarchyHoldsOverTheWhole() {
        FederationPlan plan = FederationPlan.of(List.of(
                cluster("sc1", 100, parent("root.p", 1, leaf("root.p.x", 1, 0, 500)), leaf("root.q", 1, 0, 500)),
                cluster("sc2", 100, parent("root.p", 1, leaf("root.p.y", 3, 0, 500)), leaf("root.q", 1, 0, 500))));

        assertThat(share(plan, "root.p")).isCloseTo(0.5, NEARLY);
        assertThat(share(plan, "root.p.x")).isCloseTo(0.125, NEARLY);
        assertThat(share(plan, "root.p.y")).isCloseTo(0.375, NEARLY);
        assertThat(share(plan, "root.q")).isCloseTo(0.5, NEARLY);
        assertThat(weight(plan, "root.p", "sc1")).isCloseTo(0.25, NEARLY);
        assertThat(weight(plan, "root.q", "sc1")).isCloseTo(0.75, NEARLY);
    }

    @Test
    void limitsOfALeafHold() {
        SubCluster.Queue limited = new SubCluster.Queue(
                "root.a",
                3,
                Map.of("memory", 0L),
                Map.of("memory", 500L, "vcores", 500L),
                Map.of("memory", 20L),
                List.of());
        FederationPlan plan = FederationPlan.of(List.of(
                cluster("sc1", 100, limited, leaf("root.b", 1, 0, 500)),
                cluster("sc2", 100, limited, leaf("root.b", 1, 0, 500))));

        assertThat(share(plan, "root.a")).isCloseTo(0.2, NEARLY);
        assertThat(share(plan, "root.b")).isCloseTo(0.8, NEARLY);
    }

    @Test
    void differentWeightsAreNamed() {
        FederationPlan plan = FederationPlan.of(List.of(
                cluster("sc1", 100, leaf("root.a", 1, 0, 500), leaf("root.b", 1, 0, 500)),
                cluster("sc2", 100, leaf("root.a", 3, 0, 500), leaf("root.b", 1, 0, 500))));

        assertThat(plan.remarks())
                .containsExactly("root.a has the weight 3.0 in sc2 and 1.0 elsewhere: the largest counts");
        assertThat(share(plan, "root.a")).isCloseTo(0.75, NEARLY);
    }

    @Test
    void emptySubClustersGiveAPlan() {
        FederationPlan plan = FederationPlan.of(
                List.of(cluster("sc1", 0, leaf("root.a", 1, 0, 5)), cluster("sc2", 100, leaf("root.a", 1, 0, 5))));

        assertThat(part(plan, "root.a", "sc2")).isGreaterThan(0.98);
        assertThat(share(plan, "root.a")).isCloseTo(0.1, NEARLY);
        assertThat(FederationPlan.of(List.of(cluster("sc1", 0, leaf("root.a", 1, 0, 0))))
                        .queues())
                .hasSize(1);
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 300);
    }

    /**
     * The law of max-min fairness on random federations: nothing is over its capacity, and a queue that wants more
     * finds every sub-cluster that it may use full, and there nobody with a larger weighted share who could have left
     * it room.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void noQueueCanGetMoreWithoutAPoorerOneLosing(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int clusters = random.nextInt(2, 5);
        int queues = random.nextInt(3, 8);
        double[] weights = random.doubles(queues, 0.5, 4).toArray();
        List<SubCluster> all = new ArrayList<>();
        for (int s = 0; s < clusters; s++) {
            List<SubCluster.Queue> here = new ArrayList<>();
            for (int q = 0; q < queues; q++) {
                if (random.nextInt(3) > 0 || s == q % clusters) {
                    here.add(leaf("root.q" + q, weights[q], 0, random.nextInt(4) > 0 ? 5000 : random.nextInt(40)));
                }
            }
            all.add(cluster("sc" + s, random.nextLong(50, 300), here.toArray(new SubCluster.Queue[0])));
        }
        FederationTree tree = new FederationTree(all);
        FairDivision division = FairDivision.anywhere(tree).divide();

        double[] used = new double[clusters];
        for (int s = 0; s < clusters; s++) {
            for (int q = 0; q < tree.leaves().size(); q++) {
                used[s] += division.placed(q, s) / tree.parts()[s][0];
            }
            assertThat(used[s]).as("used of sc" + s).isLessThan(1.01);
        }
        for (FederationTree.Node poor : tree.leaves()) {
            double level = division.share(poor.leaf()) / poor.weight();
            for (int s = 0; s < clusters && division.isHungry(poor.leaf()); s++) {
                if (!poor.here()[s]) {
                    continue;
                }
                assertThat(used[s])
                        .as("sc" + s + " where " + poor.path() + " wants more")
                        .isGreaterThan(0.98);
                for (FederationTree.Node rich : tree.leaves()) {
                    double richLevel = division.share(rich.leaf()) / rich.weight();
                    if (richLevel > level * 1.05) {
                        assertThat(division.placed(rich.leaf(), s))
                                .as("of %s, richer than %s, in sc%d", rich.path(), poor.path(), s)
                                .isLessThan(0.015);
                    }
                }
            }
        }
    }
}
