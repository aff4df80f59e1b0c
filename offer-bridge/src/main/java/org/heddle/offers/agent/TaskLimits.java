// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * A cgroup for each process that the agent starts, where the agent may make cgroups: the kernel limits memory and CPU then.
 * Where it may not, {@link #whyNot()} gives the reason, and only the NodeManager checks the memory of the whole container.
 */
interface TaskLimits {
    long PERIOD_MICROS = 100_000;
    long LEAST_QUOTA_MICROS = 1_000;

    /** Uses cgroups v2 if they are mounted there, otherwise v1. */
    static TaskLimits probe(String mode, Path root, String container) {
        if (mode.equals("off")) {
            return new Off("heddle.bridge.agent.limits is switched off");
        }
        try {
            return CgroupsV2.mountedAt(root) ? CgroupsV2.below(root, container) : CgroupsV1.below(root, container);
        } catch (IOException e) {
            return new Off("cannot make cgroups below " + root + ": " + e);
        }
    }

    /** Empty if limits are in force. */
    default String whyNot() {
        return "";
    }

    /** Makes the groups of a process, 0 for no limit; returns the files into which the process must write itself. */
    List<Path> make(String name, long milliCpus, long memMb) throws IOException;

    /** Whether the kernel has killed a process of the group for its use of memory. */
    boolean ranOutOfMemory(String name);

    /** Ends processes that are left in the groups; they may have left the process group of the first one. */
    void kill(String name);

    /** Removes the groups of a process that has ended. A group that still has processes stays until the agent ends. */
    void remove(String name);

    void close();

    /** Nothing is limited. */
    record Off(String whyNot) implements TaskLimits {
        @Override
        public List<Path> make(String name, long milliCpus, long memMb) {
            return List.of();
        }

        @Override
        public boolean ranOutOfMemory(String name) {
            return false;
        }

        @Override
        public void kill(String name) {}

        @Override
        public void remove(String name) {}

        @Override
        public void close() {}
    }

    /** CPU time of a task in each period of {@link #PERIOD_MICROS}. */
    static long quotaMicros(long milliCpus) {
        return Math.max(LEAST_QUOTA_MICROS, milliCpus * PERIOD_MICROS / 1000);
    }

    /** The number after a name, in a file of lines "name number"; 0 without such a line. */
    static long counted(Path file, String name) {
        try {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith(name + " ")) {
                    return Long.parseLong(line.substring(name.length() + 1).trim());
                }
            }
            return 0;
        } catch (IOException e) {
            return 0;
        }
    }

    /** Removes the groups of agents that were killed. Their names end in the process numbers of the agents. */
    static void sweep(Path groups) throws IOException {
        try (DirectoryStream<Path> agents = Files.newDirectoryStream(groups, "*.*")) {
            for (Path agent : agents) {
                String name = String.valueOf(agent.getFileName());
                String pid = name.substring(name.lastIndexOf('.') + 1);
                if (pid.matches("[0-9]{1,18}")
                        && ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
                    try (DirectoryStream<Path> left = Files.newDirectoryStream(agent, Files::isDirectory)) {
                        left.forEach(TaskLimits::delete);
                    }
                    delete(agent);
                }
            }
        }
    }

    static void killIn(Path group) {
        try {
            for (String pid : Files.readAllLines(group.resolve("cgroup.procs"))) {
                ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
            }
        } catch (NoSuchFileException e) {
            // It had no such limit.
        } catch (IOException e) {
            Agent.log("the processes of cgroup " + group + " cannot be listed: " + e.getMessage());
        }
    }

    static void delete(Path group) {
        try {
            Files.deleteIfExists(group);
        } catch (IOException e) {
            Agent.log("cgroup " + group + " cannot be removed: " + e.getMessage());
        }
    }

    static void write(Path file, String value) throws IOException {
        Files.write(file, value.getBytes(StandardCharsets.US_ASCII));
    }
}
