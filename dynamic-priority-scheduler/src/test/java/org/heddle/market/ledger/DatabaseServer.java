// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
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

/** A real database server of Debian's, with its data in a directory of the test's; run as root it gives up root first. */
final class DatabaseServer implements AutoCloseable {
    private final Process process;
    final int port;

    private DatabaseServer(Process process, int port) {
        this.process = process;
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

    static DatabaseServer postgres(Path directory) throws Exception {
        Path bin = postgresBin();
        String data = directory.resolve("pg").toString();
        int port = freePort();
        give(directory, "postgres");
        run(
                directory,
                "postgres",
                bin + "/initdb",
                "-D",
                data,
                "-U",
                "heddle",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--no-sync");
        Process server = start(
                directory,
                "postgres",
                bin + "/postgres",
                "-D",
                data,
                "-p",
                String.valueOf(port),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=");
        return ready(new DatabaseServer(server, port), "jdbc:postgresql://127.0.0.1:" + port + "/postgres", "heddle");
    }

    String postgresUrl() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    static DatabaseServer mariaDb(Path directory) throws Exception {
        String data = directory.resolve("maria").toString();
        int port = freePort();
        give(directory, "mysql");
        run(
                directory,
                "mysql",
                "/usr/bin/mariadb-install-db",
                "--no-defaults",
                "--datadir=" + data,
                "--auth-root-authentication-method=normal",
                "--skip-test-db");
        Process server = start(
                directory,
                "mysql",
                "/usr/sbin/mariadbd",
                "--no-defaults",
                "--datadir=" + data,
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--socket=" + directory.resolve("maria.sock"),
                "--pid-file=" + directory.resolve("maria.pid"));
        DatabaseServer ready =
                ready(new DatabaseServer(server, port), "jdbc:mariadb://127.0.0.1:" + port + "/mysql", "root");
        try (Connection database =
                        DriverManager.getConnection("jdbc:mariadb://127.0.0.1:" + port + "/mysql", "root", "");
                Statement create = database.createStatement()) {
            create.execute("CREATE DATABASE heddle");
        }
        return ready;
    }

    String mariaDbUrl() {
        return "jdbc:mariadb://127.0.0.1:" + port + "/heddle";
    }

    private static DatabaseServer ready(DatabaseServer server, String url, String user) throws Exception {
        Await.until("the database server answers", Duration.ofSeconds(60), () -> {
            try (Connection database = DriverManager.getConnection(url, user, "")) {
                return database.isValid(1);
            } catch (SQLException e) {
                return false;
            }
        });
        return server;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
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

    private static List<String> as(String user, String... command) {
        List<String> all = new ArrayList<>();
        if (isRoot()) {
            all.addAll(List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups"));
        }
        all.addAll(List.of(command));
        return all;
    }

    private static Process start(Path directory, String user, String... command) throws IOException {
        return new ProcessBuilder(as(user, command))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(directory
                        .resolveSibling(directory.getFileName() + ".log")
                        .toFile()))
                .directory(new File("/"))
                .start();
    }

    private static void run(Path directory, String user, String... command) throws Exception {
        Process process = start(directory, user, command);
        if (!process.waitFor(120, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IllegalStateException(String.join(" ", command) + " failed: "
                    + Files.readString(directory.resolveSibling(directory.getFileName() + ".log")));
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
