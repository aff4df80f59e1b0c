// SPDX-License-Identifier: Apache-2.0
package org.heddle.engines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Collectors;
import org.heddle.acceptance.Cluster;
import org.heddle.acceptance.CommandResult;
import org.heddle.acceptance.KeepLogs;
import org.heddle.acceptance.SourceTree;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Hive with the settings of docs/market-users.md: alice pays for her own queries, and for those of bob, whose tag is
 * her voucher.
 */
@Tag("newer-line")
@ExtendWith(KeepLogs.class)
class HiveMarketIT {
    private static final String TABLES = """
            CREATE TABLE visits (page int, visitor int);
            INSERT INTO visits VALUES (1, 10), (1, 11), (2, 10), (3, 12), (2, 12), (1, 12);
            CREATE TABLE pages (page int, name string);
            INSERT INTO pages VALUES (1, 'home'), (2, 'news'), (3, 'help');
            """;
    private static final String QUERY =
            "SELECT p.name, count(*) FROM visits v JOIN pages p ON v.page = p.page GROUP BY p.name ORDER BY p.name;\n";

    @Test
    void theAccountPaysForItsQueriesAndForThoseWithItsVoucher() throws Exception {
        try (Market market = Market.start()) {
            Hive hive = new Hive(market.cluster());
            CommandResult own = hive.run("alice", settings("nightly") + TABLES + QUERY);
            assertThat(own.exit()).as(own.toString()).isZero();
            assertThat(own.out().lines()).containsSubsequence("help\t1", "home\t3", "news\t2");
            billed(market, "nightly");

            CommandResult refused = hive.run("bob", settings("nightly") + QUERY);
            assertThat(refused.exit()).isNotZero();
            assertThat(refused.text()).contains("does not have permission to submit");

            String voucher = market.voucherForBob();
            CommandResult paid = hive.run("bob", settings(voucher) + QUERY);
            assertThat(paid.exit()).as(paid.toString()).isZero();
            assertThat(paid.out().lines()).containsSubsequence("help\t1", "home\t3", "news\t2");
            billed(market, voucher);
        }
    }

    /** What the user's page tells users of Hive to set, with another tag. */
    private static String settings(String tag) throws IOException {
        List<String> lines = Files.readAllLines(SourceTree.root().resolve("docs/market-users.md")).stream()
                .filter(line -> line.startsWith("SET "))
                .toList();
        assertThat(lines).isNotEmpty();
        return lines.stream().collect(Collectors.joining("\n", "", "\n")).replace("nightly", tag);
    }

    /** Waits until the application with that tag has ended, and until alice has its bill. */
    private static void billed(Market market, String tag) throws IOException {
        Cluster cluster = market.cluster();
        cluster.await(
                "the application with the tag " + tag + " to end",
                () -> Application.tagged(cluster, tag).isOver());
        Application session = Application.tagged(cluster, tag);
        assertThat(session.finalStatus()).as(session.diagnostics()).isEqualTo("SUCCEEDED");
        assertThat(session.queue()).isEqualTo("root.alice");
        market.awaitBill(session.id());
    }
}
