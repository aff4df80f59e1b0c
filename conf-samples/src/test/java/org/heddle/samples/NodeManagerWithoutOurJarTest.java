// SPDX-License-Identifier: Apache-2.0
package org.heddle.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.heddle.testkit.Await;
import org.heddle.testkit.machine.FreePort;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The samples' yarn-site.xml on a machine that has none of our jars: its NodeManager has to come up all the same. */
class NodeManagerWithoutOurJarTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path dir;

    @ParameterizedTest
    @ValueSource(strings = {"drf", "drf/minimal"})
    void itsPagesAnswer(String sample) throws Exception {
        Path conf = Files.createDirectories(dir.resolve("conf"));
        int port = FreePort.next();
        String site = Files.readString(Path.of(sample, "yarn-site.xml"));
        // Addresses and directories of this one process; nothing that the sample sets.
        Files.writeString(
                conf.resolve("yarn-site.xml"), site.replace("</configuration>", machine(port) + "</configuration>"));
        Path log = dir.resolve("log");
        Process nodeManager = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-Djava.net.preferIPv4Stack=true",
                        "-Dhadoop.log.dir=" + dir,
                        "-Djava.io.tmpdir=" + dir,
                        "-cp",
                        conf + File.pathSeparator + classPathWithoutOurs(),
                        "org.apache.hadoop.yarn.server.nodemanager.NodeManager")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(answers(URI.create("http://127.0.0.1:" + port + "/ws/v1/node/info"), nodeManager))
                    .as("the NodeManager's own REST answers; its output: %s", Files.readString(log))
                    .contains("nodeInfo");
        } finally {
            nodeManager.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
        }
    }

    private static String classPathWithoutOurs() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> entry.endsWith(".jar")
                        && !Path.of(entry).getFileName().toString().startsWith("heddle"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private String machine(int port) {
        StringBuilder text = new StringBuilder();
        String[][] properties = {
            {"yarn.nodemanager.webapp.address", "127.0.0.1:" + port},
            {"yarn.resourcemanager.resource-tracker.address", "127.0.0.1:1"},
            {"yarn.nodemanager.address", "127.0.0.1:0"},
            {"yarn.nodemanager.localizer.address", "127.0.0.1:0"},
            {"yarn.nodemanager.collector-service.address", "127.0.0.1:0"},
            {"yarn.nodemanager.local-dirs", dir.resolve("local").toString()},
            {"yarn.nodemanager.log-dirs", dir.resolve("logs").toString()},
            {"yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "99.9"},
        };
        for (String[] property : properties) {
            text.append("<property><name>")
                    .append(property[0])
                    .append("</name><value>")
                    .append(property[1])
                    .append("</value></property>");
        }
        return text.toString();
    }

    /** What the address answers as soon as it does; empty when the process ends before, or patience does. */
    private static String answers(URI address, Process process) throws InterruptedException {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(address)
                .header("Accept", "application/json")
                .timeout(Await.stretched(PATIENCE))
                .build();
        long deadline = System.nanoTime() + Await.stretched(PATIENCE).toNanos();
        // Waiting for the process to end is also the pause between two questions.
        while (!process.waitFor(200, TimeUnit.MILLISECONDS) && System.nanoTime() < deadline) {
            try {
                return client.send(request, BodyHandlers.ofString()).body();
            } catch (IOException notYet) {
                if (!process.isAlive()) {
                    return "";
                }
            }
        }
        return "";
    }
}
