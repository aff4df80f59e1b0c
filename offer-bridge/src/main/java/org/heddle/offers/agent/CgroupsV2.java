// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Groups in the hierarchy of cgroups v2. A group with controllers for its children cannot hold processes, so the tasks are
 * in groups below the container's group:
 *
 * <pre>
 * root ── heddle ── container ── p1, p2, ..      memory.max, cpu.max
 * </pre>
 */
record CgroupsV2(Path parent) implements TaskLimits {
    private static final long MOST_WEIGHT = 10_000;

    static boolean mountedAt(Path root) {
        return Files.exists(root.resolve("cgroup.controllers"));
    }

    /** Makes the container's group and enables the controllers for it. */
    static CgroupsV2 below(Path root, String container) throws IOException {
        List<String> controllers = List.of(
                Files.readString(root.resolve("cgroup.controllers")).trim().split(" +", -1));
        if (!controllers.contains("memory") || !controllers.contains("cpu")) {
            throw new IOException("the cgroup v2 hierarchy " + root + " has the controllers " + controllers
                    + ": want memory and cpu");
        }
        Path parent = Files.createDirectories(root.resolve("heddle").resolve(container));
        for (Path group : List.of(root, root.resolve("heddle"), parent)) {
            TaskLimits.write(group.resolve("cgroup.subtree_control"), "+memory +cpu");
        }
        if (!Files.exists(parent.resolve("memory.max")) || !Files.exists(parent.resolve("cpu.max"))) {
            throw new IOException("the controllers are not enabled in " + parent);
        }
        TaskLimits.sweep(root.resolve("heddle"));
        return new CgroupsV2(parent);
    }

    @Override
    public List<Path> make(String name, long milliCpus, long memMb) throws IOException {
        if (memMb <= 0 && milliCpus <= 0) {
            return List.of();
        }
        Path group = Files.createDirectories(parent.resolve(name));
        if (memMb > 0) {
            TaskLimits.write(group.resolve("memory.max"), Long.toString(memMb << 20));
            for (String optional : new String[] {"memory.swap.max 0", "memory.oom.group 1"}) {
                String[] words = optional.split(" ", -1);
                if (Files.exists(group.resolve(words[0]))) {
                    TaskLimits.write(group.resolve(words[0]), words[1]);
                }
            }
        }
        if (milliCpus > 0) {
            TaskLimits.write(group.resolve("cpu.max"), TaskLimits.quotaMicros(milliCpus) + " " + PERIOD_MICROS);
            TaskLimits.write(
                    group.resolve("cpu.weight"), Long.toString(Math.max(1, Math.min(MOST_WEIGHT, milliCpus / 10))));
        }
        return List.of(group.resolve("cgroup.procs"));
    }

    @Override
    public boolean ranOutOfMemory(String name) {
        return TaskLimits.counted(parent.resolve(name).resolve("memory.events"), "oom_kill") > 0;
    }

    @Override
    public void kill(String name) {
        TaskLimits.killIn(parent.resolve(name));
    }

    @Override
    public void remove(String name) {
        TaskLimits.delete(parent.resolve(name));
    }

    @Override
    public void close() {
        TaskLimits.delete(parent);
    }
}
