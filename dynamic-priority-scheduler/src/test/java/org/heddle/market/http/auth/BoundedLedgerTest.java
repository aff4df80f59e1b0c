// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.heddle.journal.LogPoint;
import org.heddle.market.TestTerms;
import org.heddle.market.http.MarketWebFixture;
import org.heddle.market.ledger.Market;
import org.heddle.market.ledger.journal.JournalStore;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.security.ApiKey;
import org.heddle.market.security.KeyRing;
import org.heddle.market.security.MasterKeys;
import org.heddle.market.security.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user who creates and revokes keys in a loop does not fill the ledger. */
class BoundedLedgerTest {
    private static final long START = 1_800_000_000_000L;

    @TempDir
    Path directory;

    private Market open() throws Exception {
        Market market = new Market(
                TestTerms.PAPER.get(),
                new JournalStore(directory.resolve("ledger"), "test", false, LogPoint.Watcher.NONE),
                () -> START,
                Duration.ofSeconds(30));
        market.open();
        return market;
    }

    @Test
    void revokedKeysLeaveTheLedger() throws Exception {
        MasterKeys masters = new MasterKeys("spruce", MarketWebFixture.MASTER, List.of());
        try (Market market = open()) {
            KeyRing ring = new KeyRing(masters, new MarketKeyStore(market), new SecureRandom(), Duration.ofDays(90));
            for (int i = 1; i <= 300; i++) {
                ring.issue("alice", Role.USER, Long.MAX_VALUE, new Mutation("alice", "test", "new " + i), START + i);
                ring.revoke("alice/" + i, new Mutation("alice", "test", "end " + i), START + i);
            }
            assertThat(market.records(ApiKey.KIND)).hasSize(21).containsKey("alice/300");
        }
        try (Market market = open()) {
            assertThat(market.records(ApiKey.KIND)).hasSize(21);
            KeyRing ring = new KeyRing(masters, new MarketKeyStore(market), new SecureRandom(), Duration.ofDays(90));
            long later = START + Duration.ofDays(100).toMillis();
            Mutation by = new Mutation("alice", "test", "after a time");
            assertThat(ring.issue("alice", Role.USER, Long.MAX_VALUE, by, later)
                            .key()
                            .number())
                    .isEqualTo(301);
            assertThat(market.records(ApiKey.KIND)).containsOnlyKeys("alice/300", "alice/301");
        }
    }
}
