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
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.heddle.testkit.Await;
import org.heddle.testkit.machine.FreePort;

/**
 * HDFS with its NameNode in this process, and each DataNode in a process of its own, so that a test can kill it. A
 * DataNode comes back to the same ports, as in a real cluster.
 */
final class DataNodes implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int PORTS = 3;
    private static final String HEARTBEAT = "200ms"; // the recovery of a lease waits for heartbeats

    private final MiniDFSCluster nameNode;
    private final Configuration conf;
    private final Path home;
    private final List<Integer> ports;
    private final List<Process> processes = new ArrayList<>();

    /** Each file has a copy on each DataNode. */
    DataNodes(Path home, int count) throws IOException {
        this.home = home;
        this.ports = IntStream.range(0, PORTS * count)
                .mapToObj(any -> FreePort.next())
                .toList();
        Configuration daemons = new HdfsConfiguration();
        daemons.set("dfs.heartbeat.interval", HEARTBEAT);
        nameNode = new MiniDFSCluster.Builder(daemons, home.resolve("hdfs").toFile())
                .nameNodePort(FreePort.next()) // nobody takes it while the NameNode is down
                .nameNodeHttpPort(FreePort.next())
                .numDataNodes(0)
                .build();
        nameNode.waitActive();
        nameNode.getConfiguration(0)
                .setInt("dfs.replication", count); // it was set to the number of nodes in this process
        conf = new Configuration(nameNode.getConfiguration(0));
        for (int i = 0; i < count; i++) {
            processes.add(process(i));
        }
        try {
            Await.until(
                    count + " DataNodes",
                    PATIENCE,
                    () -> all().length == count,
                    () -> "running are "
                            + processes.stream().map(Process::isAlive).toList());
        } catch (AssertionError e) {
            close();
            throw e;
        }
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
                        "-Ddfs.datanode.address=127.0.0.1:" + port(node),
                        "-Ddfs.datanode.http.address=127.0.0.1:" + ports.get(PORTS * node + 1),
                        "-Ddfs.datanode.ipc.address=127.0.0.1:" + ports.get(PORTS * node + 2),
                        "-Ddfs.heartbeat.interval=" + HEARTBEAT)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(node)))
                .start();
    }

    private int port(int node) {
        return ports.get(PORTS * node);
    }

    private File log(int node) {
        return home.resolve("datanode" + node + ".log").toFile();
    }

    private DatanodeInfo[] all() throws IOException {
        return fileSystem().getDataNodeStats();
    }

    DistributedFileSystem fileSystem() throws IOException {
        return nameNode.getFileSystem();
    }

    /** For clients. */
    Configuration configuration() {
        return conf;
    }

    String uri() {
        return nameNode.getURI().toString();
    }

    /** {@code kill -9}. The NameNode believes for minutes that it runs. */
    void kill(int node) {
        processes.get(node).destroyForcibly();
        Await.exit("the DataNode", PATIENCE, processes.get(node));
    }

    /**
     * Starts it after a kill, with what is on its disk, and returns when the NameNode has heard from it which blocks it
     * has. Its last heartbeat from before the kill may be handled only now.
     */
    void restart(int node) throws IOException {
        long since = System.currentTimeMillis();
        processes.set(node, process(node));
        Await.until(
                "the DataNode to come back",
                PATIENCE,
                () -> Arrays.stream(all())
                        .anyMatch(one -> one.getXferPort() == port(node) && one.getLastBlockReportTime() > since),
                () -> log(node).toString());
    }

    /** Until {@link #startNameNode}. */
    void stopNameNode() {
        nameNode.shutdownNameNode(0);
    }

    /** At the same address; it is in safe mode until DataNodes have reported. */
    void startNameNode() throws IOException {
        nameNode.restartNameNode(0, false);
    }

    /** Starts all that were killed. */
    void restartKilled() throws IOException {
        for (int node = 0; node < processes.size(); node++) {
            if (!processes.get(node).isAlive()) {
                restart(node);
            }
        }
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        nameNode.shutdown();
    }
}
