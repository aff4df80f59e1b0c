// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PhaseTest {
    private static final Phase HALVES = new Phase("halves", Map.of("a", 0.5, "b", 0.5), () -> {});

    private static Sample sample(double seconds, Map<String, Double> shares) {
        return new Sample(seconds, shares, Map.of());
    }

    @Test
    void holdsWhereNoShareIsFurtherThanTheTolerance() {
        assertThat(HALVES.holds(sample(0, Map.of("a", 0.58, "b", 0.42)), List.of("a", "b"), 0.0875))
                .isTrue();
        assertThat(HALVES.holds(sample(0, Map.of("a", 0.6, "b", 0.4)), List.of("a", "b"), 0.0875))
                .isFalse();
    }

    @Test
    void tenantsThatAreNotNamedShouldHaveNothing() {
        assertThat(HALVES.holds(sample(0, Map.of("a", 0.5, "b", 0.5, "c", 0.1)), List.of("a", "b", "c"), 0.05))
                .isFalse();
        assertThat(HALVES.holds(sample(0, Map.of("a", 0.5)), List.of("a", "b"), 0.05))
                .as("b has nothing")
                .isFalse();
    }

    @Test
    void meansAreOfTheSamplesFromAMomentOn() {
        List<Sample> samples = List.of(sample(1, Map.of("a", 1.0)), sample(2, Map.of("a", 0.25)), sample(3, Map.of()));
        assertThat(Sample.mean(samples, "a", 2)).isEqualTo(0.125);
        assertThat(Sample.mean(samples, "a", 4)).isZero();
    }
}
