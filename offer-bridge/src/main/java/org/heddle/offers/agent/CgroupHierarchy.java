// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * The groups of one agent in one hierarchy. A group of version 2 with controllers for its children cannot hold
 * processes, so the tasks are in groups below the container's group, in both versions:
 *
 * <pre>
 * root ── heddle ── container ── p1, p2, ..
 * </pre>
 *
 * @param parent the container's group
 */
record CgroupHierarchy(Path parent, boolean version2, Set<CgroupController> controllers) {
    CgroupHierarchy {
        controllers = Set.copyOf(controllers);
    }

    /** Controllers that a hierarchy of version 2 can hand to groups; empty if none is mounted there. */
    static List<String> handedOut(Path root) throws IOException {
        Path file = root.resolve("cgroup.controllers");
        return Files.exists(file) ? List.of(Files.readString(file).trim().split(" +", -1)) : List.of();
    }

    /** Makes the container's group in a hierarchy of version 2, and enables the controllers for it. */
    static CgroupHierarchy version2(Path root, String container, Set<CgroupController> controllers) throws IOException {
        // Only the root of the whole hierarchy has no type. The kernel would take the controllers, and refuse the
        // groups.
        if (Files.exists(root.resolve("cgroup.type"))
                && !Files.readString(root.resolve("cgroup.procs")).isEmpty()) {
            throw new IOException(root + " has processes of its own, so groups below it get no controllers");
        }
        Path parent = Files.createDirectories(root.resolve("heddle").resolve(container));
        for (Path group : List.of(root, root.resolve("heddle"), parent)) {
            for (CgroupController one : controllers) {
                TaskLimits.write(group.resolve("cgroup.subtree_control"), "+" + one.word());
            }
        }
        for (CgroupController one : controllers) {
            if (!Files.exists(parent.resolve(one.file(true)))) {
                throw new IOException("the controller " + one.word() + " is not enabled in " + parent);
            }
        }
        sweep(root.resolve("heddle"));
        return new CgroupHierarchy(parent, true, controllers);
    }

    /** Makes the container's group in a hierarchy of version 1, and a group in it, to check that this is allowed. */
    static CgroupHierarchy version1(Path root, String container, CgroupController controller) throws IOException {
        if (!Files.exists(root.resolve("cgroup.procs"))) {
            throw new IOException("no cgroup v1 hierarchy " + root);
        }
        Path parent = Files.createDirectories(root.resolve("heddle").resolve(container));
        sweep(root.resolve("heddle"));
        Path probe = Files.createDirectories(parent.resolve("probe"));
        controller.write(probe, false, 500, 64);
        Files.delete(probe);
        return new CgroupHierarchy(parent, false, Set.of(controller));
    }

    /** Removes the groups of agents that were killed. Their names end in the process numbers of the agents. */
    private static void sweep(Path groups) throws IOException {
        try (var agents = Files.newDirectoryStream(groups, "*.*")) {
            for (Path agent : agents) {
                String name = String.valueOf(agent.getFileName());
                String pid = name.substring(name.lastIndexOf('.') + 1);
                if (pid.matches("[0-9]{1,18}")
                        && ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
                    removeWithTasks(agent);
                }
            }
        }
    }

    private static void removeWithTasks(Path agent) throws IOException {
        try (var left = Files.newDirectoryStream(agent, Files::isDirectory)) {
            left.forEach(TaskLimits::delete);
        } catch (NoSuchFileException e) {
            return; // another agent of the node has removed it meanwhile
        }
        TaskLimits.delete(agent);
    }

    /** Whether a task with these amounts, 0 for no limit, has a group here. */
    boolean limits(long milliCpus, long memMb) {
        return controllers.stream().anyMatch(one -> one.limits(milliCpus, memMb));
    }

    /** Makes the group of a task; returns the file into which the process must write itself. */
    Path make(String name, long milliCpus, long memMb) throws IOException {
        Path group = Files.createDirectories(parent.resolve(name));
        for (CgroupController one : controllers) {
            if (one.limits(milliCpus, memMb)) {
                one.write(group, version2, milliCpus, memMb);
            }
        }
        return group.resolve("cgroup.procs");
    }

    boolean ranOutOfMemory(String name) {
        return controllers.contains(CgroupController.MEMORY)
                && TaskLimits.counted(
                                parent.resolve(name).resolve(version2 ? "memory.events" : "memory.oom_control"),
                                "oom_kill")
                        > 0;
    }
}
