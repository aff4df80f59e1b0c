// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.webfarm;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.heddle.settings.process.ProcessStart;

/**
 * haproxy as a process of this one, and the commands of its runtime API. Its servers are {@code s1}, {@code s2}, ...
 */
final class Haproxy implements AutoCloseable {
    private static final String BACKEND = "farm";

    private final Process process;
    private final Path socket;

    /**
     * @param program its file
     * @param directory for its configuration and its socket
     * @param bind address and port of the farm, for example {@code 127.0.0.1:8080}
     * @param servers the most that there will be
     * @param sessions a server's most; more wait in haproxy's queue
     */
    Haproxy(String program, Path directory, String bind, int servers, int sessions) throws IOException {
        socket = directory.resolve("haproxy.sock");
        Path configuration = directory.resolve("haproxy.cfg");
        Files.writeString(
                configuration,
                String.join(
                        "\n",
                        "global",
                        "  stats socket " + socket + " mode 600 level admin",
                        "defaults",
                        "  mode http",
                        "  timeout connect 2s",
                        "  timeout client 60s",
                        "  timeout server 60s",
                        "  timeout queue 60s",
                        "  retries 3",
                        "  option redispatch 1",
                        "  retry-on conn-failure empty-response",
                        "frontend web",
                        "  bind " + bind,
                        "  default_backend " + BACKEND,
                        "backend " + BACKEND,
                        "  balance leastconn",
                        "  server-template s 1-" + servers + " 127.0.0.1:1 disabled maxconn " + sessions
                                + " check inter 1s fall 2 rise 1",
                        ""));
        List<String> command = List.of(program, "-db", "-f", configuration.toString());
        process = ProcessStart.ours(
                command,
                builder -> builder.redirectErrorStream(true)
                        .redirectOutput(directory.resolve("haproxy.log").toFile()));
        try {
            for (int i = 0; i < 600 && !Files.exists(socket) && process.isAlive(); i++) {
                process.waitFor(50, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!process.isAlive() || !Files.exists(socket)) {
            process.destroyForcibly();
            throw new IOException("haproxy did not start:\n" + Files.readString(directory.resolve("haproxy.log")));
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** What {@code show stat} says: open sessions of each server, and all sessions and the queue of the farm. */
    record Stats(Scaling.Load load, Map<String, Integer> sessions) {}

    Stats stats() throws IOException {
        return parse(command("show stat"));
    }

    static Stats parse(String csv) throws IOException {
        List<String> lines = csv.lines().filter(line -> !line.isBlank()).toList();
        if (lines.isEmpty() || !lines.get(0).startsWith("# ")) {
            throw new IOException("haproxy's answer to show stat has no header: " + csv);
        }
        List<String> names = List.of(lines.get(0).substring(2).split(",", -1));
        Map<String, Integer> sessions = new HashMap<>();
        Scaling.Load load = new Scaling.Load(0, 0);
        for (String line : lines.subList(1, lines.size())) {
            String[] values = line.split(",", -1);
            if (!values[names.indexOf("pxname")].equals(BACKEND)) {
                continue;
            }
            String server = values[names.indexOf("svname")];
            int open = number(values[names.indexOf("scur")]);
            if (server.equals("BACKEND")) {
                load = new Scaling.Load(open, number(values[names.indexOf("qcur")]));
            } else {
                sessions.put(server, open);
            }
        }
        // A session that waits in the queue counts as a session of the backend, too.
        return new Stats(new Scaling.Load(Math.max(0, load.sessions() - load.queued()), load.queued()), sessions);
    }

    private static int number(String text) {
        return text.isEmpty() ? 0 : Integer.parseInt(text);
    }

    void ready(String server, String address, int port) throws IOException {
        set(server, "addr " + address + " port " + port);
        set(server, "state ready");
    }

    /** Gives it no new sessions; those that it has go on. */
    void drain(String server) throws IOException {
        set(server, "state drain");
    }

    void disable(String server) throws IOException {
        set(server, "state maint");
    }

    private void set(String server, String what) throws IOException {
        String command = "set server " + BACKEND + "/" + server + " " + what;
        String answer = command(command).strip();
        // Haproxy reports a change of the address in words, and other changes with silence.
        if (!answer.isEmpty() && !what.startsWith("addr")) {
            throw new IOException("haproxy answers '" + answer + "' to " + command);
        }
    }

    private String command(String line) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            channel.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.US_ASCII)));
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            ByteBuffer part = ByteBuffer.allocate(8192);
            while (channel.read(part) >= 0) {
                answer.write(part.array(), 0, part.position());
                part.clear();
            }
            return answer.toString(StandardCharsets.UTF_8);
        }
    }

    void end() {
        process.destroy();
    }

    @Override
    public void close() {
        end();
    }
}
