// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * A cgroup for each process that the agent starts, where the agent may make cgroups: the kernel limits memory and CPU
 * then. Where it may not, {@link #whatIsMissing()} gives the reason, and only the NodeManager checks the memory of the
 * whole container.
 */
interface TaskLimits {
    static TaskLimits probe(String mode, Path root, String container) {
        if (mode.equals("off")) {
            return new Off("heddle.bridge.agent.limits is switched off");
        }
        return Cgroups.below(root, container);
    }

    /** What limits tasks instead of cgroups for CPU and memory, and why; empty if both are in force. */
    default String whatIsMissing() {
        return "";
    }

    /** Makes the groups of a process, 0 for no limit; returns the files into which the process must write itself. */
    List<Path> make(String name, long milliCpus, long memMb) throws IOException;

    /** Whether the kernel has killed a process of the group for its use of memory. */
    boolean ranOutOfMemory(String name);

    /** Ends processes that are left in the groups; they may have left the process group of the first one. */
    void kill(String name);

    /**
     * Whether a process with these amounts, 0 for no limit, has a group, which then has all processes that it leaves.
     */
    default boolean covers(long milliCpus, long memMb) {
        return false;
    }

    /** The groups whose children have the processes of tasks. */
    default List<Path> parents() {
        return List.of();
    }

    /** Removes the groups of a process that has ended. A group that still has processes stays until the agent ends. */
    void remove(String name);

    /** The agent limits nothing. */
    record Off(String reason) implements TaskLimits {
        @Override
        public String whatIsMissing() {
            return "NodeManager's only: " + reason;
        }

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

    static void killIn(Path group) {
        try {
            Path all = group.resolve("cgroup.kill"); // version 2, since Linux 5.14: also what is forked meanwhile
            if (Files.exists(all)) {
                write(all, "1");
                return;
            }
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
        try {
            Files.write(file, value.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new IOException("cannot write \"" + value + "\" into " + file + ": " + e.getMessage(), e);
        }
    }
}
