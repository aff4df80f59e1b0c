// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.heddle.offers.fixture.BridgeProcess;
import org.heddle.offers.fixture.NativeFramework;
import org.heddle.offers.fixture.Program;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Spark's own backend for Mesos, of Spark 2.0.2, unmodified, behind one more jar: a job before a kill of the bridge,
 * and one of the same application after it. Coarse-grained, its executors are tasks; fine-grained, each of its tasks is
 * one, under Spark's executor for Mesos.
 */
@Tag("soak")
class SparkOnMesosIT {
    /** Where a module that only the profile soak has collects Spark's jars. */
    private static final Path JARS = Path.of("mesos-driver", "spark", "target", "engine");

    /** What Spark 2 needs of Java 17. */
    private static final List<String> PACKAGES = List.of(
            "java.lang",
            "java.lang.invoke",
            "java.lang.reflect",
            "java.io",
            "java.net",
            "java.nio",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "sun.nio.ch");

    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .addressesAsNames()
            .nodes(1, Map.of("memory-mb", 8192L, "vcores", 8L))
            .build();

    @ParameterizedTest
    @CsvSource({"true, Mesos task 0 is now TASK_RUNNING", "false, (TID 0) in"})
    void jobsBeforeAndAfterAKillOfTheBridge(String coarse, String launched, @TempDir Path directory) throws Exception {
        String classPath = directory + ":" + NativeFramework.jars("mesos-driver") + ":" + NativeFramework.jars(JARS);
        NativeFramework.compile("SparkSums", directory, classPath);
        List<String> java = new ArrayList<>(List.of(Program.java(), "-Xmx512m", "-XX:TieredStopAtLevel=1"));
        PACKAGES.forEach(name -> java.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
        java.addAll(List.of("-cp", classPath));
        try (BridgeProcess bridge = new BridgeProcess(cluster, Files.createDirectory(directory.resolve("bridge")))) {
            List<String> driver = new ArrayList<>(java);
            Map.of(
                            "master", "mesos://127.0.0.1:" + bridge.address().getPort(),
                            "driver.host", "127.0.0.1",
                            "ui.enabled", "false",
                            "mesos.coarse", coarse,
                            "mesos.executor.home", home(directory, java).toString(),
                            "executor.memory", "512m",
                            "cores.max", "2")
                    .forEach((key, value) -> driver.add("-Dspark." + key + "=" + value));
            driver.addAll(List.of("SparkSums", directory.toString()));
            try (NativeFramework spark = NativeFramework.start(directory.resolve("spark.txt"), driver)) {
                spark.awaitOutput("the first job", "SUM 1 = 999000", bridge);
                bridge.replace();
                Files.createFile(directory.resolve("go"));
                spark.awaitSuccess("the second job", bridge);
                assertThat(spark.text()).contains("SUM 2 = 999000").contains(launched);
            }
        }
    }

    /** A home of Spark as its executors need it: the script that starts one. */
    private static Path home(Path directory, List<String> java) throws IOException {
        Path script = Files.createDirectories(directory.resolve("home/bin")).resolve("spark-class");
        Files.writeString(script, "#!/bin/sh\nexec " + String.join(" ", java) + " \"$@\"\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        return directory.resolve("home");
    }
}
