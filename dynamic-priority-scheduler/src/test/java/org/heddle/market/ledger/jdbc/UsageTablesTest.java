// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.heddle.scheduler.accounting.HourlyUsage;
import org.heddle.scheduler.accounting.UsageRow;
import org.heddle.scheduler.yarn.accounting.UsageTables;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scheduler's accounting in real servers of Debian's; it is here because the servers are. */
class UsageTablesTest {
    private static final long HOUR = HourlyUsage.HOUR_MILLIS;
    private static final UsageRow ROW = new UsageRow(
            "root.a",
            "ann",
            "application_7_0001",
            "O'Brien's \"sort\" \u00e9",
            "MAPREDUCE",
            Map.of("memory-mb", 7_200_000_000L, "vcores", 14_400_000L),
            3,
            1);
    private static final UsageRow OTHER =
            new UsageRow("root.b", "bob", "application_7_0002", "n".repeat(2_000), "SPARK", Map.of(), 1, 0);

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(DatabaseServer.Kind.class)
    void hoursAreKeptReplacedAndFound(DatabaseServer.Kind kind) throws Exception {
        kind.require();
        try (DatabaseServer server = DatabaseServer.start(kind, directory)) {
            UsageTables tables = new UsageTables(server.url(), server.user(), "", "one");
            assertThat(tables.read(0)).isNull();
            assertThat(tables.last(5 * HOUR, 24)).isNull();
            tables.write(new HourlyUsage(HOUR, HOUR + 5, List.of(OTHER)));
            HourlyUsage second = new HourlyUsage(2 * HOUR, 2 * HOUR + 7, List.of(ROW));
            tables.write(second);
            HourlyUsage first = new HourlyUsage(HOUR, 2 * HOUR, List.of(ROW, OTHER));
            tables.write(first);

            UsageTables again = new UsageTables(server.url(), server.user(), "", "one");
            assertThat(again.hours(0, 10 * HOUR)).containsExactly(HOUR, 2 * HOUR);
            assertThat(again.hours(2 * HOUR + 1, 10 * HOUR)).containsExactly(2 * HOUR);
            assertThat(again.read(2 * HOUR)).isEqualTo(second);
            HourlyUsage read = again.read(HOUR);
            assertThat(read).isNotNull();
            assertThat(read.accountedUntilMillis()).isEqualTo(2 * HOUR);
            assertThat(read.rows()).hasSize(2).contains(ROW);
            assertThat(read.rows().get(1).name())
                    .as("cut to what the column holds")
                    .hasSize(500);
            assertThat(again.last(5 * HOUR, 24)).isEqualTo(second);
            assertThat(again.last(50 * HOUR, 24)).isNull();
            assertThat(new UsageTables(server.url(), server.user(), "", "two").hours(0, 10 * HOUR))
                    .as("of another cluster")
                    .isEmpty();

            server.kill();
            assertThatThrownBy(() -> again.read(HOUR))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("the database jdbc:");
        }
    }

    @ParameterizedTest
    @EnumSource(DatabaseServer.Kind.class)
    void tablesOfALaterVersionAreRefused(DatabaseServer.Kind kind) throws Exception {
        kind.require();
        try (DatabaseServer server = DatabaseServer.start(kind, directory)) {
            HourlyUsage hour = new HourlyUsage(HOUR, 2 * HOUR, List.of(ROW));
            new UsageTables(server.url(), server.user(), "", "one").write(hour);
            execute(server, "DROP TABLE heddle_usage_format");
            assertThat(new UsageTables(server.url(), server.user(), "", "one").read(HOUR))
                    .as("from tables that have no version yet")
                    .isEqualTo(hour);
            execute(server, "UPDATE heddle_usage_format SET version = 2");
            UsageTables later = new UsageTables(server.url(), server.user(), "", "one");
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> later.write(hour))
                        .isInstanceOf(IOException.class)
                        .hasMessageStartingWith("the tables of usage in the database jdbc:")
                        .hasMessageEndingWith(
                                " have version 2; this release reads version 1, so use the release that wrote them");
            }
        }
    }

    private static void execute(DatabaseServer server, String sql) throws Exception {
        try (Connection database = DriverManager.getConnection(server.url(), server.user(), "");
                Statement statement = database.createStatement()) {
            statement.execute(sql);
        }
    }
}
