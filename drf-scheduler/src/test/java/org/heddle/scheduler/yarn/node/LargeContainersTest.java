// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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
 * How long large asks of a queue below its share wait in a full cluster of small containers, whose queue always asks
 * for more: in a ResourceManager whose clock is moved by hand. All small containers live equally long and do not begin
 * together.
 */
@Tag("newer-line")
class LargeContainersTest {
    private static final int NODES = 8;
    private static final int CORES = 8;
    /** Seconds that an ask is passed over, by default, and a round of heartbeats in which the best node is found. */
    private static final long BEFORE = 8;

    /** Part of the cores; what is missing is what only waits for the large containers. */
    private static final double LEAST_USED = 0.93;

    @TempDir
    Path directory;

    /** An application with small containers that all live equally long. */
    private record Small(RmFixture.App app, int lifeSeconds) {}

    /** Queues of equal weight: some with small containers, one that asks for large ones. */
    private static final class Run implements AutoCloseable {
        private final RmFixture fixture;
        private final List<Small> smalls = new ArrayList<>();
        private final RmFixture.App large;
        private final SplittableRandom random;
        private final Map<ContainerId, Long> ends = new HashMap<>();
        private final List<Long> served = new ArrayList<>();
        private long second;
        private long askedAt;
        private long usedCores;

        Run(Path directory, String allocation, long seed, int... lifeSeconds) throws Exception {
            random = new SplittableRandom(seed);
            fixture = new RmFixture(
                    directory,
                    "<heddle-scheduler version=\"1\"><allocation>" + allocation + "</allocation><queue"
                            + " name=\"root\"><queue"
                            + " name=\"small0\"/><queue"
                            + " name=\"small1\"/><queue"
                            + " name=\"large\"/></queue></heddle-scheduler>");
            for (int i = 1; i <= NODES; i++) {
                fixture.node("127.1.0." + i, CORES * 1_000, CORES);
            }
            for (int i = 0; i < lifeSeconds.length; i++) {
                smalls.add(new Small(fixture.unmanaged("alice", "small" + i).ask(1_000_000, 1_000, 1), lifeSeconds[i]));
            }
            large = fixture.unmanaged("bob", "large");
            step(Arrays.stream(lifeSeconds).max().orElseThrow());
            usedCores = 0;
        }

        /** Part of the cores that were in use since the large containers were asked for. */
        double used() {
            return (double) usedCores / ((second - askedAt) * NODES * CORES);
        }

        int small() {
            return smalls.stream()
                    .mapToInt(small -> small.app.containers.size())
                    .sum();
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
                usedCores += large.containers.stream()
                        .mapToInt(container -> container.getResource().getVirtualCores())
                        .sum();
                for (Small small : smalls) {
                    end(small);
                    usedCores += small.app.containers.size();
                }
            }
        }

        /** Each next one within so many seconds. */
        void allComeInTime(int asked, long seconds) throws Exception {
            for (long left = asked * seconds; left > 0 && served.size() < asked; left--) {
                step(1);
            }
            assertThat(served).hasSize(asked);
            for (int i = 0; i < asked; i++) {
                assertThat(served.get(i))
                        .as("container " + (i + 1) + " of " + served)
                        .isLessThanOrEqualTo((i + 1) * seconds);
            }
        }

        private void end(Small small) throws Exception {
            small.app.collect();
            List<ContainerId> over = new ArrayList<>();
            for (Container container : small.app.containers) {
                // the first ones do not end together
                int life = second < 3 ? 1 + random.nextInt(small.lifeSeconds) : small.lifeSeconds;
                long end = ends.computeIfAbsent(container.getId(), id -> second + life);
                if (end <= second) {
                    over.add(container.getId());
                }
            }
            if (!over.isEmpty()) {
                small.app.release(over.toArray(ContainerId[]::new));
                small.app.containers.removeIf(container -> over.contains(container.getId()));
            }
        }

        @Override
        public void close() {
            fixture.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "heartbeat, 100, 2",
        "heartbeat, 100, 4",
        "heartbeat, 300, 8",
        "heartbeat, 30, 8",
        "immediate, 100, 2",
        "immediate, 100, 4",
        "immediate, 300, 8",
        "immediate, 30, 8"
    })
    void eachContainerOfAQueueBelowItsShareComesAfterOneLifetimeAtMost(String allocation, int life, int cores)
            throws Exception {
        try (Run run = new Run(directory, allocation, 5, life)) {
            int asked = NODES / 2 * CORES / cores;
            run.ask(asked, cores);
            run.allComeInTime(asked, life + BEFORE);
            double small = 0;
            for (int i = 0; i < life; i++) {
                run.step(1);
                small += (double) run.small() / life;
            }
            assertThat(small)
                    .as("small containers go on in the other half")
                    .isBetween(NODES * CORES / 2 - 2.0, NODES * CORES / 2.0);
        }
    }

    /**
     * Beside tasks of five minutes there are short ones: they use the room of reserved nodes, and the large containers
     * come as soon as without them.
     */
    @ParameterizedTest
    @CsvSource({"heartbeat, 1, 20, 8", "heartbeat, 3, 20, 4", "immediate, 2, 60, 8", "immediate, 3, 20, 4"})
    void shortContainersUseAReservedNodeUntilItsRoomIsNeeded(String allocation, long seed, int shortLife, int cores)
            throws Exception {
        int life = 300;
        try (Run run = new Run(directory, allocation, seed, life, shortLife)) {
            int asked = NODES / 4 * CORES / cores;
            run.ask(asked, cores);
            run.allComeInTime(asked, life + BEFORE);
            assertThat(run.used()).isGreaterThan(LEAST_USED);
        }
    }

    /** FairScheduler serves the first of these at 759 s, a reservation that ends after 60 s never did in 1,200 s. */
    @ParameterizedTest
    @CsvSource({"heartbeat, 1", "heartbeat, 2", "immediate, 1", "immediate, 2"})
    void aWholeNodeUnderTasksOfFiveMinutesIsServedSoonerThanByFairScheduler(String allocation, long seed)
            throws Exception {
        try (Run run = new Run(directory, allocation, seed, 300)) {
            run.ask(4, CORES);
            run.step(759);
            assertThat(run.served).hasSizeGreaterThanOrEqualTo(2);
        }
    }
}
