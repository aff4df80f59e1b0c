// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.accounting;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.heddle.scheduler.accounting.HourlyUsage;
import org.heddle.scheduler.accounting.UsageRow;
import org.heddle.scheduler.config.SchedulerKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hours in the tables of a database, which it creates: PostgreSQL or MariaDB, whose driver is on the ResourceManager's
 * class path. Several clusters may share the tables.
 */
public final class UsageTables implements UsageStore {
    private static final Logger LOG = LoggerFactory.getLogger(UsageTables.class);
    private static final int LONGEST_NAME = 500;
    /** Tables without a version are of this one. */
    private static final int VERSION = 1;

    private static final List<String> TABLES = List.of(
            "CREATE TABLE IF NOT EXISTS heddle_usage_hour (cluster VARCHAR(100) NOT NULL, start_millis BIGINT NOT NULL,"
                    + " until_millis BIGINT NOT NULL, PRIMARY KEY (cluster, start_millis))",
            "CREATE TABLE IF NOT EXISTS heddle_usage (cluster VARCHAR(100) NOT NULL, start_millis BIGINT NOT NULL,"
                    + " entry INT NOT NULL, queue VARCHAR(500) NOT NULL, user_name VARCHAR(500) NOT NULL,"
                    + " application VARCHAR(100) NOT NULL, name VARCHAR(500) NOT NULL, type VARCHAR(500) NOT NULL,"
                    + " containers BIGINT NOT NULL, preempted BIGINT NOT NULL,"
                    + " PRIMARY KEY (cluster, start_millis, entry))",
            "CREATE TABLE IF NOT EXISTS heddle_usage_resource (cluster VARCHAR(100) NOT NULL,"
                    + " start_millis BIGINT NOT NULL, entry INT NOT NULL, resource VARCHAR(200) NOT NULL,"
                    + " amount_millis BIGINT NOT NULL, PRIMARY KEY (cluster, start_millis, entry, resource))",
            "CREATE TABLE IF NOT EXISTS heddle_usage_format (version INT NOT NULL PRIMARY KEY)");

    private final String url;
    private final String user;
    private final String password;
    private final String cluster;
    private @Nullable Connection connection;

    /**
     * @param url such as {@code jdbc:postgresql://host/database}
     * @param cluster the name of the cluster whose hours these are
     */
    public UsageTables(String url, String user, String password, String cluster) {
        this.url = url;
        this.user = user;
        this.password = password;
        this.cluster = cluster;
    }

