// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What flat DRF promises (NSDI 2011, section 4; Nexus 4.1), on one node filled from empty by users who never have
 * enough. The laws of the fluid limit run with containers of at most a thousandth of the node; what whole containers
 * can cost is written with each law.
 */
@Tag("pure")
class FlatLawsTest {
    private static final int SEEDS = 300;
    private static final int COARSE = 100;
    private static final int FLUID = 20_000;
    /** Users stop one after another as resources run out, each up to a container early: at most 2 % here. */
    private static final double GRAIN = 0.02;

    private static void forSeeds(long first, int seeds, long capacity, BiConsumer<FlatCluster, SplittableRandom> law) {
        for (long seed = first; seed < first + seeds; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            FlatCluster cluster = FlatCluster.random(random, capacity);
            try {
                law.accept(cluster, random);
            } catch (AssertionError failure) {
                throw new AssertionError(
                        "seed " + seed + ": capacity " + Arrays.toString(cluster.capacity()) + ", needs "
                                + Arrays.deepToString(cluster.need()) + ", weights "
                                + Arrays.deepToString(cluster.weight()) + ": " + failure.getMessage(),
                        failure);
            }
        }
    }

    /**
     * Everyone reaches a weighted dominant share of 1, which is its entitlement's dominant share, up to one container
     * of each user: when user i stops for lack of resource j, the others are ahead of it by at most a container each,
     * so what i is short of on j is at most what one container of each user needs of j.
     */
    @Test
    void shareGuarantee() {
        forSeeds(0, SEEDS, COARSE, FlatLawsTest::checkShareGuarantee);
        forSeeds(0, 40, FLUID, FlatLawsTest::checkShareGuarantee);
    }

    private static void checkShareGuarantee(FlatCluster cluster, SplittableRandom unused) {
        long[] containers = cluster.fill().containers();
        double round = 0;
        for (int j = 0; j < cluster.resources(); j++) {
            int resource = j;
            long oneOfEach = Arrays.stream(cluster.need())
                    .mapToLong(need -> need[resource])
                    .sum();
            round = Math.max(round, (double) oneOfEach / cluster.capacity()[j]);
        }
        for (int i = 0; i < cluster.users(); i++) {
            assertThat(cluster.normalizedShare(i, containers[i]))
                    .as("user %s", i)
                    .isGreaterThan(1 - round - 1e-9);
        }
    }

    /**
     * Nobody would rather have what another had, scaled to the own weight, when it could go on no longer itself: less
     * the other's last container. (Weights by resource have no single scale to compare with, so are left out.)
     */
    @Test
    void envyFreenessUpToOneContainer() {
        forSeeds(1000, SEEDS, COARSE, (cluster, random) -> {
            FlatCluster.Outcome outcome = cluster.fill();
            for (int i = 0; i < cluster.users(); i++) {
                for (int k = 0; k < cluster.users(); k++) {
                    long held = Math.max(0, outcome.heldByAllAtEndOf()[i][k] - 1);
                    assertNoEnvy(cluster, i, k, held, outcome.containers()[i] + 1e-9);
                }
            }
        });
    }

    /** In the fluid limit that is so at the end, too: who needs what has run out stops with the others. */
    @Test
    void envyFreenessInTheFluidLimit() {
        forSeeds(2000, 40, FLUID, (cluster, random) -> {
            long[] containers = cluster.fill().containers();
            for (int i = 0; i < cluster.users(); i++) {
                for (int k = 0; k < cluster.users(); k++) {
                    assertNoEnvy(cluster, i, k, containers[k], containers[i] * (1 + GRAIN));
                }
            }
        });
    }

    private static void assertNoEnvy(FlatCluster cluster, int i, int k, long heldByK, double own) {
        double[] bundle = new double[cluster.resources()];
        double scale = cluster.weight()[i][0] / cluster.weight()[k][0];
        for (int j = 0; j < bundle.length; j++) {
            if (cluster.weight()[i][j] * cluster.weight()[k][0] != cluster.weight()[k][j] * cluster.weight()[i][0]) {
                return;
            }
            bundle[j] = heldByK * cluster.need()[k][j] * scale;
        }
        assertThat(FlatCluster.worth(cluster.need()[i], bundle))
                .as("what %s has is worth to %s", k, i)
                .isLessThanOrEqualTo(own);
    }

