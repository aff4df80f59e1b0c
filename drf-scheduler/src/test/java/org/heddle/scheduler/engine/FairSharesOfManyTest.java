// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import org.heddle.scheduler.policy.ShareOrders;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Ten thousand applications: rounds are longer then, and users must have the shares which they have with one
 * application.
 */
@Tag("newer-line")
class FairSharesOfManyTest {
    private static final int QUEUES = 5;
    private static final int USERS = 10;
    private static final int APPLICATIONS = 200;
    private static final int NODES = 1_000;
    private static final int CORES = 32;

    @Test
    void usersHaveTheSharesOfOneApplicationWithAllTheirDemand() {
        EngineFixture few = new EngineFixture(NODES, 131_072, CORES);
        EngineFixture many = new EngineFixture(NODES, 131_072, CORES);
        SplittableRandom random = new SplittableRandom(1);
        for (int q = 0; q < QUEUES; q++) {
            double weight = 1 + random.nextInt(4);
            few.group("q" + q, "drf", weight);
            many.group("q" + q, "drf", weight);
            for (int u = 0; u < USERS; u++) {
                String user = "q" + q + ".u" + u;
                long memory = 512L << random.nextInt(6);
                long cores = 1L + random.nextInt(4);
                int each = random.nextInt(3) == 0 ? 1 : 20; // some users are content with what they get
                few.group(user, "drf", 1)
                        .app(user + ".all")
                        .ask(user + ".all", (long) each * APPLICATIONS, memory, cores);
                many.group(user, "drf", 1);
                for (int a = 0; a < APPLICATIONS; a++) {
                    many.app(user + ".a" + a).ask(user + ".a" + a, each, memory, cores);
                }
            }
        }
        FairShares expected = FairShares.of(few.engine, new ShareOrders());
        FairShares seen = FairShares.of(many.engine, new ShareOrders());
        for (int q = 0; q < QUEUES; q++) {
            equal(few, many, expected, seen, "q" + q);
            for (int u = 0; u < USERS; u++) {
                equal(few, many, expected, seen, "q" + q + ".u" + u);
            }
        }
    }

    private static void equal(
            EngineFixture few, EngineFixture many, FairShares expected, FairShares seen, String path) {
        assertThat(seen.of(many.schedulable(path)))
                .as(path)
                .isEqualTo(expected.of(few.schedulable(path)), within(0.004));
    }

    /**
     * The applications have more shapes than are kept apart; the engine itself, which fills a node, keeps all apart.
     */
    @Test
    void applicationsOfManyShapesHaveTheSharesOfALongFill() {
        EngineFixture fixture = new EngineFixture(1, 45_000_000, 25_000);
        SplittableRandom random = new SplittableRandom(2);
        for (int q = 0; q < 4; q++) {
            fixture.group("q" + q, "drf", 1 + random.nextInt(4));
            for (int u = 0; u < 5; u++) {
                String user = "q" + q + ".u" + u;
                fixture.group(user, "drf", 1);
                for (int a = 0; a < 10; a++) {
                    fixture.app(user + ".a" + a)
                            .ask(user + ".a" + a, 20_000, 500 + random.nextInt(8_000), 1 + random.nextInt(4));
                }
            }
        }
        FairShares shares = fixture.fairShares();
        while (fixture.offer(0, 40) > 0) {
            // until nothing fits
        }
        for (String path : fixture.schedulables.keySet()) {
            assertThat(shares.of(fixture.schedulable(path)))
                    .as(path)
                    .isEqualTo(fixture.dominantShare(path), within(0.006));
        }
    }

    /**
     * 600 applications of 13 shapes, served one after the other: the earlier ones, which need much memory, have all
     * that they ask for, the later nothing, and their queue has what one filled in that order has.
     */
    @Test
    void applicationsInTurnAreServedByTheirPlace() {
        EngineFixture fixture = new EngineFixture(1, 450_000_000, 250_000);
        SplittableRandom random = new SplittableRandom(3);
        for (String queue : List.of("in-turn", "also")) {
            fixture.group(queue, "fifo", 1);
            for (int a = 0; a < 300; a++) {
                String app = queue + "." + a;
                boolean isEarly = a < 150;
                long memory = isEarly ? 1_000L * (1 + random.nextInt(10)) : 500;
                long cores = isEarly ? 1 : 1L + random.nextInt(3);
                fixture.app(app).ask(app, 1_000, memory, cores);
            }
        }
        FairShares shares = fixture.fairShares();
        while (fixture.offer(0, 1_000) > 0) {
            // until nothing fits
        }
        for (String queue : List.of("in-turn", "also")) {
            assertThat(shares.of(fixture.schedulable(queue)))
                    .as(queue)
                    .isEqualTo(fixture.dominantShare(queue), within(0.006));
            double wrong = 0;
            for (int a = 0; a < 300; a++) {
                String app = queue + "." + a;
                wrong += Math.abs(shares.of(fixture.schedulable(app)) - fixture.dominantShare(app));
            }
            assertThat(wrong).as("differences of applications of " + queue).isLessThan(0.05);
        }
    }
}