    static UsageTables of(String url, Configuration conf) {
        char[] password;
        try {
            password = conf.getPassword(SchedulerKeys.USAGE_JDBC_PASSWORD.name());
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    SchedulerKeys.USAGE_JDBC_PASSWORD.name() + " cannot be read from its credential provider: "
                            + e.getMessage(),
                    e);
        }
        return new UsageTables(
                url,
                SchedulerKeys.USAGE_JDBC_USER.read(conf::get),
                password == null ? "" : new String(password),
                conf.get(YarnConfiguration.RM_CLUSTER_ID, ""));
    }

    /** Work in the database. */
    private interface Work<T> {
        T in(Connection database) throws SQLException;
    }

    /** With the connection of the last call; with another one if that has been closed since, as by an idle timeout. */
    private synchronized <T> T transaction(Work<T> work) throws IOException {
        boolean used = connection != null;
        try {
            return attempt(work);
        } catch (SQLException e) {
            disconnect();
            if (!used) {
                throw refused(e);
            }
        }
        try {
            return attempt(work);
        } catch (SQLException e) {
            disconnect();
            throw refused(e);
        }
    }

    private <T> T attempt(Work<T> work) throws SQLException, IOException {
        Connection database = connection;
        if (database == null) {
            database = connect();
            connection = database;
        }
        T result = work.in(database);
        database.commit();
        return result;
    }

    private Connection connect() throws SQLException, IOException {
        Connection database = DriverManager.getConnection(url, user, password);
        try (Statement statement = database.createStatement()) {
            for (String table : TABLES) {
                statement.execute(table);
            }
            requireVersion(statement);
            database.setAutoCommit(false);
            return database;
        } catch (SQLException | IOException e) {
            database.close();
            throw e;
        }
    }

    private void requireVersion(Statement statement) throws SQLException, IOException {
        try (ResultSet found = statement.executeQuery("SELECT version FROM heddle_usage_format")) {
            if (found.next()) {
                if (found.getInt(1) != VERSION) {
                    throw new IOException("the tables of usage in the database " + this + " have version "
                            + found.getInt(1) + "; this release reads version " + VERSION
                            + ", so use the release that wrote them");
                }
                return;
            }
        }
        statement.executeUpdate("INSERT INTO heddle_usage_format VALUES (" + VERSION + ")");
    }

    private void disconnect() {
        Connection old = connection;
        connection = null;
        if (old != null) {
            try {
                old.close();
            } catch (SQLException e) {
                LOG.debug("A broken connection to {} could not be closed", this, e);
            }
        }
    }

    private IOException refused(SQLException e) {
        return new IOException("the database " + this + " refuses: " + e.getMessage(), e);
    }

    @Override
    public void write(HourlyUsage hour) throws IOException {
        transaction(database -> {
            for (String table : List.of("heddle_usage_hour", "heddle_usage", "heddle_usage_resource")) {
                try (PreparedStatement delete =
                        database.prepareStatement("DELETE FROM " + table + " WHERE cluster = ? AND start_millis = ?")) {
                    key(delete, hour.startMillis()).executeUpdate();
                }
            }
            try (PreparedStatement insert =
                    database.prepareStatement("INSERT INTO heddle_usage_hour VALUES (?, ?, ?)")) {
                key(insert, hour.startMillis()).setLong(3, hour.accountedUntilMillis());
                insert.executeUpdate();
            }
            insertRows(database, hour);
            return hour;
        });
    }

    private void insertRows(Connection database, HourlyUsage hour) throws SQLException {
        try (PreparedStatement row =
                        database.prepareStatement("INSERT INTO heddle_usage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
                PreparedStatement amount =
                        database.prepareStatement("INSERT INTO heddle_usage_resource VALUES (?, ?, ?, ?, ?)")) {
            int entry = 0;
            for (UsageRow each : hour.rows()) {
                key(row, hour.startMillis()).setInt(3, entry);
                row.setString(4, cut(each.queue()));
                row.setString(5, cut(each.user()));
                row.setString(6, each.application());
                row.setString(7, cut(each.name()));
                row.setString(8, cut(each.type()));
                row.setLong(9, each.containers());
                row.setLong(10, each.preempted());
                row.addBatch();
                for (Map.Entry<String, Long> resource : each.resourceMillis().entrySet()) {
                    key(amount, hour.startMillis()).setInt(3, entry);
                    amount.setString(4, resource.getKey());
                    amount.setLong(5, resource.getValue());
                    amount.addBatch();
                }
                entry++;
            }
            row.executeBatch();
            amount.executeBatch();
        }
    }

    private PreparedStatement key(PreparedStatement statement, long startMillis) throws SQLException {
        statement.setString(1, cluster);
        statement.setLong(2, startMillis);
        return statement;
    }

    private static String cut(String text) {
        return text.length() <= LONGEST_NAME ? text : text.substring(0, LONGEST_NAME);
    }

    @Override
    public @Nullable HourlyUsage read(long startMillis) throws IOException {
        List<HourlyUsage> found = transaction(database -> {
            Long until = until(database, startMillis);
            if (until == null) {
                return List.of();
            }
            return List.of(new HourlyUsage(startMillis, until, rows(database, startMillis)));
        });
        return found.isEmpty() ? null : found.get(0);
    }

    private @Nullable Long until(Connection database, long startMillis) throws SQLException {
        try (PreparedStatement query = database.prepareStatement(
                        "SELECT until_millis FROM heddle_usage_hour WHERE cluster = ? AND start_millis = ?");
                ResultSet found = key(query, startMillis).executeQuery()) {
            return found.next() ? found.getLong(1) : null;
        }
    }

    private List<UsageRow> rows(Connection database, long startMillis) throws SQLException {
        Map<Integer, Map<String, Long>> amounts = new HashMap<>();
        try (PreparedStatement query = database.prepareStatement("SELECT entry, resource, amount_millis"
                        + " FROM heddle_usage_resource WHERE cluster = ? AND start_millis = ?");
                ResultSet found = key(query, startMillis).executeQuery()) {
            while (found.next()) {
                amounts.computeIfAbsent(found.getInt(1), entry -> new HashMap<>())
                        .put(found.getString(2), found.getLong(3));
            }
        }
        List<UsageRow> rows = new ArrayList<>();
        try (PreparedStatement query = database.prepareStatement(
                        "SELECT entry, queue, user_name, application, name, type, containers, preempted"
                                + " FROM heddle_usage WHERE cluster = ? AND start_millis = ? ORDER BY entry");
                ResultSet found = key(query, startMillis).executeQuery()) {
            while (found.next()) {
                rows.add(new UsageRow(
                        found.getString(2),
                        found.getString(3),
                        found.getString(4),
                        found.getString(5),
                        found.getString(6),
                        amounts.getOrDefault(found.getInt(1), Map.of()),
                        found.getLong(7),
                        found.getLong(8)));
            }
        }
        return rows;
    }

    @Override
    public List<Long> hours(long fromMillis, long toMillis) throws IOException {
        return transaction(database -> {
            List<Long> starts = new ArrayList<>();
            try (PreparedStatement query = database.prepareStatement("SELECT start_millis FROM heddle_usage_hour"
                    + " WHERE cluster = ? AND start_millis >= ? AND start_millis < ? ORDER BY start_millis")) {
                key(query, HourlyUsage.startOf(fromMillis)).setLong(3, toMillis);
                try (ResultSet found = query.executeQuery()) {
                    while (found.next()) {
                        starts.add(found.getLong(1));
                    }
                }
            }
            return starts;
        });
    }

    /** The database without parameters of the URL, which may be secret. */
    @Override
    public String toString() {
        return url.replaceAll("[?;].*", "");
    }
}
