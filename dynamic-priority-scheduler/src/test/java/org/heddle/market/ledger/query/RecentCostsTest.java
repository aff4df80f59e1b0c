// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.ledger.book.EpochRecord;
import org.heddle.market.model.change.ApplicationCost;
import org.junit.jupiter.api.Test;

/** What is not known in memory is not answered from there. */
class RecentCostsTest {
    private static final long MILLIS = 1_000;
    private final RecentCosts costs = new RecentCosts(3);

    private static EpochRecord epoch(long number, List<ClosedEpoch.ApplicationCharge> parts) {
        ClosedEpoch.Line bill = new ClosedEpoch.Line("a", 1, 1, 5, 0, 0, 100, parts);
        return new EpochRecord(number, number * MILLIS, MILLIS, new ClosedEpoch(MILLIS, 1, 1, 1, 1, List.of(bill)));
    }

    private static EpochRecord epoch(long number) {
        return epoch(number, List.of(new ClosedEpoch.ApplicationCharge("app" + number % 2, "n", "u", 1, 5)));
    }

    private long charged(long from) {
        return costs.of("a", from, Long.MAX_VALUE).orElseThrow().list(ApplicationCost.By.APPLICATION, 10).stream()
                .mapToLong(cost -> cost.charged().nanos())
                .sum();
    }

    @Test
    void theWholePastIsKnownFromTheFirstEpochOn() {
        assertThat(costs.of("a", 0, Long.MAX_VALUE)).isEmpty();
        costs.add(epoch(1));
        costs.add(epoch(2));
        assertThat(charged(0)).isEqualTo(10);
        assertThat(charged(2 * MILLIS + 1)).isEqualTo(5);
        assertThat(costs.of("b", 0, Long.MAX_VALUE).orElseThrow().list(ApplicationCost.By.NAME, 10))
                .isEmpty();
    }

    @Test
    void theOldestEpochsGoWhenThereAreTooMany() {
        for (int i = 1; i <= 5; i++) {
            costs.add(epoch(i));
        }
        assertThat(costs.of("a", 3 * MILLIS, Long.MAX_VALUE))
                .as("epoch 2 ended then")
                .isEmpty();
        assertThat(charged(3 * MILLIS + 1)).isEqualTo(15);
    }

    @Test
    void aLaterBeginningKnowsNothingOfTheTimeBefore() {
        costs.add(epoch(7));
        assertThat(costs.of("a", 7 * MILLIS, Long.MAX_VALUE)).isEmpty();
        assertThat(charged(7 * MILLIS + 1)).isEqualTo(5);
    }

    @Test
    void billsWithoutPartsMakeTheTimeBeforeUnknown() {
        costs.add(epoch(1));
        costs.add(epoch(2, List.of()));
        costs.add(epoch(3));
        assertThat(costs.of("a", 3 * MILLIS, Long.MAX_VALUE)).isEmpty();
        assertThat(charged(3 * MILLIS + 1)).isEqualTo(5);
    }
}