    /**
     * Nobody can have more unless somebody has less: with fixed needs that is so if and only if everyone needs a
     * resource of which not one more container's worth is left.
     */
    @Test
    void paretoEfficiency() {
        forSeeds(3000, SEEDS, COARSE, (cluster, random) -> {
            long[] left = cluster.left(cluster.fill().containers());
            for (int i = 0; i < cluster.users(); i++) {
                assertThat(cluster.fits(cluster.need()[i], left)).isFalse();
            }
        });
    }

    /**
     * Whose weight grows does not get less. In whole containers that may fail by a round, as order within a round
     * changes; so in the fluid limit. (Why it holds there: until a user stops nothing it needs has run out, so its own
     * speed does not change what the others take; going faster it meets them earlier, when they hold less.)
     */
    @Test
    void monotoneInWeights() {
        forSeeds(4000, 60, FLUID, (cluster, random) -> {
            int user = random.nextInt(cluster.users());
            double[] heavier = cluster.weight()[user].clone();
            double factor = 1 + 3 * random.nextDouble();
            for (int j = 0; j < heavier.length; j++) {
                heavier[j] *= factor;
            }
            long before = cluster.fill().containers()[user];
            long after =
                    cluster.with(user, cluster.need()[user], heavier).fill().containers()[user];
            assertThat((double) after).isGreaterThanOrEqualTo(before * (1 - GRAIN));
        });
    }

    /** A user who asks for what it does not need, or for less than it needs, cannot use more containers for it. */
    @Test
    void strategyProofInTheFluidLimit() {
        forSeeds(5000, 60, FLUID, (cluster, random) -> {
            int user = random.nextInt(cluster.users());
            long[] need = cluster.need()[user];
            long honest = cluster.fill().containers()[user];
            for (int lie = 0; lie < 3; lie++) {
                long[] claimed = need.clone();
                for (int j = 0; j < claimed.length; j++) {
                    claimed[j] = lie == 0 ? need[j] + random.nextInt(20) : random.nextInt(1, 30);
                }
                double[] got = new double[need.length];
                long containers = cluster.with(user, claimed, cluster.weight()[user])
                        .fill()
                        .containers()[user];
                for (int j = 0; j < got.length; j++) {
                    got[j] = containers * claimed[j];
                }
                assertThat(FlatCluster.worth(need, got))
                        .as("user %s says that it needs %s", user, Arrays.toString(claimed))
                        .isLessThanOrEqualTo(honest * (1 + GRAIN));
            }
        });
    }

    private static final double[] ONE = {1, 1};

    private static long first(long[] capacity, long[] a, long[] b) {
        return new FlatCluster(capacity, new long[][] {a, b}, new double[][] {ONE, ONE})
                .fill()
                .containers()[0];
    }

    /** Nexus 4.1: surplus that becomes the dominating resource costs containers. */
    @Test
    void surplusThatDominatesHurts() {
        long[] cluster = {300, 300};
        assertThat(first(cluster, new long[] {1, 3}, new long[] {1, 1})).isEqualTo(50);
        assertThat(first(cluster, new long[] {6, 3}, new long[] {1, 1})).isEqualTo(25);
    }

    /** Nexus 4.1: surplus of another resource gains nothing, and hurts where it cannot be had. */
    @Test
    void surplusThatDoesNotDominateGainsNothing() {
        long[] cluster = {300, 300};
        assertThat(first(cluster, new long[] {2, 3}, new long[] {1, 1})).isEqualTo(50);
        assertThat(first(cluster, new long[] {3, 3}, new long[] {3, 1})).isEqualTo(50);
        assertThat(first(cluster, new long[] {1, 3}, new long[] {3, 1})).isEqualTo(75);
    }

    /**
     * Nexus 4.1's reservation, which is why the law above is for the fluid limit: with few large containers surplus can
     * make the other's next container not fit, so that the rest is the liar's.
     */
    @Test
    void withFewLargeContainersSurplusCanShutTheOtherOut() {
        long[] cluster = {10, 10};
        assertThat(first(cluster, new long[] {1, 3}, new long[] {4, 1})).isEqualTo(2);
        assertThat(first(cluster, new long[] {2, 3}, new long[] {4, 1})).isEqualTo(3);
    }
}
