// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A hundred queues in a real ResourceManager, at rates from 1 to 10,000, with containers of up to four intervals: minutes, so
 * in the profile {@code market-goals}.
 */
class CrowdGoals {
    private static final int QUEUES = 100;
    private static final int NODES = 12;
    private static final int INTERVALS = 40;
    /** Whole containers: see docs/decisions/0026-bounds-of-fairness.md. */
    private static final double CONTAINERS = 2;

    @TempDir
    Path directory;

    @Test
    void aHundredQueuesGetWhatTheyPayFor() throws Exception {
        try (MarketFixture fixture = new MarketFixture(directory)) {
            for (int node = 1; node <= NODES; node++) {
                fixture.node("127.0.0." + node, 10_000, 100);
            }
            Random random = new Random(26);
            GapsRun run = new GapsRun(fixture, 50_000_000, 19);
            for (int i = 0; i < QUEUES; i++) {
                int rate = (int) Math.round(Math.pow(10, 4 * random.nextDouble()));
                run.payer("queue" + i, rate, 1_000, 2_000 + random.nextInt(38_000));
            }
            run.run(INTERVALS);

            double worst = 0;
            for (GapsRun.Payer payer : run.payers()) {
                double part = run.part(payer);
                double tolerance = Math.max(0.02 * part, (double) payer.longestMillis() + GapsRun.STEP);
                double error = Math.abs(run.got(payer) - part) / tolerance;
                worst = Math.max(worst, error);
                assertThat(error)
                        .as("%s at rate %d got %d of %.0f slot-ms", payer.queue(), payer.rate(), run.got(payer), part)
                        .isLessThanOrEqualTo(CONTAINERS);
            }
            System.out.println("crowd: the worst error of " + QUEUES + " queues is " + worst + " of the tolerance");
        }
    }
}
