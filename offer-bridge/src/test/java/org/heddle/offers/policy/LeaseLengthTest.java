// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Times in ms. */
class LeaseLengthTest {
    private static final long LONGEST = 60_000;

    private final LeaseLength length = new LeaseLength();

    @Test
    void aLeaseHasItsFullLengthUntilOthersWait() {
        assertThat(new LeaseLength().millis(LONGEST)).isEqualTo(LONGEST);
    }

    @Test
    void atMostHalfOfTheContainersAreOnTheirWayBack() {
        assertThat(length.mayDrain(8, 3, 10_000)).isTrue();
        assertThat(length.mayDrain(8, 4, 10_000)).isFalse();
        length.returned(10_000);
        length.returned(10_000);
        assertThat(length.mayDrain(6, 2, 11_000)).isFalse();
        assertThat(length.mayDrain(6, 1, 11_000)).isTrue();
        assertThat(length.mayDrain(6, 2, 13_000)).as("others got the two").isTrue();
        assertThat(length.mayDrain(1, 0, 13_000)).as("the only one").isTrue();
    }

    @BeforeEach
    void othersBegin() {
        length.othersBegin();
    }

    @Test
    void aLeaseIsShortThen() {
        assertThat(length.millis(LONGEST)).isEqualTo(2_000);
        assertThat(length.millis(1_000)).as("never longer than the setting").isEqualTo(1_000);
    }

    @Test
    void eachContainerThatComesBackDoublesIt() {
        for (long expected : new long[] {4_000, 8_000, 16_000, 32_000, 60_000, 60_000}) {
            length.returned(10_000);
            assertThat(length.allocated(11_000)).isTrue();
            assertThat(length.millis(LONGEST)).isEqualTo(expected);
        }
    }

    @Test
    void anAllocationWithoutAReturnDoesNot() {
        assertThat(length.allocated(11_000)).isFalse();
        length.returned(20_000);
        assertThat(length.allocated(22_001)).as("too late to be that container").isFalse();
        assertThat(length.millis(LONGEST)).isEqualTo(2_000);
    }

    @Test
    void aContainerThatOthersGetMakesItShortAgain() {
        length.returned(10_000);
        length.allocated(11_000);
        length.returned(20_000);
        length.returned(30_000);
        assertThat(length.millis(LONGEST)).isEqualTo(2_000);
    }

    @Test
    void someoneWhoBeginsToWaitMakesItShortAgain() {
        length.returned(10_000);
        length.allocated(11_000);
        length.othersBegin();
        assertThat(length.millis(LONGEST)).isEqualTo(2_000);
    }
}
