// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;

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
    private static void churn(Bed bed, SplittableRandom random, String spawning, int times, long... need) {
        for (int i = 0; i < times; i++) {
            if (!spawning.isEmpty()) {
                String fresh = spawning + ".fresh" + i;
                bed.app(fresh).ask(fresh, PLENTY, need);
            }
            bed.end(bed.containers.get(random.nextInt(bed.containers.size())));
            bed.fill();
        }
    }

    /** Several resources, any sizes, any weights: the other queue keeps its entitlement, up to a few containers. */
    @Test
    void aQueueThatSpawnsUsersCannotPushAnotherBelowItsEntitlement() {
        for (long seed = 0; seed < 40; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Bed bed = new Bed(1, 400, 400)
                    .group("a", "drf", 1 + random.nextInt(3))
                    .app("a.first")
                    .group("b", "drf", 1 + random.nextInt(3))
                    .app("b.only");
            long[] spawned = {1 + random.nextInt(5), 1 + random.nextInt(5)};
            bed.ask("a.first", PLENTY, random.nextInt(1, 6), random.nextInt(0, 6));
            bed.ask("b.only", PLENTY, 1 + random.nextInt(5), 1 + random.nextInt(5));
            bed.fill();
            churn(bed, random, "a", 300, spawned);
            bed.engine.renew();
            assertThat(Books.plain(bed.claim("b"))).as("seed %s", seed).isGreaterThan(0.9);
        }
    }

    /**
     * Beyond the entitlements fresh users do count for their queue.
     */
    @Test
    void whatIsLeftOverGoesToFreshUsers() {
        Bed calm = withLeftOver();
        churn(calm, new SplittableRandom(1), "", 400, 1, 1);
        Bed spawning = withLeftOver();
        churn(spawning, new SplittableRandom(1), "a", 400, 1, 1);
        System.out.println("calm " + calm.running("a") + " " + calm.running("b"));
        System.out.println("spawning " + spawning.running("a") + " " + spawning.running("b"));
    }

    private static Bed withLeftOver() {
        return new Bed(1, 90, 90)
                .group("a").app("a.first").group("b").app("b.only").group("c").app("c.little")
                .ask("c.little", 2, 1, 1).ask("a.first", PLENTY, 1, 1).ask("b.only", PLENTY, 1, 1).fill();
    }

    @Test
    void aUserAtItsLimitDoesNotMakeItsQueueLookPoor() {
        Bed bed = new Bed(1, 90, 90)
                .group("a").app("a.limited").app("a.free").group("b").app("b.only").group("c").app("c.little");
        bed.engine.setLimit(bed.claim("a.limited"), new long[] {2, 2});
        bed.ask("c.little", 2, 1, 1).ask("a.limited", PLENTY, 1, 1).ask("a.free", PLENTY, 1, 1).ask("b.only", PLENTY, 1, 1);
        bed.fill();
        System.out.println("limited " + bed.running("a") + " " + bed.running("b"));
    }
}
