// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The configuration directory of a cluster, one for all its daemons and clients. Every daemon has a loopback address of
 * its own, so that ports can be the same in all clusters of a machine; they are below the range that outgoing
 * connections take theirs from.
 */
final class Site {
    static final List<String> FILES = List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml", "mapred-site.xml");
    static final int ZOOKEEPER = 23_181;
    static final int NAME_NODE = 29_020;
    static final int RM_WEB = 29_088;
    static final int NM_WEB = 29_042;
    static final int HISTORY = 22_020;
    static final String SCHEDULER_ADDRESS = "yarn.resourcemanager.scheduler.address";
    private static final int SCHEDULER = 29_031;
    private static final int AMRM_PROXY = 29_049;
    /**
     * A value of {@link #SCHEDULER_ADDRESS}: masters go to the proxy of their own NodeManager. On real machines it is
     * localhost:8049; here each NodeManager has an address of its own, which its containers know.
     */
    static final String AT_PROXY = "${env.NM_HOST}:" + AMRM_PROXY;

    private static final String CONTAINER_JVM = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xss512k -Xshare:auto";

    private final Path directory;
    private final Path data;
    private final String block;
    private final Map<String, String> properties = new LinkedHashMap<>();

    /**
     * @param directory where the files go
     * @param data where daemons keep what they keep
     * @param block first three numbers of the cluster's addresses, as in 127.80.1
     */
    Site(Path directory, Path data, String block, HadoopHome home, List<String> managers) {
        this.directory = directory;
        this.data = data;
        this.block = block;
        put("hadoop.tmp.dir", data.resolve("tmp"));
        put("hadoop.proxyuser." + System.getProperty("user.name") + ".hosts", "*");
        put("hadoop.proxyuser." + System.getProperty("user.name") + ".groups", "*");
        hdfs();
        managers(managers);
        nodes();
        mapReduce(home);
    }

    private void hdfs() {
        String nameNode = address("namenode");
        String dataNode = address("datanode");
        put("fs.defaultFS", "hdfs://" + nameNode + ":" + NAME_NODE);
        put("dfs.namenode.rpc-bind-host", nameNode);
        put("dfs.namenode.http-address", nameNode + ":" + (NAME_NODE + 1));
        put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
        put("dfs.namenode.safemode.threshold-pct", "0");
        put("dfs.namenode.handler.count", "8");
        put("dfs.namenode.resource.du.reserved", "0");
        put("dfs.namenode.fs-limits.min-block-size", "1024");
        put("dfs.permissions.enabled", "false");
        put("dfs.replication", "1");
        put("dfs.namenode.name.dir", data.resolve("name").toUri());
        put("dfs.datanode.data.dir", data.resolve("data").toUri());
        put("dfs.datanode.du.reserved", "0");
        // The NameNode sees its connections come from 127.0.0.1, but believes the name it gives itself.
        put("dfs.datanode.hostname", dataNode);
        put("dfs.client.use.datanode.hostname", "true");
        put("dfs.datanode.use.datanode.hostname", "true");
        put("dfs.datanode.address", dataNode + ":" + (NAME_NODE + 2));
        put("dfs.datanode.ipc.address", dataNode + ":" + (NAME_NODE + 3));
        put("dfs.datanode.http.address", dataNode + ":" + (NAME_NODE + 4));
    }

