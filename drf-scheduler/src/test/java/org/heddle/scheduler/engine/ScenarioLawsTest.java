// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What always holds, whatever happens: each law over many scripts, shrunk where it fails. */
@Tag("pure")
class ScenarioLawsTest {
    private static final int SEEDS = 300;
    private static final int EVENTS = 200;

    /**
     * After every event: no node over-allocated, all counts and usages equal an independent account at every level,
     * heaps in order, every choice the one that a naive search makes, nothing left over that fits, trials without a
     * trace.
     */
    @Test
    void booksAndChoicesAreRight() {
        Scenario.holdsFor(LongStream.range(0, SEEDS), EVENTS, scenario -> {
            EngineModel model = new EngineModel();
            for (Scenario.Event event : scenario.events()) {
                model.apply(event);
                EngineInvariants.check(model);
            }
        });
    }

    @Test
    void whatIsKeptStepByStepEqualsWhatIsReckonedAnew() {
        Scenario.holdsFor(LongStream.range(1000, 1000 + SEEDS / 2), EVENTS, scenario -> {
            EngineModel model = new EngineModel();
            for (Scenario.Event event : scenario.events()) {
                model.apply(event);
                if ((event.who() + event.what()) % 8 == 0) {
                    EngineInvariants.checkRenewed(model);
                }
            }
        });
    }

    /** What an event changes is computed below the parents that it concerns; doing everything anew gives the same. */
    @Test
    void whatIsReckonedBelowSomeParentsEqualsWhatIsReckonedAnew() {
        reckonedAnewIsTheSame(3000, SEEDS);
    }

    @Test
    @Tag("long-3")
    void whatIsReckonedBelowSomeParentsEqualsWhatIsReckonedAnewInManyMoreScripts() {
        reckonedAnewIsTheSame(3000 + SEEDS, 7 * SEEDS);
    }

    private static void reckonedAnewIsTheSame(long first, int seeds) {
        Scenario.holdsFor(LongStream.range(first, first + seeds), EVENTS, scenario -> {
            EngineModel model = new EngineModel();
            for (Scenario.Event event : scenario.events()) {
                model.apply(event);
                EngineInvariants.checkRenewed(model);
            }
        });
    }

    @Test
    void sameSeedSameLog() {
        Scenario.holdsFor(LongStream.range(2000, 2050), EVENTS, scenario -> {
            List<String> first = play(scenario).log;
            assertThat(first).isEqualTo(play(scenario).log);
        });
    }

    private static EngineModel play(Scenario scenario) {
        EngineModel model = new EngineModel();
        scenario.events().forEach(model::apply);
        return model;
    }
}
