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
        EngineFixture bed = new EngineFixture(5, 10, 10).app("a").app("b");
        bed.ask("a", PLENTY, 1, 1).offer(0);
        bed.ask("b", 1, 20, 20).offer(1);
        assertThat(bed.schedulable("a").entitlement(0)).isEqualTo(0.5);
        bed.ask("b", -1, 20, 20).offer(2);
        assertThat(bed.schedulable("a").entitlement(0)).isEqualTo(1);
    }

    /** Half of q's CPU belongs to a user who asks for no more; it must count again as soon as q's poorest has grown. */
    @Test
    void whoAsksForNothingCountsWithWhatThePoorestHasNowAndNotAtTheLastRound() {
        EngineFixture bed = new EngineFixture(100, 1, 1)
                .group("q")
                .app("q.done")
                .app("q.new")
                .group("r")
                .app("r.a");
        bed.ask("q.done", 40, 1, 1);
        for (int node = 0; node < 40; node++) {
            bed.offer(node);
        }
        bed.ask("q.new", PLENTY, 1, 0).ask("r.a", 1, 1, 1);
        for (int node = 40; node < 80; node++) {
            bed.offer(node);
        }
        double kept = bed.schedulable("q").normalizedShare();
        bed.engine.renew();
        assertThat(kept).isGreaterThan(1).isCloseTo(bed.schedulable("q").normalizedShare(), within(1e-9));
    }

    @Test
    void aTrialWithSeveralSiblingsLeavesTheirOrder() {
        EngineFixture bed = new EngineFixture(1, 1000, 1000);
        for (int i = 0; i < 40; i++) {
            bed.app("a" + i).ask("a" + i, PLENTY, 1, 1);
        }
        bed.engine.renew();
        Trial trial = bed.engine.trial();
        for (int i = 0; i < 40; i++) {
            int places = 1 + (i * 17) % 40;
            trial.hold(bed.schedulable("a" + i), new long[] {places, places});
        }
        trial.revert();
        ChildHeap heap = bed.engine.root().heap[0];
        for (int i = 1; i < heap.size(); i++) {
            assertThat(heap.get(i).precedes(heap.get((i - 1) / 2))).isFalse();
        }
    }
}
