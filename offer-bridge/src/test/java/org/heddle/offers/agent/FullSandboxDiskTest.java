// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.heddle.testkit.machine.SmallDisk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sandboxes on a file system that is really full. */
class FullSandboxDiskTest {
    private static final String KEPT = "t/kept";

    @Test
    void tasksGoOnAndFetchesAreRefusedUntilThereIsRoom(@TempDir Path disk) throws Exception {
        SmallDisk.run(FullSandboxDiskTest.class, disk);
    }

    private static LaunchSpec task(String key, String line, LaunchSpec.Uri... uris) {
        List<String> command = List.of("sh", "-c", line);
        return new LaunchSpec(key, key, false, "", command, Map.of(), List.of(uris), 0, 0, 0, List.of());
    }

    /** The program on the small disk. */
    public static void main(String[] args) throws Exception {
        Path disk = Path.of(args[0]);
        LaunchSpec.Uri uri = new LaunchSpec.Uri("/etc/hostname", false, false, "h");
        try (ConnectedAgent agent = new ConnectedAgent(disk, Map.of())) {
            agent.send(FrameCodec.launch(task(KEPT, "exec sleep 1000")));
            agent.event(AgentProtocol.STARTED, KEPT);
            SmallDisk.fill(disk);
            agent.send(FrameCodec.launch(task("t/fetches", "true", uri)));
            assertThat(FrameCodec.readText(agent.event(AgentProtocol.NOT_STARTED, "t/fetches")))
                    .startsWith("/etc/hostname: the disk of ")
                    .endsWith(" on this node has only 0 MiB left, and 5 % stay free");
            agent.send(FrameCodec.launch(task("t/writes", "head -c 10000 /dev/zero && exit 0; exit 3")));
            assertThat(agent.event(AgentProtocol.EXITED, "t/writes").readInt()).isEqualTo(3);
            agent.kill(KEPT, 0);
            agent.event(AgentProtocol.EXITED, KEPT);
            assertThat(agent.files(AgentProtocol.LIST, "t").good()).isTrue();
            SmallDisk.makeRoom(disk);
            agent.send(FrameCodec.launch(task("t/later", "cat h", uri)));
            assertThat(agent.event(AgentProtocol.EXITED, "t/later").readInt()).isZero();
        }
    }
}
