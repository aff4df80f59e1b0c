// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.offers.model.AskView;
import org.heddle.offers.model.Resources;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AskPolicyTest {
    private static final Resources NODE = Resources.of(8000, 8192);
    private static final Resources MUCH = Resources.of(1_000_000, 1_000_000);

    private boolean active = true;
    private int nodes = 10;
    private int blocked;
    private int held;
    private int rounds;
    private boolean wantsOffers = true;
    private @Nullable Resources declined;
    private double pace;
    private @Nullable Resources learned;
    private @Nullable Resources wished;
    private @Nullable Resources smallest;
    private @Nullable Resources hole;
    private boolean waitsLong;
    private Resources node = NODE;
    private long freeGpus;
    private Resources agent = Resources.NONE;
    private Resources headroom = MUCH;

    private AskView view() {
        return new AskView(
                active,
                nodes,
                held,
                rounds,
                wantsOffers,
                declined,
                pace,
                learned,
                wished,
                Resources.of(100, 64),
                smallest,
                hole,
                waitsLong,
                node,
                freeGpus,
                agent,
                Resources.of(16_000, 16_384).withGpus(8),
                headroom);
    }

    private int count() {
        return AskPolicy.plan(view(), blocked).count();
    }

    private Resources size() {
        return AskPolicy.plan(view(), blocked).size();
    }

    @Test
    void aNewFrameworkIsShownAQuarterOfEachNode() {
        assertThat(count()).isEqualTo(10);
        assertThat(size()).isEqualTo(Resources.of(2000, 2048));
    }

    @Test
    void aFrameworkThatKnowsOfGpusIsShownAQuarterOfThem() {
        node = NODE.withGpus(6);
        assertThat(size().gpus()).as("none is free").isZero();
        freeGpus = 6;
        assertThat(size().gpus()).isEqualTo(2);
        freeGpus = 1;
        assertThat(size().gpus()).isEqualTo(1);
    }

    @Test
    void gpusFollowTheirUse() {
        node = NODE.withGpus(4);
        freeGpus = 4;
        learned = Resources.of(1000, 512).withGpus(3);
        assertThat(size()).isEqualTo(learned);
        learned = Resources.of(1000, 512);
        assertThat(size().gpus()).as("it uses none").isZero();
        declined = learned;
        assertThat(size().gpus()).as("offers without GPUs are refused").isEqualTo(1);
    }

    @Test
    void theHeadroomLimitsGpus() {
        learned = Resources.of(1000, 512).withGpus(2);
        headroom = MUCH.withGpus(5);
        assertThat(count()).isEqualTo(2);
    }

    @Test
    void fourFirstContainersWithTheirAgentsFillANode() {
        agent = Resources.of(0, 64);
        node = Resources.of(8000, 4096 - 64);
        assertThat(size()).isEqualTo(Resources.of(2000, 1024 - 64));
    }

    @Test
    void inAFullClusterAFirstContainerFitsWhatOthersReturn() {
        hole = Resources.of(1000, 960);
        assertThat(size()).isEqualTo(Resources.of(1000, 960));
        rounds = 1;
        assertThat(size()).as("who declines it waits for larger ones").isEqualTo(Resources.of(2000, 1920));
        hole = Resources.of(8000, 8000);
        rounds = 0;
        assertThat(size()).as("never more than a quarter of a node").isEqualTo(Resources.of(2000, 2048));
    }

    @Test
    void inAFullClusterASmallOfferThatIsDeclinedIsFollowedByLargerOnes() {
        headroom = Resources.NONE;
        wantsOffers = false;
        hole = Resources.of(1000, 128);
        declined = Resources.of(1000, 128);
        assertThat(size()).as("the framework has not seen a first container").isEqualTo(Resources.of(2000, 2048));
        assertThat(count()).isEqualTo(1);
        declined = Resources.of(2000, 2048);
        assertThat(size()).isEqualTo(Resources.of(4000, 4096));
        assertThat(count()).isEqualTo(1);
        declined = NODE;
        assertThat(count()).as("it has declined a whole node").isZero();
        learned = Resources.of(500, 100);
        declined = Resources.of(500, 100);
        assertThat(size()).as("its tasks may have become larger").isEqualTo(Resources.of(1000, 200));
        assertThat(count()).isEqualTo(1);
        hole = null;
        assertThat(count())
                .as("nodes have room, but its queue may use none of it")
                .isZero();
    }

    @Test
    void aLearnedSizeShrinksAfterLongWaitingButNotBelowTheSmallestUse() {
        learned = Resources.of(2000, 1500);
        smallest = Resources.of(500, 1100);
        hole = Resources.of(1000, 960);
        assertThat(size()).isEqualTo(learned);
        waitsLong = true;
        assertThat(size()).isEqualTo(Resources.of(1000, 1100));
        hole = null;
        assertThat(size()).as("a node has room").isEqualTo(learned);
    }

    @Test
    void offersThatItHoldsCount() {
        held = 7;
        assertThat(count()).isEqualTo(3);
        held = 12;
        assertThat(count()).isZero();
    }

    @Test
    void nothingIsAskedForSomebodyWhoDoesNotListen() {
        active = false;
        assertThat(count()).isZero();
    }

    @Test
    void roundsOfDeclinesHalveTheNumberAndDoubleTheSize() {
        rounds = 1;
        wantsOffers = false;
        assertThat(count()).isEqualTo(5);
        assertThat(size()).isEqualTo(Resources.of(4000, 4096));
        rounds = 5;
        assertThat(count()).isEqualTo(1);
        assertThat(size()).as("never more than a node").isEqualTo(NODE);
    }

    @Test
    void refusedNodesAreNotAskedFor() {
        blocked = 8;
        assertThat(count()).isEqualTo(2);
        blocked = 10;
        assertThat(count())
                .as("all refused: no demand at all, rather than a blacklist of everything")
                .isZero();
    }

    @Test
    void aFullClusterGetsOneAskOfAHungryFrameworkAndNoneOfADecliner() {
        headroom = Resources.NONE;
        assertThat(count()).isEqualTo(1);
        wantsOffers = false;
        assertThat(count()).isZero();
    }

    @Test
    void neverMoreThanTheSchedulerSaysIsThere() {
        headroom = Resources.of(100_000, 3 * 2048 + 100);
        assertThat(count()).isEqualTo(3);
    }

    @Test
    void theSizeIsLearnedOrWished() {
        learned = Resources.of(500, 300);
        assertThat(size()).isEqualTo(Resources.of(500, 300));
        wished = Resources.of(12_000, 9000);
        assertThat(size()).isEqualTo(Resources.of(12_000, 9000));
        wished = Resources.of(1, 1);
        assertThat(size()).as("minimum offer size").isEqualTo(Resources.of(100, 64));
        wished = Resources.of(99_000, 99_000);
        assertThat(size()).as("largest container").isEqualTo(Resources.of(16_000, 16_384));
    }

    @Test
    void quickAcceptersGetMore() {
        pace = 50;
        assertThat(count()).isEqualTo(50);
    }
}
