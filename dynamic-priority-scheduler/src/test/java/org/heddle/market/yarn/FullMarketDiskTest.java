// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.heddle.market.model.status.StoreState;
import org.heddle.testkit.Await;
import org.heddle.testkit.machine.SmallDisk;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ResourceManager whose ledger is on a file system that is really full: nothing that is used meanwhile is free. */
@Tag("newer-line")
class FullMarketDiskTest {
    @Test
    void useOnAFullDiskIsBilledWhenThereIsRoom(@TempDir Path disk) throws Exception {
        SmallDisk.run(FullMarketDiskTest.class, disk);
    }

    /** The program on the small disk. */
    public static void main(String[] args) throws Exception {
        Path disk = Path.of(args[0]);
        try (MarketFixture fixture = new MarketFixture(
                Files.createTempDirectory("heddle-market-disk"),
                MarketKeys.STORE_DIRECTORY.name(),
                disk.resolve("ledger").toString())) {
            fixture.node("127.0.0.1", 15_000, 100);
            fixture.queue("alice", "1", "10000").nextEpoch();
            fixture.app("alice", "alice").ask(5);
            fixture.heartbeat().nextEpoch().nextEpoch();
            // An account pays from the first interval on that begins with its containers.
            assertThat(fixture.market().queue("alice").budget()).hasToString("9995");
            SmallDisk.fill(disk);
            int intervals = intervalsUntilFull(fixture);
            fixture.after(3 * MarketFixture.INTERVAL / 2).scheduler().tick();
            SmallDisk.makeRoom(disk);
            await(fixture, StoreState.WORKING);
            fixture.after(MarketFixture.INTERVAL / 2).scheduler().tick();
            fixture.nextEpoch();
            // 5 containers of a slot cost 5 credits in an interval.
            assertThat(fixture.market().queue("alice").budget())
                    .hasToString(String.valueOf(9_995 - 5 * (intervals + 3)));
        }
        System.exit(0); // MockRM leaves threads
    }

    /** Bills fit into what is left of the last block. */
    private static int intervalsUntilFull(MarketFixture fixture) throws Exception {
        for (int interval = 1; interval < 1_000; interval++) {
            fixture.after(MarketFixture.INTERVAL).scheduler().tick();
            long number = interval;
            Await.until(
                    "bill " + number + " is written or cannot be",
                    Duration.ofSeconds(20),
                    () -> fixture.market().status().store() == StoreState.OUTAGE
                            || fixture.market().status().epoch() == number + 4);
            if (fixture.market().status().store() == StoreState.OUTAGE) {
                return interval;
            }
        }
        throw new AssertionError("the disk does not become full");
    }

    private static void await(MarketFixture fixture, StoreState state) throws Exception {
        Await.until(
                state.toString(),
                Duration.ofSeconds(20),
                () -> fixture.market().status().store() == state);
    }
}
