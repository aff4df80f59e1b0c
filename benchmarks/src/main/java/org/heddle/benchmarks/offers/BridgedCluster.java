// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.heddle.drf.DrfScheduler;
import org.heddle.offers.Bridge;
import org.heddle.offers.BridgeSettingsReader;
import org.heddle.testkit.HeddleCluster;

/** Two nodes with HDFS and MapReduce under DrfScheduler, and a bridge on request. */
final class BridgedCluster implements AutoCloseable {
    static final int NODES = 2;

    private final HeddleCluster cluster;
    private final Path home;
    private int bridges;

    BridgedCluster(Path scratch) throws Exception {
        home = Files.createTempDirectory(scratch, "cluster-");
        cluster = HeddleCluster.builder()
                .scheduler(DrfScheduler.class.getName())
                .addressesAsNames()
                .nodes(NODES, Map.of("memory-mb", 6144L, "vcores", 4L))
                .hdfs(NODES)
                .mapReduce()
                .withoutHistoryServer()
                .property("dfs.blocksize", "16m")
                // Each block is on each node, so no task of Spark waits for a node on which it has no executor.
                .property("dfs.replication", String.valueOf(NODES))
                .property("yarn.app.mapreduce.am.resource.mb", "512")
                .directory(home)
                .build();
        cluster.start();
        cluster.writeClientConfiguration(Files.createDirectories(clientConfiguration()));
    }

    Configuration configuration() {
        return cluster.configuration();
    }

    Path home() {
        return home;
    }

    /** A directory with the site files of a client. */
    Path clientConfiguration() {
        return home.resolve("client");
    }

    /** A bridge of its own until it is closed. */
    Bridge bridge() throws Exception {
        return bridge("auto");
    }

    /** @param limits of tasks, the key agent.limits */
    Bridge bridge(String limits) throws Exception {
        Configuration conf = cluster.configuration();
        conf.set("heddle.bridge.http.address", "127.0.0.1:0");
        conf.set("heddle.bridge.agent.address", "127.0.0.1:0");
        conf.set("heddle.bridge.state.dir", home.resolve("bridge" + bridges++).toString());
        conf.set("heddle.bridge.agent.limits", limits);
        return Bridge.start(BridgeSettingsReader.read(conf), conf);
    }

    static URI address(Bridge bridge) {
        return URI.create("http://127.0.0.1:" + bridge.httpAddress().getPort());
    }

    /** Writes labelled points ({@link Points}). */
    void writePoints(String file, int points, int dimensions) throws IOException {
        Points.write(files(), file, points, dimensions);
    }

    FileSystem files() throws IOException {
        return cluster.fileSystem();
    }

    /** Bytes of a file. */
    long length(String file) throws IOException {
        return files().getFileStatus(new org.apache.hadoop.fs.Path(file)).getLen();
    }

    /** @param tree the directory of the source tree */
    SparkRun spark(Bridge bridge, Path tree, int executors, String memory) {
        return new SparkRun(home, clientConfiguration(), address(bridge), tree, executors, memory);
    }

    @Override
    public void close() {
        cluster.close();
    }
}
