// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * More siblings than entitlements are kept exact for: they may lag, but not by more than they should, and they are not
 * computed anew whenever one comes or goes (docs/decisions/0050).
 */
@Tag("pure")
class ManySiblingsTest {
    private static final int APPS = 4 * SchedulableTree.MANY;
    private static final int PLACES = 4;
    private static final int PLENTY = 1000;

    private final EngineFixture fixture = new EngineFixture(APPS, PLACES, PLACES);

    @BeforeEach
    void halfOfThemAsk() {
        IntStream.range(0, APPS).forEach(i -> fixture.app(name(i)));
        IntStream.range(0, APPS / 2).forEach(i -> fixture.ask(name(i), PLENTY, 1, 1));
        fixture.engine.refresh();
    }

    private static String name(int app) {
        return "a" + app;
    }

    private boolean asks(int app) {
        return fixture.schedulable(name(app)).pending() > 0;
    }

    @Test
    void entitlementsLagByNoMoreThanTheToleranceAndAreSeldomComputedAnew() {
        SplittableRandom random = new SplittableRandom(41);
        int events = 4 * APPS;
        int computed = 0;
        for (int event = 0; event < events; event++) {
            int app = random.nextInt(APPS);
            fixture.ask(name(app), asks(app) ? -PLENTY : PLENTY, 1, 1);
            computed += fixture.engine.isStale() ? 1 : 0;
            fixture.engine.refresh();
            assertThat(worstLag()).as("lag after event %d", event).isLessThan(2 * SchedulableTree.TOLERANCE);
        }
        assertThat(computed).as("times of %d", events).isBetween(1, events / 20);
        fixture.engine.renew();
        assertThat(worstLag()).isLessThan(1e-9);
    }

    /** By what part the entitlement of an application that asks is wrong, at worst. */
    private double worstLag() {
        long active = IntStream.range(0, APPS).filter(this::asks).count();
        return IntStream.range(0, APPS)
                .filter(this::asks)
                .mapToDouble(app -> Math.abs(fixture.schedulable(name(app)).entitlement(0) * active - 1))
                .max()
                .orElse(0);
    }

    @Test
    void thoseWhoComeOneByOneGetTheirPart() {
        IntStream.range(0, APPS / 2).forEach(fixture::offer);
        for (int i = APPS / 2; i < APPS; i++) {
            fixture.ask(name(i), PLENTY, 1, 1);
            fixture.offer(i);
        }
        assertThat(IntStream.range(0, APPS).mapToLong(i -> fixture.running(name(i))))
                .allMatch(running -> Math.abs(running - PLACES) <= 1);
    }

    @Test
    void aTrialForOneThatWasNotActiveLeavesNothingBehind() {
        double[] before = fixture.engine.root().activeWeight.clone();
        Trial trial = fixture.engine.trial();
        trial.hold(fixture.schedulable(name(APPS - 1)), new long[] {1, 1});
        assertThat(fixture.engine.root().activeWeight).isNotEqualTo(before);
        trial.revert();
        assertThat(fixture.engine.root().activeWeight).isEqualTo(before);
        assertThat(fixture.engine.isStale()).isFalse();
    }

    @Test
    void aUserWithAnApplicationThatAsksForNothingYetChangesNothingForOthers() {
        fixture.group("user");
        fixture.engine.setLimit(fixture.schedulable("user"), new long[] {2, 2});
        fixture.app("user.app");
        assertThat(fixture.engine.isStale()).isFalse();
        fixture.ask("user.app", PLENTY, 1, 1).fill();
        assertThat(fixture.running("user.app")).as("its limit holds").isEqualTo(2);
    }
}
