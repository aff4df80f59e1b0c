// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of the ledger are deleted while no ResourceManager runs: the market does not begin anew. */
@Tag("newer-line")
class LostLedgerTest {
    @TempDir
    Path directory;

    private Path ledger;

    @BeforeEach
    void deleteTheOnlyFileWithRecords() throws Exception {
        ledger = directory.resolve("ledger");
        try (MarketFixture fixture = new MarketFixture(directory)) {
            fixture.queue("alice", "1", "100");
        }
        try (Stream<Path> files = Files.list(ledger)) {
            for (Path file :
                    files.filter(file -> file.toString().contains("/log-")).toList()) {
                Files.delete(file);
            }
        }
    }

    @Test
    void theResourceManagerDoesNotStart() {
        assertThatThrownBy(() -> new MarketFixture(directory))
                .rootCause()
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(ledger + " has lost its records 1 to ")
                .hasMessageEndingWith(
                        "create the empty file " + ledger + "/ends-at-0 to go on without what is missing");
    }

    @Test
    void aMarketThatWaitsOpensWhenTheLossIsAccepted() throws Exception {
        try (MarketFixture fixture = new MarketFixture(directory, MarketKeys.STORE_AT_START.name(), "wait")) {
            assertThat(fixture.scheduler().market()).isNull();
            assertThat(fixture.scheduler().marketProblem()).startsWith(ledger + " has lost its records 1 to ");
            fixture.after(10_000).scheduler().tick();
            assertThat(fixture.scheduler().market()).isNull();
            Files.createFile(ledger.resolve("ends-at-0"));
            fixture.after(10_000).scheduler().tick();
            assertThat(fixture.scheduler().marketProblem()).isEmpty();
            assertThat(fixture.market().status().moneySupply()).hasToString("0");
        }
    }
}
