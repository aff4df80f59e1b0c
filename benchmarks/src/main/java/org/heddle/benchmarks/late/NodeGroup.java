// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.late;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.heddle.testkit.Await;
import org.jspecify.annotations.Nullable;

/**
 * The processor of an emulated node: a control group with a quota, in which the NodeManager, its containers and the
 * hogs are. Where control groups cannot be written, the slow node's processes are bound to the first processor, which
 * they share with the hogs, and the other nodes have no limit.
 */
final class NodeGroup implements AutoCloseable {
    private static final Path V1 = Path.of("/sys/fs/cgroup/cpu");
    private static final Path V2 = Path.of("/sys/fs/cgroup");
    private static final int PERIOD_MICROS = 20_000;

    /** How the processor time of a node is limited on this machine. */
    enum Kind {
        CGROUP_V1,
        CGROUP_V2,
        TASKSET;

        static Kind ofThisMachine() {
            if (Files.isWritable(V1.resolve("cgroup.procs")) && Files.exists(V1.resolve("cpu.cfs_quota_us"))) {
                return CGROUP_V1;
            }
            return Files.isWritable(V2.resolve("cgroup.subtree_control")) ? CGROUP_V2 : TASKSET;
        }
    }

    private final String node;
    private final @Nullable Path group;
    private final Path disk;
    private final List<Process> hogs = new ArrayList<>();

    private NodeGroup(String node, @Nullable Path group, Path disk) {
        this.node = node;
        this.group = group;
        this.disk = disk;
    }

    /**
     * @param cpus processors of the node, for example 0.4
     * @param disk directory in which the disk hog writes
     */
    static NodeGroup create(Kind kind, String node, double cpus, Path disk) throws IOException {
        if (kind == Kind.TASKSET) {
            return new NodeGroup(node, null, disk);
        }
        String name = "heddle-" + ProcessHandle.current().pid() + "-" + node;
        long quota = Math.round(cpus * PERIOD_MICROS);
        Path group;
        if (kind == Kind.CGROUP_V1) {
            group = Files.createDirectories(V1.resolve(name));
            Files.writeString(group.resolve("cpu.cfs_period_us"), String.valueOf(PERIOD_MICROS));
            Files.writeString(group.resolve("cpu.cfs_quota_us"), String.valueOf(quota));
        } else {
            Files.writeString(V2.resolve("cgroup.subtree_control"), "+cpu");
            group = Files.createDirectories(V2.resolve(name));
            Files.writeString(group.resolve("cpu.max"), quota + " " + PERIOD_MICROS);
        }
        return new NodeGroup(node, group, disk);
    }

    String node() {
        return node;
    }

    /** Puts a process into the node; processes which it starts later follow it. */
    void add(long pid) throws IOException {
        if (group != null) {
            Files.writeString(group.resolve("cgroup.procs"), String.valueOf(pid));
        }
    }

    /** Starts loops that use the node's processor, and one that writes to its disk. */
    void slowDown(long manager, int loops) throws IOException {
        for (int i = 0; i < loops; i++) {
            hogs.add(start("while :; do :; done"));
        }
        String file = disk.resolve("hog").toString();
        hogs.add(start("while dd if=/dev/zero of='" + file + "' bs=1M count=32 conv=fsync 2>/dev/null; do :; done"));
        for (Process hog : hogs) {
            add(hog.pid());
        }
        if (group == null) {
            bind(manager);
            for (Process hog : hogs) {
                bind(hog.pid());
            }
        }
    }

    private static Process start(String script) throws IOException {
        return new ProcessBuilder("sh", "-c", script)
                .redirectErrorStream(true)
                .redirectOutput(new File("/dev/null"))
                .start();
    }

    private static void bind(long pid) throws IOException {
        Process taskset = new ProcessBuilder("taskset", "-a", "-cp", "0", String.valueOf(pid))
                .redirectErrorStream(true)
                .redirectOutput(new File("/dev/null"))
                .start();
        if (Await.exit("taskset", Duration.ofSeconds(10), taskset) != 0) {
            throw new IOException("taskset cannot bind process " + pid + "; install util-linux, or run as root with"
                    + " writable control groups");
        }
    }

    /** Ends the hogs. Without control groups the NodeManager stays bound to its processor. */
    void speedUp() {
        for (Process hog : hogs) {
            hog.descendants().forEach(ProcessHandle::destroyForcibly);
            hog.destroyForcibly();
            hog.descendants().forEach(ProcessHandle::destroyForcibly);
        }
        hogs.clear();
    }

    /** Ends what still runs in the node and removes its group. */
    @Override
    public void close() {
        speedUp();
        if (group != null) {
            Await.until(node + "'s control group to be empty", Duration.ofSeconds(30), () -> remove(group));
        }
    }

    private static boolean remove(Path group) throws IOException {
        for (String pid : Files.readAllLines(group.resolve("cgroup.procs"))) {
            ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
        }
        return group.toFile().delete();
    }
}
