// SPDX-License-Identifier: Apache-2.0
package org.heddle.engines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.heddle.acceptance.Cluster;
import org.heddle.acceptance.CommandResult;
import org.heddle.acceptance.KeepLogs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** DistributedShell asks for a resource type of its own and for a placement. */
@ExtendWith(KeepLogs.class)
class DistributedShellIT {
    private static final String QUEUES =
            "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"shell\"/></queue></heddle-scheduler>";
    /** From when to when a container ran, and where. */
    private static final String STAMPS = "{ date +%s%N; sleep 5; date +%s%N; echo $NM_HOST; }";

    private record Run(long from, long to, String host) {}

    @Test
    void gpusAndPlacement() throws Exception {
        try (Cluster cluster = Engines.start(QUEUES)) {
            DistributedShell shell = new DistributedShell(cluster);
            CommandResult gpus = shell.run("alice", "gpus", "shell", STAMPS, "-num_containers", 3)
                    .and("-container_resources", "memory-mb=256,vcores=1,yarn.io/gpu=1")
                    .run()
                    .orFail();
            assertThat(gpus.text()).contains("Application completed successfully");
            List<Run> runs = runs(cluster, "gpus");
            assertThat(runs).hasSize(3).allSatisfy(run -> assertThat(run.host()).isEqualTo(cluster.address("node3")));
            assertThat(mostAtOnce(runs)).as("of the node's two GPUs").isEqualTo(2);

            CommandResult spread = shell.run(
                            "alice", "spread", "shell", STAMPS, "-placement_spec", "zk(4),NOTIN,NODE,zk")
                    .run()
                    .orFail();
            assertThat(spread.text()).contains("Application completed successfully");
            List<Run> placed = runs(cluster, "spread");
            assertThat(placed).hasSize(4);
            assertThat(placed.stream().map(Run::host).distinct().toList()).hasSize(Engines.NODES);
            for (int node = 1; node <= Engines.NODES; node++) {
                String host = cluster.address("node" + node);
                assertThat(mostAtOnce(placed.stream()
                                .filter(run -> run.host().equals(host))
                                .toList()))
                        .as("on node%s", node)
                        .isEqualTo(1);
            }
        }
    }

    private static long mostAtOnce(List<Run> runs) {
        return runs.stream()
                .mapToLong(run -> runs.stream()
                        .filter(other -> other.from() <= run.from() && run.from() < other.to())
                        .count())
                .max()
                .orElse(0);
    }

    /** What the shell commands of an application's containers printed; its ApplicationMaster prints more lines. */
    private static List<Run> runs(Cluster cluster, String name) throws IOException {
        String id = Application.named(cluster, name).get(0).id();
        List<Run> runs = new ArrayList<>();
        try (Stream<Path> all = Files.walk(cluster.directory().resolve("data"))) {
            for (Path file : all.filter(
                            path -> path.endsWith("stdout") && path.toString().contains(id))
                    .toList()) {
                List<String> lines = Files.readAllLines(file);
                if (lines.size() == 3) {
                    runs.add(new Run(Long.parseLong(lines.get(0)), Long.parseLong(lines.get(1)), lines.get(2)));
                }
            }
        }
        return runs;
    }
}
