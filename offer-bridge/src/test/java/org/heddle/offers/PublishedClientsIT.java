// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.heddle.offers.fixture.Program;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.SystemPackage;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that nobody here wrote, unmodified, as programs of their own: mesos-rxjava 0.2.0 from Maven Central (protobuf)
 * and mesos-framework 0.5.3 from npm (JSON, command tasks and a custom executor), under three schedulers.
 */
class PublishedClientsIT {
    private static final int RUNS = Integer.getInteger("heddle.offers.client.runs", 5);
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler",
                "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler",
                "org.heddle.drf.DrfScheduler"
            })
    void rxJava(String scheduler, @TempDir Path directory) throws Exception {
        Path jars = Path.of(System.getProperty("heddle.offers.rxjava", "target/mesos-rxjava"))
                .toAbsolutePath();
        assertThat(jars).as("jars that the build copies").isNotEmptyDirectory();
        String classPath;
        try (Stream<Path> files = Files.list(jars)) {
            classPath = files.map(Path::toString).sorted().collect(Collectors.joining(":"));
        }
        Path source = copy("RxSleeper.java", directory);
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-nowarn",
                                "-cp",
                                classPath,
                                "-d",
                                directory.toString(),
                                source.toString()))
                .isZero();
        try (HeddleCluster cluster = start(scheduler);
                Bridge bridge = Bridge.start(TestBridges.settings(directory, 0, 0), cluster.configuration())) {
            for (int run = 0; run < RUNS; run++) {
                String output = Program.run(
                        directory,
                        DEADLINE,
                        List.of(
                                Program.java(),
                                "-Xmx128m",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                directory + ":" + classPath,
                                "RxSleeper",
                                "http://127.0.0.1:" + bridge.httpAddress().getPort() + "/api/v1/scheduler",
                                "5"));
                assertThat(output).contains("DONE").contains("long TASK_KILLED");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler",
                "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler",
                "org.heddle.drf.DrfScheduler"
            })
    void node(String scheduler, @TempDir Path directory) throws Exception {
        String node = SystemPackage.require("node").toString();
        String npm = SystemPackage.require("npm").toString();
        for (String file : List.of(
                "package.json", "package-lock.json", "node-commands.js", "node-custom.js", "node-executor.js")) {
            copy(file, directory);
        }
        Program.run(
                directory,
                Duration.ofMinutes(3),
                List.of(npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"));
        try (HeddleCluster cluster = start(scheduler);
                Bridge bridge = Bridge.start(TestBridges.settings(directory, 0, 0), cluster.configuration())) {
            String port = Integer.toString(bridge.httpAddress().getPort());
            for (int run = 0; run < RUNS; run++) {
                assertThat(Program.run(directory, DEADLINE, List.of(node, "node-commands.js", port, "4")))
                        .contains("DONE");
                String custom = Program.run(
                        directory,
                        DEADLINE,
                        List.of(
                                node,
                                "node-custom.js",
                                port,
                                "6",
                                node,
                                directory.resolve("node-executor.js").toString()));
                assertThat(custom).contains("DONE").contains("message: echo hello");
            }
        }
    }

    private static HeddleCluster start(String scheduler) throws Exception {
        HeddleCluster cluster = HeddleCluster.builder()
                .scheduler(scheduler)
                .nodes(2, Map.of("memory-mb", 4096L, "vcores", 4L))
                .build();
        cluster.start();
        return cluster;
    }

    private static Path copy(String name, Path directory) throws IOException {
        Path target = directory.resolve(name);
        try (InputStream in = Objects.requireNonNull(
                PublishedClientsIT.class.getResourceAsStream("/clients/" + name), "no resource " + name)) {
            Files.copy(in, target);
        }
        return target;
    }
}
