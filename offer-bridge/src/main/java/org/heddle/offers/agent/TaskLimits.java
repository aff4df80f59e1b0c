// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cgroup for each process that the agent starts, where the agent may make them (v1 hierarchies, below its own group or
 * the root): memory and CPU are limited then, by the kernel. Where it may not, {@link #whyNot()} says why, and nothing is
 * limited but by the NodeManager's check of the whole container.
 */
final class TaskLimits {
    private static final long PERIOD_MICROS = 100_000;
    private static final long LEAST_QUOTA_MICROS = 1_000;

    private final @Nullable Path memory;
    private final @Nullable Path cpu;
    private final String whyNot;

    private TaskLimits(@Nullable Path memory, @Nullable Path cpu, String whyNot) {
        this.memory = memory;
        this.cpu = cpu;
        this.whyNot = whyNot;
    }

    /** Tries it out: makes and removes a group of each kind. */
    static TaskLimits probe(String mode, Path root, String container) {
        if (mode.equals("off")) {
            return new TaskLimits(null, null, "switched off by heddle.bridge.agent.limits");
        }
        try {
            Path memory = makeParent(root.resolve("memory"), container);
            Path cpu = makeParent(root.resolve("cpu"), container);
            return new TaskLimits(memory, cpu, "");
        } catch (IOException e) {
            return new TaskLimits(null, null, "cannot make cgroups below " + root + ": " + e);
        }
    }

    private static Path makeParent(Path hierarchy, String container) throws IOException {
        if (!Files.exists(hierarchy.resolve("cgroup.procs"))) {
            throw new IOException("no cgroup v1 hierarchy " + hierarchy);
        }
        Path parent = hierarchy.resolve("heddle").resolve(container);
        Files.createDirectories(parent);
        Path trial = Files.createDirectories(parent.resolve("trial"));
        String file = hierarchy.endsWith("memory") ? "memory.limit_in_bytes" : "cpu.cfs_quota_us";
        write(trial.resolve(file), hierarchy.endsWith("memory") ? Long.toString(64L << 20) : "50000");
        Files.delete(trial);
        return parent;
    }

    boolean available() {
        return memory != null;
    }

    /** Empty if limits are in force. */
    String whyNot() {
        return whyNot;
    }

    /** Makes the groups of a process; returns the files that it must write itself into. */
    List<Path> make(String name, long milliCpus, long memMb) throws IOException {
        List<Path> doors = new ArrayList<>();
        if (memory != null && memMb > 0) {
            Path group = Files.createDirectories(memory.resolve(name));
            write(group.resolve("memory.limit_in_bytes"), Long.toString(memMb << 20));
            doors.add(group.resolve("cgroup.procs"));
        }
        if (cpu != null && milliCpus > 0) {
            Path group = Files.createDirectories(cpu.resolve(name));
            long quota = Math.max(LEAST_QUOTA_MICROS, milliCpus * PERIOD_MICROS / 1000);
            write(group.resolve("cpu.cfs_period_us"), Long.toString(PERIOD_MICROS));
            write(group.resolve("cpu.cfs_quota_us"), Long.toString(quota));
            write(group.resolve("cpu.shares"), Long.toString(Math.max(2, milliCpus * 1024 / 1000)));
            doors.add(group.resolve("cgroup.procs"));
        }
        return doors;
    }

    /** Did the kernel end something in there because it wanted too much memory? */
    boolean ranOutOfMemory(String name) {
        if (memory == null) {
            return false;
        }
        try {
            for (String line : Files.readAllLines(memory.resolve(name).resolve("memory.oom_control"))) {
                if (line.startsWith("oom_kill ")) {
                    return !line.substring("oom_kill ".length()).trim().equals("0");
                }
            }
            return false;
        } catch (IOException e) {
            return false;
        }
    }

    /** Removes the groups of a process that has ended; one that still holds processes stays until the agent ends. */
    void remove(String name) {
        for (Path parent : new Path[] {memory, cpu}) {
            if (parent != null) {
                try {
                    Files.deleteIfExists(parent.resolve(name));
                } catch (IOException e) {
                    Agent.log("cgroup " + parent.resolve(name) + " stays: " + e.getMessage());
                }
            }
        }
    }

    void close() {
        for (Path parent : new Path[] {memory, cpu}) {
            if (parent != null) {
                try {
                    Files.deleteIfExists(parent);
                } catch (IOException e) {
                    Agent.log("cgroup " + parent + " stays: " + e.getMessage());
                }
            }
        }
    }

    private static void write(Path file, String value) throws IOException {
        Files.write(file, value.getBytes(StandardCharsets.US_ASCII));
    }
}
