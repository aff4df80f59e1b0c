// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is written where for cgroups v2, on plain files that look like it: this shows names and values, not the kernel.
 */
class TaskLimitsTest {
    @TempDir
    private Path root;

    private Path hierarchy(String controllers) throws IOException {
        Files.writeString(root.resolve("cgroup.controllers"), controllers + "\n");
        Path parent = Files.createDirectories(root.resolve("heddle").resolve("c1"));
        // The kernel makes these once controllers are handed down.
        Files.createFile(parent.resolve("memory.max"));
        Files.createFile(parent.resolve("cpu.max"));
        return parent;
    }

    @Test
    void limitsAreWrittenInTheFormOfVersion2() throws IOException {
        Path parent = hierarchy("cpuset cpu io memory pids");
        Path group = Files.createDirectories(parent.resolve("p1"));
        Files.createFile(group.resolve("memory.oom.group"));

        TaskLimits limits = TaskLimits.probe("auto", root, "c1");
        assertThat(limits.whatIsMissing()).isEmpty();
        assertThat(limits.make("p1", 1_500, 256)).containsExactly(group.resolve("cgroup.procs"));

        for (Path handing : List.of(root, root.resolve("heddle"), parent)) {
            // A file keeps what was written last; the kernel adds one to the other.
            assertThat(handing.resolve("cgroup.subtree_control")).content().isIn("+memory", "+cpu");
        }
        assertThat(group.resolve("memory.max")).hasContent("268435456");
        assertThat(group.resolve("memory.oom.group")).hasContent("1");
        assertThat(group.resolve("memory.swap.max")).doesNotExist();
        assertThat(group.resolve("cpu.max")).hasContent("150000 100000");
        assertThat(group.resolve("cpu.weight")).hasContent("150");
        assertThat(limits.make("p2", 0, 0)).isEmpty();
    }

    @Test
    void theKernelsCountOfKillsIsRead() throws IOException {
        Path parent = hierarchy("cpu memory");
        TaskLimits limits = TaskLimits.probe("auto", root, "c1");
        limits.make("p1", 100, 64);
        assertThat(limits.ranOutOfMemory("p1")).isFalse();
        Files.writeString(parent.resolve("p1").resolve("memory.events"), "low 0\nmax 7\noom 1\noom_kill 1\n");
        assertThat(limits.ranOutOfMemory("p1")).isTrue();
    }

    @Test
    void withoutTheControllersItSaysSo() throws IOException {
        hierarchy("hugetlb");
        assertThat(TaskLimits.probe("auto", root, "c1").whatIsMissing())
                .startsWith("NodeManager's only: cannot make cgroups below ")
                .contains("no cgroup v1 hierarchy " + root.resolve("memory"))
                .contains("no cgroup v1 hierarchy " + root.resolve("cpu"))
                .contains("has only the controllers [hugetlb]");
    }

    @Test
    void eachControllerIsTakenFromTheVersionThatHasIt() throws IOException {
        Path unified = Files.createDirectories(root.resolve("unified"));
        Files.writeString(unified.resolve("cgroup.controllers"), "cpu pids\n");
        Path parent = Files.createDirectories(unified.resolve("heddle").resolve("c1"));
        Files.createFile(parent.resolve("cpu.max"));
        Files.createDirectories(root.resolve("memory"));
        Files.createFile(root.resolve("memory").resolve("cgroup.procs"));

        Cgroups limits = (Cgroups) TaskLimits.probe("auto", root, "c1");
        // Directories cannot be removed as groups can, with their files.
        assertThat(limits.hierarchies()).extracting(CgroupHierarchy::version2).containsExactly(true);
        assertThat(limits.whatIsMissing()).startsWith("cgroups for cpu only: memory: ");
        assertThat(limits.make("p1", 250, 0)).containsExactly(parent.resolve("p1/cgroup.procs"));
        assertThat(parent.resolve("p1/cpu.max")).hasContent("25000 100000");
    }

    /** All agents of a node remove what is left of killed ones, and many of them may start at the same time. */
    @Test
    void agentsThatStartTogetherRemoveWhatIsLeft() throws IOException {
        Path parent = hierarchy("cpu memory");
        for (int i = 0; i < 500; i++) {
            Files.createDirectories(
                    parent.resolveSibling("old" + i + ".999999999999").resolve("p1"));
        }
        List<String> missing = IntStream.range(0, 8)
                .parallel()
                .mapToObj(agent -> TaskLimits.probe("auto", root, "c1").whatIsMissing())
                .toList();
        assertThat(missing).containsOnly("");
        try (var left = Files.list(parent.getParent())) {
            assertThat(left).containsOnly(parent, parent.resolveSibling("cgroup.subtree_control"));
        }
    }

    @Test
    void withoutAnythingMountedItSaysSo() {
        assertThat(TaskLimits.probe("auto", root, "c1").whatIsMissing()).contains("no cgroup v1 hierarchy");
        assertThat(TaskLimits.probe("off", root, "c1").whatIsMissing()).contains("switched off");
    }
}
