// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.heddle.offers.fixture.BridgeProcess;
import org.heddle.offers.fixture.NativeFramework;
import org.heddle.offers.fixture.Program;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.machine.FreePort;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Software for native Mesos that nobody here wrote, unmodified, behind one more jar: Fenzo's sample framework (Mesos
 * 0.21, protobuf 2.5) and Singularity's executor (protobuf 3), besides a framework on a Mesos jar with shaded protobuf.
 * They find the bridge through ZooKeeper, and the bridge is killed while their tasks run.
 */
@Tag("soak")
class NativeFrameworksIT {
    private static final int KILLS = Integer.getInteger("heddle.offers.takeovers", 1);
    private static final int TASKS = 3;

    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .addressesAsNames()
            .nodes(1, Map.of("memory-mb", 16_384L, "vcores", 16L))
            .build();

    @Test
    void runBehindOneJar(@TempDir Path directory) throws Exception {
        String driver = NativeFramework.jars("mesos-driver");
        String oldApi = driver + ":" + NativeFramework.jars("mesos-shaded");
        NativeFramework.compile("OldApiTasks", directory, oldApi);
        Path settings = Files.writeString(
                directory.resolve("singularity.yaml"), """
                base:
                  rootLogDirectory: %1$s
                  hostname: host
                  logWatcherMetadataDirectory: %1$s
                  s3UploaderMetadataDirectory: %1$s
                  useCompressedOops: false
                executor:
                  defaultRunAsUser: %2$s
                  globalTaskDefinitionDirectory: %1$s
                  logrotateConfDirectory: %1$s
                  logrotateHourlyConfDirectory: %1$s
                  cronDirectory: %1$s
                s3:
                  artifactCacheDirectory: %1$s
                """.formatted(directory, System.getProperty("user.name")));
        String executor = "exec " + Program.java()
                + " -Xmx128m -XX:TieredStopAtLevel=1 --add-opens=java.base/java.lang=ALL-UNNAMED -DsingularityConfigFilename="
                + settings + " -cp " + driver + ":" + NativeFramework.jars("singularity")
                + " com.hubspot.singularity.executor.SingularityExecutorRunner";

        ZooKeeperServer server = new ZooKeeperServer(
                directory.resolve("zk").toFile(), directory.resolve("zk").toFile(), 1_000);
        NIOServerCnxnFactory factory = new NIOServerCnxnFactory();
        factory.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 20);
        factory.startup(server);
        int[] ports = {FreePort.next(), FreePort.next()};
        List<NativeFramework> started = new ArrayList<>();
        try (BridgeProcess bridge = new BridgeProcess(
                cluster,
                Files.createDirectories(directory.resolve("bridge")),
                directory.resolve("state"),
                List.of(
                        "heddle.bridge.ha.zookeeper=127.0.0.1:" + factory.getLocalPort(),
                        "heddle.bridge.ha.path=/mesos",
                        "heddle.bridge.ha.session.timeout=15s",
                        // Fenzo's sample asks for 128 MiB for a task, and counts 1 GiB for it
                        "heddle.bridge.offer.min.memory-mb=3072",
                        "heddle.bridge.http.address=127.0.0.1:" + ports[0],
                        "heddle.bridge.agent.address=127.0.0.1:" + ports[1],
                        "heddle.bridge.agent.addresses=127.0.0.1:" + ports[1]))) {
            bridge.awaitReady();
            String master = "zk://127.0.0.1:" + factory.getLocalPort() + "/mesos";
            for (int kill = 0; kill < KILLS; kill++) {
                Path round = Files.createDirectories(directory.resolve("round-" + kill));
                NativeFramework old = start(
                        round.resolve("old-api.txt"),
                        directory + ":" + oldApi,
                        "OldApiTasks",
                        master,
                        round.toString(),
                        Integer.toString(TASKS),
                        executor);
                started.add(old);
                old.awaitOutput("a task under Singularity's executor", "TASK_RUNNING", bridge);
                NativeFramework fenzo = start(
                        round.resolve("fenzo.txt"),
                        driver + ":" + NativeFramework.jars("fenzo"),
                        "com.netflix.fenzo.samples.TaskGenerator",
                        master);
                started.add(fenzo);
                fenzo.awaitOutput("Fenzo's tasks", "in state TASK_RUNNING", bridge);
                bridge.replace();
                old.awaitOutput("the framework's return", "reregistered", bridge);
                Files.createFile(round.resolve("go"));
                fenzo.awaitSuccess("Fenzo's sample to end", bridge);
                old.awaitSuccess("the framework to end", bridge);
                assertThat(fenzo.text()).contains("Re-registered").contains("to complete 50 tasks");
                assertThat(old.text())
                        .contains("disconnected", "reregistered", "DONE")
                        .contains("END DRIVER_STOPPED DRIVER_STOPPED DRIVER_STOPPED")
                        .doesNotContain("TASK_LOST", "TASK_FAILED", "executor lost");
                for (int task = 0; task <= TASKS; task++) {
                    assertThat(round.resolve("ran-" + task)).hasContent("once");
                }
            }
        } finally {
            started.forEach(NativeFramework::close);
            factory.shutdown();
        }
    }

    private static NativeFramework start(Path output, String classPath, String... command) throws Exception {
        List<String> whole =
                new ArrayList<>(List.of(Program.java(), "-Xmx128m", "-XX:TieredStopAtLevel=1", "-cp", classPath));
        whole.addAll(List.of(command));
        return NativeFramework.start(output, whole);
    }
}
