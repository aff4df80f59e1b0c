// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeMap;
import org.heddle.market.model.change.MarketRecord;
import org.junit.jupiter.api.Test;

/** Delayed changes of a value. */
class ChangeOrderTest {
    private static final long NOW = 1_795_000_000L;
    private static final String RATE = "the rate of alice";

    private final Map<String, MarketRecord> stored = new TreeMap<>();
    private ChangeOrder order = new ChangeOrder(70_000, stored);

    private void take(String value, long created, long now) throws RefusedException {
        for (MarketRecord record : order.take(value, created, now)) {
            if (record.isRemoval()) {
                stored.remove(record.id());
            } else {
                stored.put(record.id(), record);
            }
        }
    }

    @Test
    void aDelayedChangeCannotUndoALaterOneEvenAfterAFailover() throws Exception {
        take(RATE, NOW, NOW);
        assertThatThrownBy(() -> take(RATE, NOW - 6, NOW + 1))
                .isInstanceOfSatisfying(RefusedException.class, refusal -> {
                    assertThat(refusal.kind().status()).isEqualTo(409);
                    assertThat(refusal.code()).isEqualTo("out-of-order");
                })
                .hasMessage("a change of the rate of alice that was signed 6 s later came before; sign this change"
                        + " again if you still want it");
        order = new ChangeOrder(70_000, stored);
        assertThatThrownBy(() -> take(RATE, NOW - 6, NOW + 1)).isInstanceOf(RefusedException.class);
        take("the rate of bob", NOW - 6, NOW + 1);
    }

    @Test
    void requestsOfAFewSecondsMayArriveInAnyOrder() throws Exception {
        for (long created : new long[] {NOW, NOW - 5, NOW - 3, NOW, NOW - 5}) {
            take(RATE, created, NOW);
        }
        assertThatThrownBy(() -> take(RATE, NOW - 6, NOW)).isInstanceOf(RefusedException.class);
    }

    @Test
    void aSignerWithAFastClockDoesNotKeepOthersOut() throws Exception {
        take(RATE, NOW + 10, NOW);
        take(RATE, NOW, NOW);
        take(RATE, NOW - 5, NOW + 1);
    }

    @Test
    void aStepOfTheClockLetsNoDelayedChangeThrough() throws Exception {
        take(RATE, NOW, NOW);
        take("the rate of bob", NOW + 3_600, NOW + 3_600); // the clock is ahead, and what is older is forgotten
        assertThatThrownBy(() -> take(RATE, NOW - 6, NOW + 1)).hasMessageContaining("may have come before");
        order = new ChangeOrder(70_000, stored);
        assertThatThrownBy(() -> take(RATE, NOW - 6, NOW + 1)).hasMessageContaining("may have come before");
        take(RATE, NOW + 1, NOW + 1);
    }

    @Test
    void valuesAreForgottenWhenSignaturesOfThatAgeAreRefusedAnyway() throws Exception {
        for (int i = 0; i < 10_000; i++) {
            take("the rate of account" + i, NOW + i, NOW + i);
        }
        assertThat(stored).hasSizeLessThan(80);
        assertThat(new ChangeOrder(70_000, stored).take(RATE, NOW + 20_000, NOW + 20_000))
                .hasSizeGreaterThan(10);
    }
}
