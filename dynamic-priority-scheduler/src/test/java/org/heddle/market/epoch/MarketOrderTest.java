// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.heddle.scheduler.policy.SchedulableView;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class MarketOrderTest {
    private static final MarketOrder ORDER = new MarketOrder();

    /** A queue without a lag. */
    private static SchedulableView paying(double normalizedShare) {
        SchedulableView queue = mock(SchedulableView.class);
        when(queue.weight(0)).thenReturn(1.0);
        when(queue.normalizedShare()).thenReturn(normalizedShare);
        return queue;
    }

    private static SchedulableView notPaying(long front) {
        SchedulableView queue = mock(SchedulableView.class);
        when(queue.front()).thenReturn(front);
        return queue;
    }

    /** A queue that pays and keeps a lag, with containers of one slot. */
    private static SchedulableView lagging(double held, double target, double debtMillis) {
        MarketMeter meter = mock(MarketMeter.class);
        when(meter.pays()).thenReturn(true);
        when(meter.keepsLag()).thenReturn(true);
        when(meter.held()).thenReturn(held);
        when(meter.container()).thenReturn(1.0);
        when(meter.target()).thenReturn(target);
        when(meter.debtMillis()).thenReturn(debtMillis);
        SchedulableView queue = mock(SchedulableView.class);
        when(queue.meter()).thenReturn(meter);
        return queue;
    }

    private static void assertOrder(List<SchedulableView> expected) {
        List<SchedulableView> shuffled = new ArrayList<>(expected);
        Collections.shuffle(shuffled, new Random(7));
        shuffled.sort(Comparator.comparingLong(ORDER::tier).thenComparingDouble(ORDER::key));
        assertThat(shuffled).containsExactlyElementsOf(expected);
    }

    @Test
    void payingQueuesComeByShareThenTheOthersByArrival() {
        assertOrder(List.of(
                paying(0),
                paying(0.5),
                paying(1e18),
                paying(Double.POSITIVE_INFINITY),
                notPaying(0),
                notPaying(3),
                notPaying(Long.MAX_VALUE / 2)));
    }

    @Test
    void queuesComeByTheirPartOfTheTargetThenThoseInDebtThenTheOthers() {
        assertOrder(List.of(
                lagging(0, 2, 0), // half a container of two slots
                lagging(2, 8, 0),
                lagging(0, 0.5, 0),
                lagging(0, 0.1, 5),
                lagging(3, -0.1, 5),
                lagging(0, -7, 6),
                notPaying(1)));
    }
}
