// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Groups in the memory and cpu hierarchies of cgroups v1. */
record CgroupsV1(Path memory, Path cpu) implements TaskLimits {

    /** Makes and removes a group of each kind, to check that this is allowed. */
    static CgroupsV1 below(Path root, String container) throws IOException {
        return new CgroupsV1(
                makeParent(root.resolve("memory"), container, "memory.limit_in_bytes", Long.toString(64L << 20)),
                makeParent(root.resolve("cpu"), container, "cpu.cfs_quota_us", "50000"));
    }

    private static Path makeParent(Path hierarchy, String container, String file, String value) throws IOException {
        if (!Files.exists(hierarchy.resolve("cgroup.procs"))) {
            throw new IOException("no cgroup v1 hierarchy " + hierarchy);
        }
        Path parent = hierarchy.resolve("heddle").resolve(container);
        Files.createDirectories(parent);
        TaskLimits.sweep(hierarchy.resolve("heddle"));
        Path probe = Files.createDirectories(parent.resolve("probe"));
        TaskLimits.write(probe.resolve(file), value);
        Files.delete(probe);
        return parent;
    }

    @Override
    public List<Path> make(String name, long milliCpus, long memMb) throws IOException {
        List<Path> groupFiles = new ArrayList<>();
        if (memMb > 0) {
            Path group = Files.createDirectories(memory.resolve(name));
            TaskLimits.write(group.resolve("memory.limit_in_bytes"), Long.toString(memMb << 20));
            groupFiles.add(group.resolve("cgroup.procs"));
        }
        if (milliCpus > 0) {
            Path group = Files.createDirectories(cpu.resolve(name));
            TaskLimits.write(group.resolve("cpu.cfs_period_us"), Long.toString(PERIOD_MICROS));
            TaskLimits.write(group.resolve("cpu.cfs_quota_us"), Long.toString(TaskLimits.quotaMicros(milliCpus)));
            TaskLimits.write(group.resolve("cpu.shares"), Long.toString(Math.max(2, milliCpus * 1024 / 1000)));
            groupFiles.add(group.resolve("cgroup.procs"));
        }
        return groupFiles;
    }

    @Override
    public boolean ranOutOfMemory(String name) {
        return TaskLimits.counted(memory.resolve(name).resolve("memory.oom_control"), "oom_kill") > 0;
    }

    @Override
    public void kill(String name) {
        TaskLimits.killIn(memory.resolve(name));
        TaskLimits.killIn(cpu.resolve(name));
    }

    @Override
    public void remove(String name) {
        TaskLimits.delete(memory.resolve(name));
        TaskLimits.delete(cpu.resolve(name));
    }

    @Override
    public void close() {
        TaskLimits.delete(memory);
        TaskLimits.delete(cpu);
    }
}
