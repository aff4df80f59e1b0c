// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.offers.model.Resources;
import org.junit.jupiter.api.Test;

class RefusedOfferFiltersTest {
    private final RefusedOfferFilters filters = new RefusedOfferFilters();

    @Test
    void whatIsContainedInARefusedBundleIsRefusedUntilThen() {
        filters.add("a", Resources.of(2000, 1024), 100);
        assertThat(filters.refuses("a", Resources.of(2000, 1024), 99)).isTrue();
        assertThat(filters.refuses("a", Resources.of(1000, 512), 99)).isTrue();
        assertThat(filters.refuses("a", Resources.of(1000, 2048), 99))
                .as("more memory than refused")
                .isFalse();
        assertThat(filters.refuses("b", Resources.of(1000, 512), 99)).isFalse();
        assertThat(filters.refuses("a", Resources.of(1000, 512), 100)).isFalse();
    }

    @Test
    void endsAreKnownInOrder() {
        filters.add("a", Resources.of(1, 1), 100);
        filters.add("a", Resources.of(2, 2), 300);
        filters.add("b", Resources.of(1, 1), 200);
        assertThat(filters.refusing(Resources.of(1, 1), 50)).containsOnly("a", "b");
        assertThat(filters.expire(50)).isEqualTo(100);
        assertThat(filters.expire(100)).isEqualTo(200);
        assertThat(filters.refusing(Resources.of(1, 1), 250)).containsExactly("a");
        assertThat(filters.expire(300)).isEqualTo(Long.MAX_VALUE);
        assertThat(filters.isEmpty()).isTrue();
    }

    @Test
    void revivingForgetsAll() {
        filters.add("a", Resources.of(1, 1), Long.MAX_VALUE);
        filters.clear();
        assertThat(filters.refuses("a", Resources.of(1, 1), 0)).isFalse();
    }
}
