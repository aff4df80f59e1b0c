// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.heddle.offers.model.Resources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OfferResponsesTest {
    private final OfferResponses responses = new OfferResponses();

    private void declined(int times) {
        for (int i = 0; i < times; i++) {
            responses.declined(Resources.of(1000, 500));
        }
    }

    @Test
    void aNewFrameworkWantsOffersAndNothingIsKnownOfIt() {
        assertThat(responses.wantsOffers()).isTrue();
        assertThat(responses.learned()).isNull();
        assertThat(responses.acceptsPerSecond()).isZero();
        assertThat(responses.declineRounds()).isZero();
    }

    @Test
    void aDeclineSaysThatItWantsNoneUntilItAcceptsOrAsks() {
        responses.declined(Resources.of(1000, 500));
        assertThat(responses.wantsOffers()).isFalse();
        responses.requested();
        assertThat(responses.wantsOffers()).isTrue();
        responses.declined(Resources.of(1000, 500));
        responses.accepted(1_000, Resources.of(1, 1));
        assertThat(responses.wantsOffers()).isTrue();
        responses.declined(Resources.of(1000, 500));
        responses.wanted();
        assertThat(responses.wantsOffers()).isTrue();
    }

    @Test
    void theLargestDeclinedOfferIsKnownUntilAnOfferIsUsed() {
        assertThat(responses.declined()).isNull();
        responses.declined(Resources.of(1000, 500));
        responses.declined(Resources.of(500, 700));
        assertThat(responses.wantsOffersOf(Resources.of(1000, 700))).isFalse();
        assertThat(responses.wantsOffersOf(Resources.of(2000, 700))).isTrue();
        assertThat(responses.declined()).isEqualTo(Resources.of(1000, 700));
        responses.accepted(1_000, Resources.of(1, 1));
        assertThat(responses.declined()).isNull();
    }

    @ParameterizedTest(name = "{0} declines, {1} nodes: {2} rounds")
    @CsvSource({"2, 3, 0", "3, 3, 1", "4, 3, 1", "1, 0, 1", "0, 0, 0"})
    void aRoundIsAsManyDeclinesAsNodes(int declines, int nodes, int rounds) {
        declined(declines);
        responses.countRound(nodes);
        assertThat(responses.declineRounds()).isEqualTo(rounds);
    }

    @Test
    void theNextRoundBeginsWithNone() {
        declined(3);
        responses.countRound(3);
        declined(2);
        responses.countRound(3);
        assertThat(responses.declineRounds()).isEqualTo(1);
        declined(1);
        responses.countRound(3);
        assertThat(responses.declineRounds()).isEqualTo(2);
    }

    @Test
    void anAcceptedOfferEndsTheRounds() {
        declined(5);
        responses.countRound(3);
        declined(2);
        responses.accepted(1_000, Resources.of(1, 1));
        responses.countRound(2);
        assertThat(responses.declineRounds()).isZero();
    }

    @Test
    void aRequestDoesNotEndTheRounds() {
        declined(3);
        responses.countRound(3);
        responses.requested();
        assertThat(responses.declineRounds()).isEqualTo(1);
    }

    @Test
    void theRateFollowsThePausesBetweenAcceptedOffers() {
        responses.accepted(1_000, Resources.of(1, 1));
        assertThat(responses.acceptsPerSecond()).as("one offer is no rate").isZero();
        responses.accepted(1_100, Resources.of(1, 1));
        assertThat(responses.acceptsPerSecond()).as("0.3 * 10").isEqualTo(3, within(1e-9));
        responses.accepted(1_300, Resources.of(1, 1));
        assertThat(responses.acceptsPerSecond()).as("0.3 * 5 + 0.7 * 3").isEqualTo(3.6, within(1e-9));
        responses.accepted(1_300, Resources.of(1, 1));
        assertThat(responses.acceptsPerSecond())
                .as("at once: 0.3 * 1000 + 0.7 * 3.6")
                .isEqualTo(302.52, within(1e-9));
    }

    @Test
    void theSizeIsThatOfTheLargestUseWhileThereAreFew() {
        responses.accepted(1_000, Resources.of(500, 900));
        responses.accepted(2_000, Resources.of(700, 300));
        assertThat(responses.learned()).isEqualTo(Resources.of(700, 900));
    }

    @Test
    void theTwoLargestOfFiftyUsesAreLeftOut() {
        for (int i = 1; i <= 50; i++) {
            responses.accepted(i, Resources.of(10L * i, i));
        }
        assertThat(responses.learned()).isEqualTo(Resources.of(480, 48));
    }

    @Test
    void oldUsesAreForgotten() {
        for (int i = 1; i <= 50; i++) {
            responses.accepted(i, Resources.of(9000, 9000));
        }
        for (int i = 1; i <= 50; i++) {
            responses.accepted(100 + i, Resources.of(100, 100));
        }
        assertThat(responses.learned()).isEqualTo(Resources.of(100, 100));
    }
}
