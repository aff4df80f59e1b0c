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

    private static SchedulableView paying(double normalizedShare) {
        return queue(1, 0, normalizedShare, 0);
    }

    private static SchedulableView owing(double normalizedShare) {
        return queue(0, MarketOrder.OWES, normalizedShare, 7);
    }

    private static SchedulableView notPaying(long front) {
        return queue(0, 0, 0, front);
    }

    private static SchedulableView queue(double weight, int priority, double normalizedShare, long front) {
        SchedulableView queue = mock(SchedulableView.class);
        when(queue.weight(0)).thenReturn(weight);
        when(queue.priority()).thenReturn(priority);
        when(queue.normalizedShare()).thenReturn(normalizedShare);
        when(queue.front()).thenReturn(front);
        return queue;
    }

    @Test
    void payingQueuesComeByShareThenThoseWithASurplusThenTheOthersByArrival() {
        List<SchedulableView> expected = List.of(
                paying(0),
                paying(0.5),
                paying(1e18),
                paying(Double.POSITIVE_INFINITY),
                owing(0.1),
                notPaying(0),
                notPaying(3),
                notPaying(Long.MAX_VALUE / 2));
        List<SchedulableView> shuffled = new ArrayList<>(expected);
        Collections.shuffle(shuffled, new Random(7));

        shuffled.sort(Comparator.comparingLong(ORDER::tier).thenComparingDouble(ORDER::key));

        assertThat(shuffled).containsExactlyElementsOf(expected);
    }
}
