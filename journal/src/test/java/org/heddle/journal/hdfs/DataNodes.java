// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal.hdfs;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.heddle.testkit.Await;

/** DataNodes of a NameNode in this process. Each is a process of its own, so that a test can kill it. */
final class DataNodes implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final MiniDFSCluster nameNode;
    private final Path home;
    private final List<Process> processes = new ArrayList<>();

    DataNodes(MiniDFSCluster nameNode, Path home, int count) throws IOException {
        this.nameNode = nameNode;
        this.home = home;
        for (int i = 0; i < count; i++) {
            processes.add(process(i));
        }
        Await.until(count + " DataNodes", PATIENCE, () -> addresses().size() == count);
    }

    private Process process(int node) throws IOException {
        Path own = Files.createDirectories(home.resolve("datanode" + node));
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx200m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.net.preferIPv4Stack=true",
                        "-Djava.io.tmpdir=" + own,
                        "-Dhadoop.log.dir=" + own,
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.apache.hadoop.hdfs.server.datanode.DataNode",
                        "-Dfs.defaultFS=" + nameNode.getURI(),
                        "-Ddfs.datanode.data.dir=" + own.resolve("data").toUri(),
                        "-Ddfs.datanode.address=127.0.0.1:0",
                        "-Ddfs.datanode.http.address=127.0.0.1:0",
                        "-Ddfs.datanode.ipc.address=127.0.0.1:0",
                        "-Ddfs.heartbeat.interval=" + HdfsLogIT.HEARTBEAT)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(node)))
                .start();
    }

    private File log(int node) {
        return home.resolve("datanode" + node + ".log").toFile();
    }

    /** Where those DataNodes listen that the NameNode believes to run. */
    private List<String> addresses() throws IOException {
        DistributedFileSystem fs = nameNode.getFileSystem();
        return Arrays.stream(fs.getDataNodeStats())
                .map(node -> node.getXferAddr())
                .sorted()
                .collect(Collectors.toList());
    }

    /** {@code kill -9}. */
    void kill(int node) {
        processes.get(node).destroyForcibly();
        Await.exit("the DataNode", PATIENCE, processes.get(node));
    }

    /** Starts it after a kill, with what is on its disk, and returns when the NameNode knows it. */
    void restart(int node) throws IOException {
        List<String> before = addresses();
        processes.set(node, process(node));
        Await.until(
                "the DataNode to come back",
                PATIENCE,
                () -> !addresses().equals(before),
                () -> log(node).toString());
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
    }
}
