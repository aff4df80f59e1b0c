// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.jdbc;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.heddle.journal.LogPoint;
import org.heddle.market.ledger.book.EpochRecord;
import org.heddle.market.ledger.book.LedgerException;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.LedgerStore;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.model.change.ApplicationCost;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.change.StatementRange;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger in PostgreSQL or MariaDB, for ResourceManagers that fail over to another machine. A batch is one database
 * transaction. It begins with an update of the row {@code heddle_ledger} that matches only the leader's fencing number
 * and the number of the last transaction. So a fenced process cannot commit, nothing can be committed twice, and after
 * a lost answer the row says whether the batch was committed. The user provides the driver.
 */
public final class JdbcStore implements LedgerStore {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcStore.class);
    private static final int VERSION = 1;
    private static final int NETWORK_TIMEOUT_MILLIS = 10_000;
    private static final long LOOK_FOR_OLD_MILLIS = 60_000;
    /** Classes of SQLSTATE: a duplicate key, and PostgreSQL's duplicate table. */
    private static final String SAME_KEY = "23";

    private static final String SAME_TABLE = "42P07";
    private static final Executor SAME_THREAD = Runnable::run;

    private final String url;
    private final String user;
    private final String password;
    private final String clusterId;
    private final LogPoint.Watcher watcher;
    private @Nullable Connection connection;
    private long fence;
    private LedgerState ledger = new LedgerState();
    private Duration keep = Duration.ZERO;
    private LongSupplier wallMillis = () -> 0;
    private long nextLookMillis;

    /**
     * @param url {@code jdbc:postgresql:} or {@code jdbc:mariadb:}
     * @param clusterId one database may hold the ledgers of several clusters
     */
    public JdbcStore(String url, String user, String password, String clusterId) {
        this(url, user, password, clusterId, LogPoint.Watcher.NONE);
    }

    public JdbcStore(String url, String user, String password, String clusterId, LogPoint.Watcher watcher) {
        this.url = url;
        this.user = user;
        this.password = password;
        this.clusterId = clusterId;
        this.watcher = watcher;
    }

    /**
     * Deletes transactions that are older than a time, after writing others.
     *
     * @param time zero for never
     * @param clock wall clock, milliseconds since 1970
     */
    public JdbcStore keeping(Duration time, LongSupplier clock) {
        keep = time;
        wallMillis = clock;
        return this;
    }

    @Override
    public String place() {
        return url.replaceAll("[?;].*", "");
    }

    /** Work in the database. */
    private interface Work<T> {
        T in(Connection database) throws SQLException, IOException;
    }

    private Connection connect() throws SQLException {
        Connection opened = DriverManager.getConnection(url, user, password);
        opened.setNetworkTimeout(SAME_THREAD, NETWORK_TIMEOUT_MILLIS);
        opened.setAutoCommit(false);
        opened.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        return opened;
    }

    private <T> T write(Work<T> work) throws IOException {
        try {
            Connection database = connection;
            if (database == null) {
                database = connect();
                connection = database;
            }
            T result = work.in(database);
            watcher.at(LogPoint.BEFORE_COMMIT);
            database.commit();
            watcher.at(LogPoint.COMMITTED);
            return result;
        } catch (SQLException e) {
            drop();
            throw failed(e);
        } catch (IOException | RuntimeException e) {
            drop();
            throw e;
        }
    }

    private <T> T read(Work<T> work) throws IOException {
        try (Connection database = connect()) {
            return work.in(database);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private IOException failed(SQLException e) {
        return new IOException("the database at " + place() + " says: " + firstLine(e.getMessage()), e);
    }

    private static String firstLine(@Nullable String text) {
        return text == null ? "nothing" : text.lines().findFirst().orElse("nothing");
    }

    /** The database rolls uncommitted work back when the connection ends. */
    private void drop() {
        Connection dropped = connection;
        connection = null;
        if (dropped != null) {
            try {
                dropped.abort(SAME_THREAD);
            } catch (SQLException e) {
                // The connection is not used again in either case.
                LOG.debug("A connection to {} could not be closed: {}", place(), e.getMessage());
            }
        }
    }

    @Override
    public LedgerState lead() throws IOException {
        try {
            return takeLead();
        } catch (IOException e) {
            if (!isClash(e.getCause())) {
                throw e;
            }
            return takeLead(); // two processes created the same table or row in an empty database
        }
    }

    private static boolean isClash(@Nullable Throwable cause) {
        String state = cause instanceof SQLException said ? said.getSQLState() : null;
        return state != null && (state.startsWith(SAME_KEY) || state.equals(SAME_TABLE));
    }

    private LedgerState takeLead() throws IOException {
        watcher.at(LogPoint.BEFORE_LEAD);
        write(database -> {
            for (String statement : JdbcSchema.statements(url)) {
                try (Statement create = database.createStatement()) {
                    create.execute(statement);
                }
            }
            return true;
        });
        ledger = write(database -> {
            JdbcSchema.register(database, clusterId, VERSION);
            fence = raiseFence(database);
            checkVersion(database);
            watcher.at(LogPoint.LEAD_WRITTEN);
            return JdbcLedger.load(database, clusterId);
        });
        watcher.at(LogPoint.LEAD_SYNCED);
        try {
            ledger.check();
        } catch (LedgerException e) {
            throw new IOException("the ledger at " + place() + " is damaged: " + e.getMessage(), e);
        }
        return ledger.copy();
    }

    /** Takes the next fencing number; the update locks the row, so that two leaders cannot have the same one. */
    private long raiseFence(Connection database) throws SQLException, IOException {
        Sql.run(database, "UPDATE heddle_ledger SET fence = fence + 1 WHERE cluster = ?", clusterId);
        return leaderAndSequence(database)[0];
    }

    /** Refuses rows of a later version. */
    private void checkVersion(Connection database) throws SQLException, IOException {
        long version = Sql.number(database, "SELECT version FROM heddle_ledger WHERE cluster = ?", clusterId);
        if (version != VERSION) {
            throw new IOException("the ledger at " + place() + " has format version " + version
                    + ", and this Heddle reads version " + VERSION + "; start the Heddle version that wrote it");
        }
    }

    @Override
    public void append(List<Transaction> batch) throws IOException {
        long before = ledger.sequence();
        watcher.at(LogPoint.BEFORE_WRITE);
        batch.forEach(ledger::apply);
        write(database -> {
            if (JdbcTransactions.advance(database, clusterId, fence, before, ledger) == 0) {
                refuse(database, before);
            }
            watcher.at(LogPoint.HALF_WRITTEN);
            JdbcTransactions.write(database, clusterId, batch, ledger);
            watcher.at(LogPoint.WRITTEN);
            return true;
        });
        try {
            dropOld();
        } catch (IOException e) {
            LOG.warn("Old rows in {} could not be deleted, and the next attempt follows: {}", place(), e.getMessage());
        }
    }

    private void dropOld() throws IOException {
        long now = wallMillis.getAsLong();
        if (keep.isZero() || now < nextLookMillis) {
            return;
        }
        nextLookMillis = now + LOOK_FOR_OLD_MILLIS;
        boolean more = write(database -> {
            boolean dropped = leaderAndSequence(database)[0] == fence
                    && JdbcRetention.step(database, clusterId, now - keep.toMillis());
            watcher.at(LogPoint.PRUNED);
            return dropped;
        });
        if (more) {
            nextLookMillis = now;
        }
    }

    private void refuse(Connection database, long before) throws SQLException, IOException {
        long[] now = leaderAndSequence(database);
        if (now[0] != fence) {
            throw fenced(now[0]);
        }
        throw new IOException(
                "the ledger at " + place() + " ends with transaction " + now[1] + " instead of " + before);
    }

    private FencedException fenced(long now) {
        return new FencedException("the ledger at " + place() + " has leader " + now + " now; this process was leader "
                + fence + " and cannot write any more");
    }

    private long[] leaderAndSequence(Connection database) throws SQLException, IOException {
        long[] found = {0, 0};
        Sql.each(
                database,
                row -> {
                    found[0] = row.getLong(1);
                    found[1] = row.getLong(2);
                },
                "SELECT fence, sequence FROM heddle_ledger WHERE cluster = ?",
                clusterId);
        return found;
    }

    @Override
    public long lastSequence() throws IOException {
        ledger = write(database -> {
            long[] now = leaderAndSequence(database);
            if (now[0] != fence) {
                throw fenced(now[0]);
            }
            return JdbcLedger.load(database, clusterId);
        });
        return ledger.sequence();
    }

    @Override
    public void past(long fromMillis, Consumer<Transaction> to) throws IOException {
        read(database -> {
            JdbcLedger.epochs(database, clusterId, fromMillis, epoch -> to.accept(closing(epoch)));
            return true;
        });
    }

    /** The rows of an epoch do not name its transaction. */
    private static Transaction closing(EpochRecord epoch) {
        return new Transaction(
                0,
                epoch.startMillis() + epoch.closed().millis(),
                Transaction.Kind.EPOCH,
                "",
                List.of(),
                List.of(),
                epoch,
                null);
    }

    @Override
    public List<AuditEntry> audit(long after, int most) throws IOException {
        return read(database -> JdbcLedger.audit(database, clusterId, after, most));
    }

    @Override
    public List<StatementLine> statement(StatementRange range) throws IOException {
        return read(database -> JdbcLedger.statement(database, clusterId, range));
    }

    @Override
    public List<ApplicationCost> applications(
            String queue, long fromMillis, long toMillis, ApplicationCost.By by, int most) throws IOException {
        return read(database -> JdbcLedger.applications(database, clusterId, queue, fromMillis, toMillis)
                .list(by, most));
    }

    @Override
    public void close() throws IOException {
        Connection open = connection;
        connection = null;
        if (open != null) {
            try {
                open.close();
            } catch (SQLException e) {
                throw failed(e);
            }
        }
    }
}
