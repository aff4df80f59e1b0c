// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.soak;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.heddle.frameworks.Main;
import org.heddle.frameworks.offers.Programs;
import org.heddle.testkit.ProcessCluster;
import org.heddle.testkit.jobs.MpiProgram;

/** A dense solve under MPICH on offers, which checks its own result; it begins anew when a node is lost. */
final class MpiWorkload implements Workload {
    private static final String SIZE = "2500";

    @Override
    public String name() {
        return "mpi";
    }

    @Override
    public void begin(ProcessCluster cluster) throws Exception {
        MpiProgram.compile(Programs.find("mpicc", "libmpich-dev"), Path.of(""), "solve", cluster.home());
    }

    @Override
    public void once(ProcessCluster cluster, int number) throws Exception {
        Path log = cluster.home().resolve("mpi-" + number + ".log");
        String program = cluster.home().resolve("solve").toString();
        Process run = new ProcessBuilder(
                        MpiProgram.mpiexec(Main.class, Offers.uri(cluster), 2, 256, "--restarts", "20", program, SIZE))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        int status = run.waitFor();
        if (status != 0) {
            throw new IOException("mpiexec ended with exit code " + status + ": see " + log);
        }
        if (!Files.readString(log, StandardCharsets.UTF_8).contains("PASSED")) {
            throw new IOException("the solve did not pass: see " + log);
        }
    }
}
