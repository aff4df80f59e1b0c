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
        EngineFixture fixture =
                new EngineFixture(1, 10, 10).group("q").app("q.picky").app("q.last");
        fixture.ask("q.picky", 5, 1, 1).ask("q.last", 1, 1, 1);
        Placer placer = (app, gate) -> app == fixture.schedulable("q.picky")
                ? null
                : fixture.engine.asks(app).get(0);
        int placed = Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> fixture.engine.offer(fixture.free.get(0), 10, 0, placer));
        assertThat(placed).isEqualTo(1);
        assertThat(fixture.offer(0)).as("the refused one, in the next pass").isEqualTo(5);
    }

    /** A refusal is remembered (delay scheduling counts them), so nobody may be asked in vain. */
    @Test
    void doesNotAskAnApplicationWhoseOnlySizeItsQueueMayNotHave() {
        EngineFixture fixture =
                new EngineFixture(1, 10, 10).group("q").app("q.cpu").app("q.memory");
        fixture.engine.setLimit(fixture.schedulable("q"), new long[] {1, Long.MAX_VALUE});
        fixture.ask("q.cpu", 5, 2, 0).ask("q.memory", 3, 0, 1);
        List<Schedulable> asked = new ArrayList<>();
        Placer placer = (app, gate) -> {
            asked.add(app);
            return fixture.engine.asks(app).stream()
                    .filter(gate::admits)
                    .findFirst()
                    .orElse(null);
        };
        assertThat(fixture.engine.offer(fixture.free.get(0), 10, 0, placer)).isEqualTo(3);
        assertThat(asked).hasSize(3).containsOnly(fixture.schedulable("q.memory"));
    }

    /** After new weights, before any offer: the answer must be by the new ones. */
    @Test
    void whoIsNextIsByThePresentWeights() {
        EngineFixture fixture = new EngineFixture(1, 10, 10).app("a").app("b");
        fixture.ask("a", 4, 1, 1).ask("b", 100, 1, 1);
        fixture.offer(0, 8);
        fixture.ask("a", 4, 1, 1);
        fixture.engine.setWeight(fixture.schedulable("b"), new double[] {9, 9});
        assertThat(fixture.engine.nextWithUnlimitedRoom()).isSameAs(fixture.schedulable("b"));
    }
}
