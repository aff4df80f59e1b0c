// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Single steps of keeping the tree that the scenario laws once found wrong. Vectors are CPU, memory. */
@Tag("pure")
class SchedulableTreeTest {
    private static final int PLENTY = 1000;

    /** Who neither holds nor asks for anything is not counted, whichever way it came to that. */
    @Test
    void whoWithdrawsItsLastAskIsNotEntitledToAnythingAnyMore() {
        EngineFixture fixture = new EngineFixture(5, 10, 10).app("a").app("b");
        fixture.ask("a", PLENTY, 1, 1).offer(0);
        fixture.ask("b", 1, 20, 20).offer(1);
        assertThat(fixture.schedulable("a").entitlement(0)).isEqualTo(0.5);
        fixture.ask("b", -1, 20, 20).offer(2);
        assertThat(fixture.schedulable("a").entitlement(0)).isEqualTo(1);
    }

    /** Half of q's CPU belongs to a user who asks for no more; it must count again as soon as q's poorest has grown. */
    @Test
    void whoAsksForNothingCountsWithWhatThePoorestHasNowAndNotAtTheLastRound() {
        EngineFixture fixture = new EngineFixture(100, 1, 1)
                .group("q")
                .app("q.done")
                .app("q.new")
                .group("r")
                .app("r.a");
        fixture.ask("q.done", 40, 1, 1);
        for (int node = 0; node < 40; node++) {
            fixture.offer(node);
        }
        fixture.ask("q.new", PLENTY, 1, 0).ask("r.a", 1, 1, 1);
        for (int node = 40; node < 80; node++) {
            fixture.offer(node);
        }
        double kept = fixture.schedulable("q").normalizedShare();
        fixture.engine.renew();
        assertThat(kept).isGreaterThan(1).isCloseTo(fixture.schedulable("q").normalizedShare(), within(1e-9));
    }

    @Test
    void aTrialWithSeveralSiblingsLeavesTheirOrder() {
        EngineFixture fixture = new EngineFixture(1, 1000, 1000);
        for (int i = 0; i < 40; i++) {
            fixture.app("a" + i).ask("a" + i, PLENTY, 1, 1);
        }
        fixture.engine.renew();
        Trial trial = fixture.engine.trial();
        for (int i = 0; i < 40; i++) {
            int places = 1 + (i * 17) % 40;
            trial.hold(fixture.schedulable("a" + i), new long[] {places, places});
        }
        trial.revert();
        ChildHeap heap = fixture.engine.root().heap[0];
        for (int i = 1; i < heap.size(); i++) {
            assertThat(heap.get(i).precedes(heap.get((i - 1) / 2))).isFalse();
        }
    }
}
