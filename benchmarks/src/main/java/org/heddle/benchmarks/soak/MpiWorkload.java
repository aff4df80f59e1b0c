// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.soak;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.heddle.frameworks.Main;
import org.heddle.testkit.ProcessCluster;

/** A dense solve under MPICH on offers, which checks its own result; it begins anew when a node is lost. */
final class MpiWorkload implements Workload {
    private static final String SIZE = "2500";

    @Override
    public String name() {
        return "mpi";
    }

    @Override
    public void begin(ProcessCluster cluster) throws Exception {
        run(
                cluster.home().resolve("mpicc.log"),
                "mpicc",
                "-O2",
                "-o",
                program(cluster).toString(),
                Path.of("offer-bridge/frameworks/src/main/mpi/solve.c").toString(),
                "-lm");
    }

    private static Path program(ProcessCluster cluster) {
        return cluster.home().resolve("solve");
    }

    @Override
    public void once(ProcessCluster cluster, int number) throws Exception {
        Path log = cluster.home().resolve("mpi-" + number + ".log");
        run(
                log,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.net.preferIPv4Stack=true",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "mpiexec",
                "--bridge",
                Offers.uri(cluster).toString(),
                "-n",
                "2",
                "--mem",
                "256",
                "--restarts",
                "20",
                program(cluster).toString(),
                SIZE);
        if (!Files.readString(log, StandardCharsets.UTF_8).contains("PASSED")) {
            throw new IOException("the solve did not pass: see " + log);
        }
    }

    private static void run(Path log, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of(command))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        int status = process.waitFor();
        if (status != 0) {
            throw new IOException(command[0] + " ended with exit code " + status + ": see " + log);
        }
    }
}
