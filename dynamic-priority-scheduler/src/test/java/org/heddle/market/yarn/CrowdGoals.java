// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import org.heddle.market.model.amount.Credits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A hundred queues in a real ResourceManager, at rates from 1 to 10,000. The run is so long that the part of the
 * smallest payer is several of its longest containers, so a queue that gets nothing is seen: minutes, so by hand, see
 * docs/testing.md.
 */
class CrowdGoals {
    private static final int QUEUES = 100;
    private static final int NODES = 12;
    private static final int LARGE_PAYERS = 10;
    private static final int SHORTEST_MILLIS = 1_000;
    private static final int LONGEST_MILLIS = 2_000;
    private static final long CREDIT_FOR_EACH_RATE = 40_000;
    /** The smallest part, in the longest containers. */
    private static final int CONTAINERS = 2;

    @TempDir
    Path directory;

    @Test
    void aHundredQueuesGetWhatTheyPayFor() throws Exception {
        try (MarketFixture fixture = new MarketFixture(directory)) {
            for (int node = 1; node <= NODES; node++) {
                fixture.node("127.0.0." + node, 10_000, 100);
            }
            Random random = new Random(26);
            GapsRun run = new GapsRun(fixture, 0, 19);
            long rates = 0;
            for (int i = 0; i < QUEUES; i++) {
                int rate = rate(i, random);
                rates += rate;
                run.payer("queue" + i, rate, SHORTEST_MILLIS, LONGEST_MILLIS);
                fixture.market().addBudget(fixture.by(), "queue" + i, Credits.of(CREDIT_FOR_EACH_RATE * rate), "");
            }
            double longest = LONGEST_MILLIS + GapsRun.STEP;
            // Nearly two slots of three are in use: the others wait for a heartbeat.
            double slots = 0.6 * 10 * NODES;
            int intervals = (int) Math.ceil(CONTAINERS * longest * rates / slots / MarketFixture.INTERVAL);
            run.run(intervals);

            double worst = 0;
            double least = Double.POSITIVE_INFINITY;
            for (GapsRun.Payer payer : run.payers()) {
                double part = run.part(payer);
                double got = run.got(payer);
                assertThat(part)
                        .as("part of %s, in slot-ms", payer.queue())
                        .isGreaterThanOrEqualTo(CONTAINERS * longest);
                double error = Math.abs(got - part) / Math.max(0.02 * part, longest);
                worst = Math.max(worst, error);
                least = Math.min(least, got / part);
                assertThat(error)
                        .as("%s at rate %d got %.0f of %.0f slot-ms", payer.queue(), payer.rate(), got, part)
                        .isLessThanOrEqualTo(1);
            }
            System.out.printf(
                    Locale.ROOT,
                    "crowd: %d queues, %d intervals; the worst error is %.2f of the tolerance, the least part %.2f%n",
                    QUEUES,
                    intervals,
                    worst,
                    least);
        }
    }

    /** From 1 to 100 for most, and up to 10,000 for some. */
    private static int rate(int queue, Random random) {
        double drawn = Math.pow(100, random.nextDouble());
        return switch (queue) {
            case 0 -> 1;
            case 1 -> 10_000;
            default -> (int) (queue < LARGE_PAYERS ? 100 * drawn : drawn);
        };
    }
}
