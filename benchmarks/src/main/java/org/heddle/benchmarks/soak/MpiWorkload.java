// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.soak;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.heddle.benchmarks.offers.ProcessBridge;
import org.heddle.frameworks.Main;
import org.heddle.frameworks.offers.Programs;
import org.heddle.testkit.ProcessCluster;
import org.heddle.testkit.jobs.MpiProgram;
import org.heddle.testkit.jobs.SmallJvm;

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
        ProcessBridge.await(cluster);
        Path log = cluster.home().resolve("mpi-" + number + ".log");
        Process run = SmallJvm.start(
                cluster.home(),
                Main.class,
                cluster.home(),
                log,
                List.of(
                        "mpiexec",
                        "--bridge=" + ProcessBridge.uri(cluster),
                        "-n=2",
                        "--mem=256",
                        "--restarts=20", // nodes are killed often
                        cluster.home().resolve("solve").toString(),
                        SIZE));
        int status = run.waitFor();
        if (status != 0) {
            throw new IOException("mpiexec ended with exit code " + status + ": see " + log.getFileName());
        }
        if (!Files.readString(log, StandardCharsets.UTF_8).contains("PASSED")) {
            throw new IOException("the solve did not pass: see " + log.getFileName());
        }
    }
}
