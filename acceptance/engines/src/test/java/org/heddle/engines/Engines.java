// SPDX-License-Identifier: Apache-2.0
package org.heddle.engines;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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

    static final String MARKET_ID = "engines";

    private static @Nullable HadoopHome hadoop;
    private static @Nullable Distribution distribution;

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

    private static synchronized Distribution distribution() throws IOException {
        if (distribution == null) {
            distribution = Distribution.unpack();
        }
        return distribution;
    }

    /** A command of the distribution's bin/. */
    static Path command(String name) throws IOException {
        return distribution().command(name);
    }

    /** Hadoop with the distribution installed, of the line that the system property names; one for all tests. */
    private static synchronized HadoopHome hadoop() throws IOException {
        if (hadoop == null) {
            HadoopHome home = HadoopHome.assemble(HadoopHome.Line.valueOf(System.getProperty("heddle.engines.line")));
            distribution().install(home, "drf", "market", "late");
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

    /** Three nodes under the market, whose queues are its accounts; a slot is two of Spark's containers. */
    static Cluster startMarket(String masterKey) throws IOException {
        return Cluster.builder(hadoop())
                .scheduler("org.heddle.market.DynamicPriorityScheduler")
                .file(
                        "heddle-scheduler.xml",
                        "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"default\"/></queue>"
                                + "</heddle-scheduler>")
                .nodes(NODES, NODE_MB, NODE_CORES)
                .property("yarn.acl.enable", "true")
                .property("yarn.scheduler.heddle.market.trial", "true")
                .property("yarn.scheduler.heddle.market.cluster-id", MARKET_ID)
                .property("yarn.scheduler.heddle.market.http.master-key", masterKey)
                .property("yarn.scheduler.heddle.market.interval-ms", "1000")
                .property("yarn.scheduler.heddle.market.standard-slot", "memory-mb=1280")
                .start();
    }

    /** The options that open packages of the JDK to an engine on Java 17. */
    static List<String> opened(String... packages) {
        return Arrays.stream(packages)
                .map(name -> "--add-opens=java.base/" + name + "=ALL-UNNAMED")
                .toList();
    }

    /** A client of the cluster in a JVM of its own, which has nothing but this class path. */
    static Command java(Cluster cluster, String classPath, List<String> options, String main) {
        return cluster.command("java")
                .and(JVM.toArray())
                .and(options.toArray())
                .and("-cp", classPath, main)
                .with("YARN_CONF_DIR", cluster.site());
    }

    /**
     * The cluster's configuration, in a new directory, for containers which have these jars only, not the cluster's.
     */
    static Path siteWithClassPath(Cluster cluster, String jars) throws IOException {
        Path site = SourceTree.newDirectory("conf");
        try (Stream<Path> files = Files.list(cluster.site())) {
            for (Path file : files.toList()) {
                String text = Files.readString(file);
                if (file.endsWith("yarn-site.xml")) {
                    text = text.replace(
                            "</configuration>",
                            "<property><name>yarn.application.classpath</name><value>" + cluster.site() + "," + jars
                                    + "</value></property></configuration>");
                }
                Files.writeString(site.resolve(file.getFileName()), text);
            }
        }
        return site;
    }

    /** What a file of the cluster's file system says. */
    static String read(Cluster cluster, String file) throws IOException {
        return cluster.client("hadoop", "fs", "-cat", file).run().orFail().out();
    }
}
