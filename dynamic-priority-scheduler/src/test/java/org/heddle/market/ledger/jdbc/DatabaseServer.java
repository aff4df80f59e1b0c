// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.jdbc;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.heddle.testkit.Await;
import org.heddle.testkit.ProcessDaemon;
import org.heddle.testkit.machine.FreePort;
import org.heddle.testkit.machine.SystemPackage;

/**
 * A real database server of Debian's, with its data in a directory of the test's; run as root it gives up root first.
 */
public final class DatabaseServer implements AutoCloseable {
    private final Kind kind;
    private final Path directory;
    private final int port;
    private Process process;

    @SuppressWarnings("NullAway.Init") // the process is started next
    private DatabaseServer(Kind kind, Path directory, int port) {
        this.kind = kind;
        this.directory = directory;
        this.port = port;
    }

    private static Path postgresBin() {
        Path versions = Path.of("/usr/lib/postgresql");
        try (Stream<Path> all = Files.list(versions)) {
            return all.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no PostgreSQL below /usr/lib/postgresql"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What is tested against; each is a package of Debian's. */
    public enum Kind {
        // After a TERM it would wait until all clients have closed their connections.
        POSTGRES("pg_ctlcluster", "postgres", "heddle", "INT"),
        MARIADB("mariadbd", "mysql", "root", "TERM");

        private final String program;
        private final String account;
        final String user;
        private final String stop;

        Kind(String program, String account, String user, String stop) {
            this.program = program;
            this.account = account;
            this.user = user;
            this.stop = stop;
        }

        /** Skips the calling test where the package is missing, or fails it. */
        public void require() {
            SystemPackage.require(program);
        }

        private String url(int port, String database) {
            return "jdbc:" + (this == POSTGRES ? "postgresql" : "mariadb") + "://127.0.0.1:" + port + "/" + database;
        }

        private List<String> initialise(String data) {
            return this == POSTGRES
                    ? List.of(
                            postgresBin() + "/initdb", "-D", data, "-U", user, "-A", "trust", "-E", "UTF8", "--no-sync")
                    : List.of(
                            "/usr/bin/mariadb-install-db",
                            "--no-defaults",
                            "--datadir=" + data,
                            "--auth-root-authentication-method=normal",
                            "--skip-test-db");
        }

        private List<String> serve(String data, int port) {
            return this == POSTGRES
                    ? List.of(
                            postgresBin() + "/postgres",
                            "-D",
                            data,
                            "-p",
                            String.valueOf(port),
                            "-c",
                            "listen_addresses=127.0.0.1",
                            "-c",
                            "unix_socket_directories=")
                    : List.of(
                            "/usr/sbin/mariadbd",
                            "--no-defaults",
                            "--datadir=" + data,
                            "--port=" + port,
                            "--bind-address=127.0.0.1",
                            "--socket=" + data + ".sock",
                            "--pid-file=" + data + ".pid");
        }
    }

    public static DatabaseServer start(Kind kind, Path directory) throws Exception {
        give(directory, kind.account);
        run(directory, kind.account, kind.initialise(data(directory)));
        DatabaseServer server = new DatabaseServer(kind, directory, FreePort.next());
        server.serve("");
        try (Connection database = DriverManager.getConnection(server.url(""), kind.user, "");
                Statement create = database.createStatement()) {
            create.execute("CREATE DATABASE heddle");
        }
        return server;
    }

    private static String data(Path directory) {
        return directory.resolve("data").toString();
    }

    /** Of the database that tests use. */
    public String url() {
        return url("heddle");
    }

    private String url(String database) {
        return kind.url(port, database.isEmpty() && kind == Kind.POSTGRES ? "postgres" : database);
    }

    public String user() {
        return kind.user;
    }

    private void serve(String database) throws Exception {
        process = start(directory, kind.account, kind.serve(data(directory), port));
        Await.until("the database server answers", Duration.ofSeconds(60), () -> {
            if (!process.isAlive()) {
                // PostgreSQL does not start while a process of one that was killed has not noticed yet.
                process = start(directory, kind.account, kind.serve(data(directory), port));
            }
            try (Connection opened = DriverManager.getConnection(url(database), kind.user, "")) {
                return opened.isValid(1);
            } catch (SQLException e) {
                return false;
            }
        });
    }

    /** Ends the server as {@code kill -9} does. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Starts it again with the data that it had. */
    public void restart() throws Exception {
        serve("heddle");
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** The servers do not run as root, so their own user must be able to write there. */
    private static void give(Path directory, String user) throws Exception {
        if (isRoot()) {
            new ProcessBuilder("chown", user, directory.toString()).start().waitFor();
            for (Path at = directory.getParent(); at != null; at = at.getParent()) {
                File file = at.toFile();
                if (!file.setExecutable(true, false)) {
                    break;
                }
            }
        }
    }

    private static List<String> as(String user, List<String> command) {
        List<String> all = new ArrayList<>();
        if (isRoot()) {
            all.addAll(List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups"));
        }
        all.addAll(command);
        return all;
    }

    private static Process start(Path directory, String user, List<String> command) throws IOException {
        return new ProcessBuilder(as(user, command))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(directory
                        .resolveSibling(directory.getFileName() + ".log")
                        .toFile()))
                .directory(new File("/"))
                .start();
    }

    private static void run(Path directory, String user, List<String> command) throws Exception {
        Process process = start(directory, user, command);
        if (Await.exit(command.get(0), Duration.ofMinutes(2), process) != 0) {
            throw new IllegalStateException(String.join(" ", command) + " failed: "
                    + Files.readString(directory.resolveSibling(directory.getFileName() + ".log")));
        }
    }

    @Override
    public void close() {
        try {
            if (process.isAlive()) {
                ProcessDaemon.signal(process, kind.stop);
            }
            // Its directory is deleted next.
            if (!process.waitFor(Await.stretched(Duration.ofSeconds(20)).toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
