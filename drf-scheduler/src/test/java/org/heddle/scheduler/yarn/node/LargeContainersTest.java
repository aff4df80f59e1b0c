// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How long large asks of a queue below its share wait in a full cluster of small containers, whose queue always asks for
 * more: in a ResourceManager whose clock is moved by hand. All small containers live equally long and do not begin
 * together.
 */
@Tag("newer-line")
class LargeContainersTest {
    private static final int NODES = 8;
    private static final int CORES = 8;
    /** Seconds that an ask is passed over, by default, and a round of heartbeats in which the best node is found. */
    private static final long BEFORE = 8;

    @TempDir
    Path directory;

    /** Queues of equal weight: one with small containers, one that asks for large ones. */
    private static final class Run implements AutoCloseable {
        private final RmFixture fixture;
        private final RmFixture.App small;
        private final RmFixture.App large;
        private final int lifeSeconds;
        private final SplittableRandom random;
        private final Map<ContainerId, Long> ends = new HashMap<>();
        private final List<Long> served = new ArrayList<>();
        private long second;
        private long askedAt;

        Run(Path directory, String allocation, int lifeSeconds) throws Exception {
            this(directory, allocation, lifeSeconds, 5);
        }

        Run(Path directory, String allocation, int lifeSeconds, long seed) throws Exception {
            this.lifeSeconds = lifeSeconds;
            random = new SplittableRandom(seed);
            fixture = new RmFixture(
                    directory,
                    "<heddle-scheduler version=\"1\"><allocation>" + allocation + "</allocation><queue name=\"root\">"
                            + "<queue name=\"small\"/><queue name=\"large\"/></queue></heddle-scheduler>");
            for (int i = 1; i <= NODES; i++) {
                fixture.node("127.1.0." + i, CORES * 1_000, CORES);
            }
            small = fixture.unmanaged("alice", "small").ask(1_000_000, 1_000, 1);
            large = fixture.unmanaged("bob", "large");
            step(lifeSeconds);
        }

        void ask(int count, int cores) throws Exception {
            askedAt = second;
            large.ask(count, cores * 1_000, cores);
        }

        /** So many seconds, in each of which every node has a heartbeat and containers whose time has come end. */
        void step(long seconds) throws Exception {
            for (long until = second + seconds; second < until; second++) {
                fixture.heartbeat();
                int before = large.containers.size();
                large.collect();
                for (int i = before; i < large.containers.size(); i++) {
                    served.add(second - askedAt);
                }
                small.collect();
                List<ContainerId> over = new ArrayList<>();
                for (Container container : small.containers) {
                    // the first ones do not end together
                    long end = ends.computeIfAbsent(
                            container.getId(),
                            id -> second + (second < 3 ? 1 + random.nextInt(lifeSeconds) : lifeSeconds));
                    if (end <= second) {
                        over.add(container.getId());
                    }
                }
                if (!over.isEmpty()) {
                    small.release(over.toArray(ContainerId[]::new));
                    small.containers.removeIf(container -> over.contains(container.getId()));
                }
            }
        }

        @Override
        public void close() {
            fixture.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "heartbeat, 300, 2",
        "heartbeat, 300, 4",
        "heartbeat, 300, 8",
        "heartbeat, 30, 8",
        "immediate, 300, 2",
        "immediate, 300, 4",
        "immediate, 300, 8",
        "immediate, 30, 8"
    })
    void eachContainerOfAQueueBelowItsShareComesAfterOneLifetimeAtMost(String allocation, int life, int cores)
            throws Exception {
        try (Run run = new Run(directory, allocation, life)) {
            int asked = NODES / 2 * CORES / cores;
            run.ask(asked, cores);
            run.step(asked * (life + BEFORE));
            assertThat(run.served).hasSize(asked);
            for (int i = 0; i < asked; i++) {
                assertThat(run.served.get(i))
                        .as("container " + (i + 1) + " of " + run.served)
                        .isLessThanOrEqualTo((i + 1) * (life + BEFORE));
            }
            assertThat(run.small.containers)
                    .as("small containers go on in the other half")
                    .hasSizeBetween(NODES * CORES / 2 - 2, NODES * CORES / 2);
        }
    }

    /** FairScheduler serves the first of these at 759 s, a reservation that ends after 60 s never did in 1,200 s. */
    @ParameterizedTest
    @CsvSource({"heartbeat, 1", "heartbeat, 2", "heartbeat, 3", "immediate, 1", "immediate, 2", "immediate, 3"})
    void aWholeNodeUnderTasksOfFiveMinutesIsServedSoonerThanByFairScheduler(String allocation, long seed)
            throws Exception {
        try (Run run = new Run(directory, allocation, 300, seed)) {
            run.ask(4, CORES);
            run.step(759);
            assertThat(run.served).hasSizeGreaterThanOrEqualTo(2);
        }
    }
}
