// SPDX-License-Identifier: Apache-2.0
package org.heddle.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Commands of the archive that are written correctly, with files that are something else and daemons that answer
 * something else: each ends with 1 or 2 and says so in words of its own.
 */
class WrongCommandsIT {
    private static final byte[] PAGE = ("<html><body><h2>HTTP ERROR 404 Not Found</h2><table><tr><th>SERVLET:</th><td>"
                    + "org.glassfish.jersey.servlet.ServletContainer-17271176</td></tr></table></body></html>")
            .getBytes(StandardCharsets.UTF_8);
    private static final byte[] ERROR =
            ("{\"version\":1,\"RemoteException\":{\"exception\":\"WebApplicationException\","
                            + "\"message\":\"java.lang.Exception: no\",\"javaClassName\":\"javax.ws.rs.WebApplicationException\"}}")
                    .getBytes(StandardCharsets.UTF_8);

    @TempDir
    private static Path place;

    private static ClassLoader archive = ClassLoader.getPlatformClassLoader();

    @TempDir
    private Path directory;

    private final List<HttpServer> servers = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();

    /** The archive's jars beside Hadoop's, in this JVM: a process for each command line takes most of a second. */
    @BeforeAll
    static void unpack() throws Exception {
        List<URL> jars =
                new ArrayList<>(List.of(Path.of("target", "classes").toUri().toURL()));
        try (Stream<Path> all = Files.walk(Tarball.WHOLE.unpack(place))) {
            for (Path jar : all.filter(file -> file.toString().matches(".*/(plugins|lib)/.*[.]jar"))
                    .toList()) {
                jars.add(jar.toUri().toURL());
            }
        }
        String hadoop = Files.readString(Path.of("../acceptance/hadoop-3.5/target/hadoop.jars"))
                .strip();
        for (String jar : hadoop.split(File.pathSeparator, -1)) {
            jars.add(Path.of(jar).toUri().toURL());
        }
        archive = new URLClassLoader(jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    @AfterEach
    void stop() {
        servers.forEach(server -> server.stop(0));
    }

    private String server(int status, String type, byte[] body) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        servers.add(server);
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    @Test
    void daemonsThatAnswerSomethingElse() throws Exception {
        Map<String, String> addresses = new LinkedHashMap<>();
        addresses.put("nobody", "127.0.0.1:1");
        addresses.put("a page", server(404, "text/html", PAGE));
        addresses.put("a page that is found", server(200, "text/html", PAGE));
        addresses.put("an error in JSON", server(500, "application/json", ERROR));
        addresses.put("an empty answer", server(200, "application/json", new byte[0]));
        addresses.put(
                "half an answer", server(200, "application/json", "{\"version\":1,".getBytes(StandardCharsets.UTF_8)));
        addresses.put("a list", server(200, "application/json", "[1]".getBytes(StandardCharsets.UTF_8)));
        addresses.put("no such host", "no-such-host.invalid:8088");
        for (Map.Entry<String, String> address : addresses.entrySet()) {
            String where = address.getValue();
            refused(address.getKey(), "why", "--rm", where, "application_1700000000000_0001");
            refused(address.getKey(), "report", "usage", "--rm", where);
            refused(address.getKey(), "doctor", "--conf-dir", directory.toString(), "--rm", where);
            refused(address.getKey(), "market", "price", "--url", where);
        }
        assertThat(complaints).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing", "directory", "empty.xml", "noise.json", "half.xml", "half.json", "page.xml"})
    void filesThatAreSomethingElse(String what) throws Exception {
        Path file = directory.resolve(what);
        byte[] noise = new byte[4096];
        new java.util.Random(1).nextBytes(noise);
        switch (what) {
            case "missing" -> assertThat(file).doesNotExist();
            case "directory" -> Files.createDirectory(file);
            case "empty.xml" -> Files.createFile(file);
            case "noise.json" -> Files.write(file, noise);
            case "half.xml" -> Files.writeString(file, "<?xml version=\"1.0\"?>\n<configuration><property>");
            case "half.json" -> Files.writeString(file, "{\"version\": 1, \"jobs\": [{");
            default -> Files.writeString(file, "<page><body>no</body></page>");
        }
        String name = file.toString();
        refused(what, "check", name);
        refused(what, "convert", name);
        for (String command : List.of("plan", "check", "explain", "show", "fit", "run")) {
            refused(what, "pack", command, name);
        }
        refused(what, "late", "replay", name);
        refused(what, "whatif", "--trace", name);
        refused(what, "install", "--hadoop-home", name);
        refused(what, "uninstall", "--hadoop-home", name);
        refused(what, "bridge", "--conf", name);
        refused(what, "market", "import", name);
        assertThat(complaints).isEmpty();
    }

    private void refused(String what, String... line) throws Exception {
        Shell.Outcome outcome = run(line);
        boolean right = (outcome.code() == 1 || outcome.code() == 2)
                && !(outcome.out() + outcome.err()).isBlank()
                && Stream.of(outcome.out(), outcome.err())
                        .noneMatch(
                                text -> WrongCommandsTest.INTERNAL.matcher(text).find());
        if (!right) {
            complaints.add(what + ", " + String.join(" ", line) + " -> " + outcome);
        }
    }

    private static Shell.Outcome run(String... line) throws ReflectiveOperationException {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Thread.currentThread().setContextClassLoader(archive);
        Method all =
                Class.forName("org.heddle.distribution.Commands", true, archive).getDeclaredMethod("all");
        all.setAccessible(true);
        Object commands = all.invoke(null);
        Class<?> type = commands.getClass();
        type.getMethod("setOut", PrintWriter.class).invoke(commands, new PrintWriter(out));
        type.getMethod("setErr", PrintWriter.class).invoke(commands, new PrintWriter(err));
        int code = (int) type.getMethod("execute", String[].class).invoke(commands, (Object) line);
        return new Shell.Outcome(code, out.toString(), err.toString());
    }
}
