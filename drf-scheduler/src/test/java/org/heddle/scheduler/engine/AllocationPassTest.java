// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Single passes that the scenario laws once found wrong. Vectors are CPU, memory. */
@Tag("pure")
class AllocationPassTest {
    /** The refused sibling still asks, so its queue seemed to have somebody to serve, and the pass never ended. */
    @Test
    void endsWhenTheLastWillingChildOfAQueueIsServed() {
        EngineFixture bed =
                new EngineFixture(1, 10, 10).group("q").app("q.picky").app("q.last");
        bed.ask("q.picky", 5, 1, 1).ask("q.last", 1, 1, 1);
        Placer placer = (app, gate) ->
                app == bed.schedulable("q.picky") ? null : bed.engine.asks(app).get(0);
        int placed = Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> bed.engine.offer(bed.free.get(0), 10, 0, placer));
        assertThat(placed).isEqualTo(1);
        assertThat(bed.offer(0)).as("the refused one, in the next pass").isEqualTo(5);
    }

    /** A refusal is remembered (delay scheduling counts them), so nobody may be asked in vain. */
    @Test
    void doesNotAskAnApplicationWhoseOnlySizeItsQueueMayNotHave() {
        EngineFixture bed = new EngineFixture(1, 10, 10).group("q").app("q.cpu").app("q.memory");
        bed.engine.setLimit(bed.schedulable("q"), new long[] {1, Long.MAX_VALUE});
        bed.ask("q.cpu", 5, 2, 0).ask("q.memory", 3, 0, 1);
        List<Schedulable> asked = new ArrayList<>();
        Placer placer = (app, gate) -> {
            asked.add(app);
            return bed.engine.asks(app).stream()
                    .filter(gate::admits)
                    .findFirst()
                    .orElse(null);
        };
        assertThat(bed.engine.offer(bed.free.get(0), 10, 0, placer)).isEqualTo(3);
        assertThat(asked).hasSize(3).containsOnly(bed.schedulable("q.memory"));
    }

    /** After new weights, before any offer: the answer must be by the new ones. */
    @Test
    void whoIsNextIsByThePresentWeights() {
        EngineFixture bed = new EngineFixture(1, 10, 10).app("a").app("b");
        bed.ask("a", 4, 1, 1).ask("b", 100, 1, 1);
        bed.offer(0, 8);
        bed.ask("a", 4, 1, 1);
        bed.engine.setWeight(bed.schedulable("b"), new double[] {9, 9});
        assertThat(bed.engine.nextWithUnlimitedRoom()).isSameAs(bed.schedulable("b"));
    }
}
