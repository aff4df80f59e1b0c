// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The scenario generator itself: what it finds it makes small, and it says the seed. */
@Tag("pure")
class ShrinkingTest {
    /** A planted bug: the end of a container is booked twice once somebody's weight was changed. */
    private static void buggy(Scenario scenario) {
        EngineModel model = new EngineModel();
        boolean weighted = false;
        for (Scenario.Event event : scenario.events()) {
            int running = model.containers.size();
            EngineModel.Running first = running == 0 ? null : model.containers.get(0);
            model.apply(event);
            weighted |= event.kind() == Scenario.Kind.WEIGHT;
            if (weighted && first != null && event.kind() == Scenario.Kind.END && model.containers.size() < running) {
                model.engine.release(first.app().schedulable, first.size());
            }
            EngineInvariants.check(model);
        }
    }

    @Test
    void aPlantedBugIsShrunkToWhatItNeeds() {
        Scenario found = LongStream.range(0, 100)
                .mapToObj(seed -> Scenario.generate(seed, 300))
                .filter(ShrinkingTest::fails)
                .findFirst()
                .orElseThrow();
        Scenario small = found.shrink(ShrinkingTest::buggy);

        assertThat(fails(small)).isTrue();
        // a node, an application, its ask, an offer (or an outright hold), a weight, an end
        assertThat(small.events()).hasSizeBetween(5, 6);
        List<Scenario.Kind> kinds =
                small.events().stream().map(Scenario.Event::kind).toList();
        assertThat(kinds).contains(Scenario.Kind.WEIGHT, Scenario.Kind.END);
    }

    @Test
    void theFailureSaysTheSeedAndTheEvents() {
        assertThatThrownBy(() -> Scenario.holdsFor(LongStream.range(0, 100), 300, ShrinkingTest::buggy))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("seed ", " of 300 events are enough", "WEIGHT(", "END(", "usage of");
    }

    @Test
    void aSeedGivesOneScenario() {
        assertThat(Scenario.generate(7, 300)).isEqualTo(Scenario.generate(7, 300));
        assertThat(Scenario.generate(7, 300)).isNotEqualTo(Scenario.generate(8, 300));
    }

    private static boolean fails(Scenario scenario) {
        try {
            buggy(scenario);
            return false;
        } catch (AssertionError | RuntimeException failure) {
            return true;
        }
    }
}
