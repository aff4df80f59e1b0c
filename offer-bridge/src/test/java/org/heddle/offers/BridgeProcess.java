// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;

/** A bridge in a process of its own, which a test may kill. Comes back to the same ports. */
final class BridgeProcess implements AutoCloseable {
    private final Path directory;
    private final Path conf;
    private final Path state;
    private final List<String> definitions;
    private int httpPort;
    private int agentPort;
    private Process process;

    BridgeProcess(HeddleCluster cluster, Path directory) throws IOException {
        this(cluster, directory, directory.resolve("state"), List.of());
        awaitReady();
    }

    /** One of a group; its addresses are free ports, and it need not become ready soon. */
    BridgeProcess(HeddleCluster cluster, Path directory, Path state, List<String> definitions) throws IOException {
        this.directory = directory;
        this.state = state;
        this.definitions = definitions;
        this.conf = Files.createDirectories(directory.resolve("conf"));
        cluster.writeClientConfiguration(conf);
        this.process = launch();
    }

    private Process launch() throws IOException {
        Path addresses = directory.resolve("addresses");
        Files.deleteIfExists(addresses);
        List<String> command = new ArrayList<>(List.of(
                Program.java(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-Djava.net.preferIPv4Stack=true",
                "-cp",
                conf + ":" + System.getProperty("java.class.path"),
                "org.heddle.offers.Main",
                "--print-addresses",
                addresses.toString()));
        define(command, "http.address", "127.0.0.1:" + httpPort);
        define(command, "agent.address", "127.0.0.1:" + agentPort);
        define(command, "state.dir", state.toString());
        define(command, "staging.dir", directory.resolve("staging").toUri().toString());
        define(command, "update.retry", "2s");
        define(command, "heartbeat", "2s");
        for (String definition : definitions) {
            command.add("-D");
            command.add(definition);
        }
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("bridge.log").toFile()))
                .start();
    }

    private static void define(List<String> command, String key, String value) {
        command.add("-D");
        command.add("heddle.bridge." + key + "=" + value);
    }

    void awaitReady() throws IOException {
        Path addresses = directory.resolve("addresses");
        Await.until("the bridge to be ready", Duration.ofSeconds(60), () -> {
            if (!process.isAlive()) {
                throw new IllegalStateException(
                        "the bridge ended with " + process.exitValue() + ":\n" + Files.readString(log()));
            }
            return Files.exists(addresses);
        });
        List<String> ports = Files.readAllLines(addresses);
        httpPort = Integer.parseInt(ports.get(0));
        agentPort = Integer.parseInt(ports.get(1));
    }

    /** kill -9, and no new one. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    Path log() {
        return directory.resolve("bridge.log");
    }

    /** The last lines of its log. */
    String tail() {
        try {
            List<String> lines = Files.readAllLines(log());
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
        } catch (IOException e) {
            return e.toString();
        }
    }

    long pid() {
        return process.pid();
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), httpPort);
    }

    /** kill -9, and a new one; returns how long there was none, in ms. */
    long replace() throws Exception {
        long begin = System.nanoTime();
        process.destroyForcibly().waitFor();
        process = launch();
        awaitReady();
        return (System.nanoTime() - begin) / 1_000_000;
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
