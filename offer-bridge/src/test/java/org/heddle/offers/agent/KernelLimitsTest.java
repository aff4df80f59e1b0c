// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/**
 * Limits in the kernel's own hierarchies. Each test is skipped where the hierarchy or the controller that it needs is
 * not there, or where this process may not make groups.
 */
class KernelLimitsTest {
    private static final Path MOUNTED = Path.of("/sys/fs/cgroup");
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String BURN = "while :; do :; done";
    /** tail keeps the last lines, and all of this is one. */
    private static final String GROW = "head -c 256M /dev/zero | tail";

    private final List<Process> processes = new ArrayList<>();
    private final List<Path> groups = new ArrayList<>();

    @AfterEach
    void removesItsGroups() {
        for (Process process : processes) {
            process.destroyForcibly().onExit().join();
        }
        groups.forEach(KernelLimitsTest::removed);
    }

    private static void removed(Path group) {
        Await.until("the group " + group + " to be empty", LONG, () -> {
            try {
                Files.deleteIfExists(group);
                return true;
            } catch (IOException e) {
                return false; // a process in it has not gone yet
            }
        });
    }

    private Cgroups limits(Path root) {
        String container = "test." + ProcessHandle.current().pid();
        TaskLimits limits = TaskLimits.probe("auto", root, container);
        assumeThat(limits.whatIsMissing()).as("cgroups below " + root).doesNotStartWith("NodeManager");
        Cgroups cgroups = (Cgroups) limits;
        for (CgroupHierarchy one : cgroups.hierarchies()) {
            groups.add(one.parent().resolve("p1"));
            groups.add(one.parent());
        }
        return cgroups;
    }

    /** The hierarchy of version 2, if it can limit this. */
    private static Path version2(CgroupController controller) throws IOException {
        for (Path root : List.of(MOUNTED, MOUNTED.resolve("unified"))) {
            if (CgroupHierarchy.handedOut(root).contains(controller.word())) {
                return root;
            }
        }
        throw new TestAbortedException("this test needs cgroups v2 with the controller " + controller.word());
    }

    private static CgroupHierarchy with(Cgroups limits, CgroupController controller) {
        return limits.hierarchies().stream()
                .filter(one -> one.controllers().contains(controller))
                .findFirst()
                .orElseThrow(() ->
                        new TestAbortedException("this test needs cgroups with the controller " + controller.word()));
    }

    /** As the agent starts a task: a shell writes itself into the groups. */
    private Process start(List<Path> groupFiles, String line) throws IOException {
        String enter = "";
        for (Path file : groupFiles) {
            enter += "echo 0 > " + file + " || exit 125; ";
        }
        Process process = new ProcessBuilder("sh", "-c", enter + line)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        processes.add(process);
        return process;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void throttles(Cgroups limits, CgroupHierarchy cpu) throws IOException {
        Path statistics = cpu.parent().resolve("p1").resolve("cpu.stat");
        List<Path> files = limits.make("p1", 100, 0);
        long began = System.nanoTime();
        start(files, BURN);
        Await.until(
                "a loop to be stopped in ten periods",
                LONG,
                () -> TaskLimits.counted(statistics, "nr_throttled") >= 10);
        if (cpu.version2()) {
            long used = TaskLimits.counted(statistics, "usage_usec");
            long periods = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began) / 100 + 2;
            // 10 ms of each 100 ms. Each processor notices the end of its part at a tick of the kernel, which is 4 ms
            // at most.
            assertThat(used)
                    .isPositive()
                    .isLessThanOrEqualTo(
                            periods * (10_000 + 4_000L * Runtime.getRuntime().availableProcessors()));
        }
    }

    @Test
    void theKernelLimitsCpuInWhateverVersionIsThere() throws IOException {
        Cgroups limits = limits(MOUNTED);
        throttles(limits, with(limits, CgroupController.CPU));
    }

