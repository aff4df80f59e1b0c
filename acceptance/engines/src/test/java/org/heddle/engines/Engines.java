// SPDX-License-Identifier: Apache-2.0
package org.heddle.engines;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.heddle.acceptance.Cluster;
import org.heddle.acceptance.Command;
import org.heddle.acceptance.Distribution;
import org.heddle.acceptance.HadoopHome;
import org.heddle.acceptance.SourceTree;
import org.jspecify.annotations.Nullable;

/** Where the engines are, and the clusters they meet. */
final class Engines {
    /** Options of all clients' JVMs, small and quick to start. */
    static final List<String> JVM = List.of("-Xmx400m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    static final int NODES = 3;
    static final int NODE_MB = 2560;
    static final int NODE_CORES = 4;

    private static @Nullable HadoopHome hadoop;

    private Engines() {}

    /** The jars of an engine, as a class path with a wildcard. */
    static String jars(String engine) throws IOException {
        Path directory = SourceTree.root().resolve("acceptance/engines/" + engine + "/target/engine");
        if (!Files.isDirectory(directory)) {
            throw new IOException(directory + " is missing: build with -am, which collects the engine's jars");
        }
        return directory + "/*";
    }

    /** The jar with the test's own job for an engine. */
    static Path job(String engine) {
        return SourceTree.root()
                .resolve("acceptance/engines/" + engine + "/target/heddle-engine-" + engine + "-"
                        + System.getProperty("heddle.version") + ".jar");
    }

    /** Hadoop with the distribution installed, of the line that the system property names; one for all tests. */
    private static synchronized HadoopHome hadoop() throws IOException {
        if (hadoop == null) {
            HadoopHome home = HadoopHome.assemble(HadoopHome.Line.valueOf(System.getProperty("heddle.engines.line")));
            Distribution.unpack().install(home, "drf", "late");
            hadoop = home;
        }
        return hadoop;
    }

    /** Three nodes of four cores under the DRF scheduler; two GPUs on the last one. */
    static Cluster start(String queues) throws IOException {
        return Cluster.builder(hadoop())
                .scheduler("org.heddle.drf.DrfScheduler")
                .file("heddle-scheduler.xml", queues)
                .nodes(NODES - 1, NODE_MB, NODE_CORES)
                .node(Map.of("memory-mb", (long) NODE_MB, "vcores", (long) NODE_CORES, "yarn.io/gpu", 2L))
                .property("yarn.resourcemanager.placement-constraints.handler", "scheduler")
                .start();
    }

    /** A client of the cluster in a JVM of its own, which has nothing but this class path. */
    static Command java(Cluster cluster, String classPath, List<String> options, String main) {
        return cluster.command("java")
                .and(JVM.toArray())
                .and(options.toArray())
                .and("-cp", classPath, main)
                .with("YARN_CONF_DIR", cluster.site());
    }

    /** What a file of the cluster's file system says. */
    static String read(Cluster cluster, String file) throws IOException {
        return cluster.client("hadoop", "fs", "-cat", file).run().orFail().out();
    }
}
