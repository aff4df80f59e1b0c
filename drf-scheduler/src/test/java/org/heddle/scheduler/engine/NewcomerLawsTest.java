// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Fresh users, blocked users and users at their limit must not enlarge their queue. One node; containers end at random
 * and what is free is offered again.
 */
@Tag("pure")
class NewcomerLawsTest {
    private static final int PLENTY = 100_000;

    /** Ends containers at random, one after another; before each a new user of a queue asks. */
    private static void churn(
            EngineFixture fixture, SplittableRandom random, String spawning, int times, long... need) {
        for (int i = 0; i < times; i++) {
            if (!spawning.isEmpty()) {
                String fresh = spawning + ".fresh" + i;
                fixture.app(fresh).ask(fresh, PLENTY, need);
            }
            List<EngineFixture.Container> large = fixture.containers.stream()
                    .filter(held -> !held.application().name.startsWith("c."))
                    .toList();
            fixture.end(large.get(random.nextInt(large.size())));
            fixture.fill();
        }
    }

    /** Several resources, any sizes, any weights: the other queue keeps its entitlement, up to a few containers. */
    @Test
    void aQueueThatSpawnsUsersCannotPushAnotherBelowItsEntitlement() {
        for (long seed = 0; seed < 40; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            EngineFixture fixture = new EngineFixture(1, 400, 400)
                    .group("a", "drf", 1 + random.nextInt(3))
                    .app("a.first")
                    .group("b", "drf", 1 + random.nextInt(3))
                    .app("b.only");
            long[] spawned = {1 + random.nextInt(5), 1 + random.nextInt(5)};
            fixture.ask("a.first", PLENTY, random.nextInt(1, 6), random.nextInt(0, 6));
            fixture.ask("b.only", PLENTY, 1 + random.nextInt(5), 1 + random.nextInt(5));
            fixture.fill();
            churn(fixture, random, "a", 300, spawned);
            fixture.engine.renew();
            assertThat(EngineInvariants.plain(fixture.schedulable("b")))
                    .as("seed %s", seed)
                    .isGreaterThan(0.9);
        }
    }

    /**
     * The law holds up to the entitlements and not beyond. Counter-example: a, b and c are entitled to 30 of 90 each
     * and c wants only 2, so 28 are left over. Without fresh users a and b halve them. If a sends a fresh user before
     * each end of a container, its poorest user always has nothing, a never counts with more than its entitlement, and
     * it gets nearly all of the 28; b keeps its 30.
     */
    @Test
    void whatIsLeftOverGoesToFreshUsers() {
        EngineFixture calm = withLeftOver();
        churn(calm, new SplittableRandom(1), "", 400, 1, 1);
        assertThat(calm.running("a")).isEqualTo(44);
        assertThat(calm.running("b")).isEqualTo(44);

        EngineFixture spawning = withLeftOver();
        churn(spawning, new SplittableRandom(1), "a", 400, 1, 1);
        assertThat(spawning.running("b")).isBetween(29L, 31L);
        assertThat(spawning.running("c")).isEqualTo(2);
    }

    private static EngineFixture withLeftOver() {
        return new EngineFixture(1, 90, 90)
                .group("a")
                .app("a.first")
                .group("b")
                .app("b.only")
                .group("c")
                .app("c.little")
                .ask("c.little", 2, 1, 1)
                .ask("a.first", PLENTY, 1, 1)
                .ask("b.only", PLENTY, 1, 1)
                .fill();
    }

    /** It asks and cannot have, so like a blocked one it must not be the poorest to whom the others are scaled. */
    @Test
    void aUserAtItsLimitDoesNotMakeItsQueueLookPoor() {
        EngineFixture fixture = new EngineFixture(1, 90, 90)
                .group("a")
                .app("a.limited")
                .app("a.free")
                .group("b")
                .app("b.only")
                .group("c")
                .app("c.little");
        fixture.engine.setLimit(fixture.schedulable("a.limited"), new long[] {2, 2});
        fixture.ask("c.little", 2, 1, 1)
                .ask("a.limited", PLENTY, 1, 1)
                .ask("a.free", PLENTY, 1, 1)
                .ask("b.only", PLENTY, 1, 1);
        fixture.fill();
        assertThat(fixture.running("a.limited")).isEqualTo(2);
        assertThat(fixture.running("a")).isEqualTo(44);
        assertThat(fixture.running("b")).isEqualTo(44);
    }

    /** The same for one that may have nothing for another reason, as one that waits for the limit of masters. */
    @Test
    void anApplicationThatIsHeldBackDoesNotMakeItsQueueLookPoor() {
        EngineFixture fixture = withLeftOver().app("a.waiting").refuse("a.waiting");
        fixture.ask("a.waiting", 1, 1, 1);
        churn(fixture, new SplittableRandom(1), "", 400, 1, 1);
        assertThat(fixture.running("a.waiting")).isZero();
        assertThat(fixture.running("a")).isEqualTo(44);
        assertThat(fixture.running("b")).isEqualTo(44);
    }
}