    @Test
    void theKernelLimitsCpuInVersion2() throws IOException {
        Path root = version2(CgroupController.CPU);
        Cgroups limits = limits(root);
        CgroupHierarchy cpu = with(limits, CgroupController.CPU);
        assertThat(cpu.version2()).isTrue();
        throttles(limits, cpu);
        assertThat(lines(cpu.parent().resolve("p1").resolve("cpu.max"))).containsExactly("10000 100000");
        assertThat(lines(cpu.parent().resolve("p1").resolve("cpu.weight"))).containsExactly("10");
    }

    @Test
    void withoutMemoryInVersion2CpuIsLimitedAndTheReasonIsGiven() throws IOException {
        Path root = version2(CgroupController.CPU);
        assumeThat(CgroupHierarchy.handedOut(root))
                .as("this test needs cgroups v2 with cpu and without memory")
                .doesNotContain("memory");
        Cgroups limits = limits(root);
        assertThat(limits.whatIsMissing())
                .startsWith("cgroups for cpu only: memory: ")
                .contains("no cgroup v1 hierarchy " + root.resolve("memory"))
                .contains("the cgroup v2 hierarchy " + root + " has only the controllers [cpu");
        throttles(limits, with(limits, CgroupController.CPU));
        assertThat(limits.make("p2", 0, 64)).isEmpty();
    }

    private void endsForMemory(Cgroups limits) throws IOException {
        Process process = start(limits.make("p1", 0, 64), GROW);
        Await.until("a process that uses too much memory to end", LONG, () -> !process.isAlive());
        assertThat(process.exitValue())
                .as("exit code of a process that got SIGKILL")
                .isEqualTo(128 + 9);
        assertThat(limits.ranOutOfMemory("p1")).isTrue();
    }

    @Test
    void theKernelLimitsMemoryInWhateverVersionIsThere() throws IOException {
        Cgroups limits = limits(MOUNTED);
        with(limits, CgroupController.MEMORY);
        endsForMemory(limits);
    }

    @Test
    void theKernelLimitsMemoryInVersion2() throws IOException {
        Cgroups limits = limits(version2(CgroupController.MEMORY));
        assertThat(with(limits, CgroupController.MEMORY).version2()).isTrue();
        endsForMemory(limits);
    }

    @Test
    void whatHasLeftItsProcessGroupIsKilledAndTheGroupsGo() throws IOException {
        Cgroups limits = limits(MOUNTED);
        with(limits, CgroupController.CPU);
        Process first = start(limits.make("p1", 100, 64), "setsid sleep 1000 & setsid sleep 1000 & exit 0");
        Await.until("the first process to end", LONG, () -> !first.isAlive());
        for (CgroupHierarchy one : limits.hierarchies()) {
            assertThat(lines(one.parent().resolve("p1").resolve("cgroup.procs")))
                    .hasSize(2);
        }
        limits.kill("p1");
        limits.hierarchies().forEach(one -> removed(one.parent().resolve("p1")));
        limits.remove("p1"); // not there any more
    }

    @Test
    void aGroupWithProcessesCannotHandOutControllersAndTheReasonSaysSo() throws IOException {
        Path root = version2(CgroupController.CPU);
        limits(root); // hands the controller to groups below the root
        Path full = root.resolve("heddle-test." + ProcessHandle.current().pid());
        groups.add(full);
        Files.createDirectory(full);
        Process inside = start(List.of(full.resolve("cgroup.procs")), "exec sleep 1000");
        Await.until(
                "a process in " + full,
                LONG,
                () -> lines(full.resolve("cgroup.procs")).contains(String.valueOf(inside.pid())));
        assertThat(TaskLimits.probe("auto", full, "c1").whatIsMissing())
                .startsWith("NodeManager's only: cannot make cgroups below " + full)
                .contains(full + " has processes of its own, so groups below it get no controllers");
        assertThat(full.resolve("heddle")).doesNotExist();
    }
}
