// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.offers.model.AskView;
import org.heddle.offers.model.Bundle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AskPolicyTest {
    private static final Bundle NODE = Bundle.of(8000, 8192);
    private static final Bundle MUCH = Bundle.of(1_000_000, 1_000_000);

    private boolean active = true;
    private int nodes = 10;
    private int blocked;
    private int held;
    private int rounds;
    private boolean hungry = true;
    private double pace;
    private @Nullable Bundle learned;
    private @Nullable Bundle wished;
    private Bundle headroom = MUCH;

    private AskView view() {
        return new AskView(
                active,
                nodes,
                blocked,
                held,
                rounds,
                hungry,
                pace,
                learned,
                wished,
                Bundle.of(100, 64),
                NODE,
                Bundle.of(16_000, 16_384),
                headroom);
    }

    private int count() {
        return AskPolicy.plan(view()).count();
    }

    private Bundle size() {
        return AskPolicy.plan(view()).size();
    }

    @Test
    void aNewFrameworkIsShownAQuarterOfEachNode() {
        assertThat(count()).isEqualTo(10);
        assertThat(size()).isEqualTo(Bundle.of(2000, 2048));
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
        hungry = false;
        assertThat(count()).isEqualTo(5);
        assertThat(size()).isEqualTo(Bundle.of(4000, 4096));
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
        headroom = Bundle.NONE;
        assertThat(count()).isEqualTo(1);
        hungry = false;
        assertThat(count()).isZero();
    }

    @Test
    void neverMoreThanTheSchedulerSaysIsThere() {
        headroom = Bundle.of(100_000, 3 * 2048 + 100);
        assertThat(count()).isEqualTo(3);
    }

    @Test
    void theSizeIsLearnedOrWished() {
        learned = Bundle.of(500, 300);
        assertThat(size()).isEqualTo(Bundle.of(500, 300));
        wished = Bundle.of(12_000, 9000);
        assertThat(size()).isEqualTo(Bundle.of(12_000, 9000));
        wished = Bundle.of(1, 1);
        assertThat(size()).as("minimum offer size").isEqualTo(Bundle.of(100, 64));
        wished = Bundle.of(99_000, 99_000);
        assertThat(size()).as("largest container").isEqualTo(Bundle.of(16_000, 16_384));
    }

    @Test
    void quickAcceptersGetMore() {
        pace = 50;
        assertThat(count()).isEqualTo(50);
    }
}