    private void managers(List<String> managers) {
        if (managers.size() == 1) {
            manager("", managers.get(0));
        } else {
            put("hadoop.zk.address", address("zookeeper") + ":" + ZOOKEEPER);
            // The elector asks for the older name.
            put("yarn.resourcemanager.zk-address", address("zookeeper") + ":" + ZOOKEEPER);
            // A busy machine can stop a process for seconds, and a ResourceManager that loses its session at start
            // ends.
            put("hadoop.zk.timeout-ms", "20000");
            put("yarn.resourcemanager.ha.enabled", "true");
            put("yarn.resourcemanager.cluster-id", "acceptance-" + block);
            put("yarn.resourcemanager.ha.rm-ids", String.join(",", managers));
            managers.forEach(id -> manager("." + id, id));
            put("yarn.resourcemanager.recovery.enabled", "true");
            put("yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms", "2000");
            put(
                    "yarn.resourcemanager.store.class",
                    "org.apache.hadoop.yarn.server.resourcemanager.recovery.ZKRMStateStore");
            put("yarn.client.failover-sleep-base-ms", "200");
            put("yarn.client.failover-sleep-max-ms", "1000");
        }
        put("yarn.resourcemanager.connect.retry-interval.ms", "500");
        put("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "250");
        put("yarn.resourcemanager.client.thread-count", "8");
        put("yarn.resourcemanager.scheduler.client.thread-count", "8");
        put("yarn.resourcemanager.resource-tracker.client.thread-count", "8");
        put("yarn.resourcemanager.amlauncher.thread-count", "8");
        put("yarn.scheduler.minimum-allocation-mb", "128");
    }

    private void manager(String suffix, String daemon) {
        int port = 29_030;
        for (String service : List.of("address", "scheduler.address", "resource-tracker.address", "admin.address")) {
            put("yarn.resourcemanager." + service + suffix, address(daemon) + ":" + port++);
        }
        put("yarn.resourcemanager.webapp.address" + suffix, address(daemon) + ":" + RM_WEB);
    }

    private void nodes() {
        put("yarn.nodemanager.recovery.enabled", "true");
        put("yarn.nodemanager.recovery.supervised", "true");
        put("yarn.nodemanager.resourcemanager.connect.retry-interval.ms", "500");
        // Containers' directories stay a while, so that what went wrong in them can be read.
        put("yarn.nodemanager.delete.debug-delay-sec", "600");
        put("yarn.nodemanager.pmem-check-enabled", "false");
        put("yarn.nodemanager.vmem-check-enabled", "false");
        put("yarn.nodemanager.container-manager.thread-count", "8");
        put("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
        put("yarn.nodemanager.disk-health-checker.min-free-space-per-disk-mb", "0");
        put("yarn.nodemanager.process-kill-wait.ms", "2000");
        put("yarn.nodemanager.aux-services", "mapreduce_shuffle");
    }

    private void mapReduce(HadoopHome home) {
        put("mapreduce.framework.name", "yarn");
        put("mapreduce.shuffle.port", "0");
        for (String process : List.of("yarn.app.mapreduce.am.env", "mapreduce.map.env", "mapreduce.reduce.env")) {
            put(process, "HADOOP_MAPRED_HOME=" + home.path());
        }
        put("yarn.app.mapreduce.am.staging-dir", "/mapreduce/staging");
        put("mapreduce.jobhistory.intermediate-done-dir", "/mapreduce/history/intermediate");
        put("mapreduce.jobhistory.done-dir", "/mapreduce/history/done");
        put("mapreduce.jobhistory.address", address("history") + ":" + HISTORY);
        put("mapreduce.jobhistory.webapp.address", address("history") + ":" + (HISTORY + 1));
        put("mapreduce.jobhistory.admin.address", address("history") + ":" + (HISTORY + 2));
        put("mapreduce.jobhistory.move.interval-ms", "1000");
        put("yarn.app.mapreduce.am.resource.mb", "512");
        put("yarn.app.mapreduce.am.command-opts", "-Xmx256m " + CONTAINER_JVM);
        put("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "250");
        put("yarn.app.mapreduce.am.job.task.listener.thread-count", "8");
        put("mapreduce.map.memory.mb", "512");
        put("mapreduce.reduce.memory.mb", "512");
        put("mapreduce.map.java.opts", "-Xmx160m " + CONTAINER_JVM);
        put("mapreduce.reduce.java.opts", "-Xmx160m " + CONTAINER_JVM);
        put("mapreduce.task.io.sort.mb", "16");
        put("mapreduce.client.submit.file.replication", "1");
        put("mapreduce.client.progressmonitor.pollinterval", "250");
        put("mapreduce.client.completion.pollinterval", "250");
    }

    /** The same HDFS as another cluster's. */
    void copyHdfs(Site other) {
        other.properties.forEach((name, value) -> {
            if (name.startsWith("dfs.") || name.equals("fs.defaultFS")) {
                put(name, value);
            }
        });
    }

    /** Where ApplicationMasters find the only ResourceManager. */
    String schedulerAddress(String daemon) {
        return address(daemon) + ":" + SCHEDULER;
    }

    void put(String name, Object value) {
        properties.put(name, value.toString());
    }

    Path directory() {
        return directory;
    }

    /** The loopback address of a daemon. */
    String address(String daemon) {
        int last = switch (daemon) {
            case "zookeeper" -> 1;
            case "namenode" -> 2;
            case "datanode" -> 3;
            case "rm1" -> 4;
            case "rm2" -> 5;
            case "history" -> 6;
            case "router" -> 7;
            case "policies" -> 8;
            default -> 10 + Integer.parseInt(daemon.substring("node".length()));
        };
        return block + "." + last;
    }

    /** What one NodeManager has for itself, for its command line: on a real cluster each has a directory of its own. */
    Map<String, String> ofNode(String node, Map<String, Long> resources) {
        Map<String, String> own = new TreeMap<>();
        String address = address(node);
        // A recovering NodeManager kills nobody else's containers, but does bind wildcard ports if not told otherwise.
        int shift = Integer.parseInt(node.substring("node".length())) * 10;
        own.put("yarn.nodemanager.hostname", address);
        own.put("yarn.nodemanager.bind-host", address);
        own.put("yarn.nodemanager.address", address + ":" + (29_041 + shift));
        own.put("yarn.nodemanager.localizer.address", address + ":" + (29_040 + shift));
        own.put("yarn.nodemanager.webapp.address", address + ":" + NM_WEB);
        own.put("yarn.nodemanager.amrmproxy.address", address + ":" + AMRM_PROXY);
        if (AT_PROXY.equals(properties.get(SCHEDULER_ADDRESS))) {
            own.put(SCHEDULER_ADDRESS, address + ":" + AMRM_PROXY);
        }
        for (String kept : List.of("recovery.dir", "local-dirs", "log-dirs")) {
            own.put("yarn.nodemanager." + kept, data.resolve(node + "/" + kept).toString());
        }
        resources.forEach((name, amount) -> own.put(
                switch (name) {
                    case "memory-mb" -> "yarn.nodemanager.resource.memory-mb";
                    case "vcores" -> "yarn.nodemanager.resource.cpu-vcores";
                    default -> "yarn.nodemanager.resource-type." + name;
                },
                amount.toString()));
        return own;
    }

    /** Writes all files anew. */
    void write() throws IOException {
        write(directory, properties);
    }

    /** Writes them to another directory with other values of some properties. */
    Path variant(Path other, Map<String, String> changes) throws IOException {
        Map<String, String> changed = new LinkedHashMap<>(properties);
        changed.putAll(changes);
        write(other, changed);
        return other;
    }

    private static void write(Path directory, Map<String, String> properties) throws IOException {
        Files.createDirectories(directory);
        for (String file : FILES) {
            StringBuilder text = new StringBuilder("<configuration>\n");
            properties.forEach((name, value) -> {
                if (fileOf(name).equals(file)) {
                    text.append("  <property><name>" + escape(name) + "</name><value>" + escape(value)
                            + "</value></property>\n");
                }
            });
            replace(directory, file, text.append("</configuration>\n").toString());
        }
        replace(directory, "log4j.properties", """
                log4j.rootLogger=INFO, console
                log4j.appender.console=org.apache.log4j.ConsoleAppender
                log4j.appender.console.target=System.err
                log4j.appender.console.layout=org.apache.log4j.PatternLayout
                log4j.appender.console.layout.ConversionPattern=%d{HH:mm:ss,SSS} %-5p [%t] %c{1}: %m%n
                """);
    }

    /** Replaces a file at once: a job's ApplicationMaster may read it at any time. */
    void replace(String file, String content) throws IOException {
        replace(directory, file, content);
    }

    private static void replace(Path directory, String file, String content) throws IOException {
        Path part = Files.writeString(directory.resolve("." + file), content);
        Files.move(part, directory.resolve(file), StandardCopyOption.ATOMIC_MOVE);
    }

    private static String fileOf(String property) {
        if (property.startsWith("yarn.app.mapreduce.") || property.startsWith("mapreduce.")) {
            return "mapred-site.xml";
        }
        if (property.startsWith("yarn.")) {
            return "yarn-site.xml";
        }
        return property.startsWith("dfs.") ? "hdfs-site.xml" : "core-site.xml";
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
