// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * The properties of a {@link ProcessCluster}. Every daemon has a loopback address of its own, so that ports can be the
 * same in all clusters of a machine; they are below the range that outgoing connections take theirs from.
 */
final class ProcessSite {
    static final int ZOOKEEPER = 22_181;
    static final int NAME_NODE = 28_020;
    static final int RM_WEB = 28_088;
    static final int NM_WEB = 28_042;
    static final int HISTORY = 21_020;

    private static final String CAPACITY_SCHEDULER_FILE = "capacity-scheduler.xml";

    private final Path home;
    private final String block;
    private final List<String> managers;
    private final Map<String, String> shared = new LinkedHashMap<>();
    /** Those of CapacityScheduler that a user of the cluster has set. */
    private final Map<String, String> ofCapacityScheduler = new LinkedHashMap<>();

    /**
     * Makes the properties of a cluster.
     *
     * @param block first three numbers of the cluster's addresses, as in 127.80.1
     * @param managers the ResourceManagers; two or more are a pair with automatic failover
     */
    ProcessSite(Path home, String block, String classPath, List<String> managers) throws IOException {
        this.home = home;
        this.block = block;
        this.managers = List.copyOf(managers);
        shared.putAll(
                Defaults.yarn("org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler"));
        shared.remove("yarn.is.minicluster");
        for (String service : List.of("address", "scheduler.address", "resource-tracker.address", "admin.address")) {
            shared.remove("yarn.resourcemanager." + service);
        }
        shared.remove("yarn.resourcemanager.webapp.address");
        shared.putAll(Defaults.hdfs());
        shared.putAll(Defaults.mapReduce());
        hdfs();
        managers();
        nodes();
        shared.put("mapreduce.jobhistory.address", address("history") + ":" + HISTORY);
        shared.put("mapreduce.jobhistory.webapp.address", address("history") + ":" + (HISTORY + 1));
        shared.put("mapreduce.jobhistory.admin.address", address("history") + ":" + (HISTORY + 2));
        shared.put("yarn.application.classpath", containers() + "," + classPath);
        shared.put("mapreduce.application.classpath", classPath);
        shared.put("hadoop.tmp.dir", home.resolve("tmp").toString());
        String self = UserGroupInformation.getLoginUser().getShortUserName();
        shared.put("hadoop.proxyuser." + self + ".hosts", "*");
        shared.put("hadoop.proxyuser." + self + ".groups", "*");
    }

    private void hdfs() {
        shared.put("fs.defaultFS", "hdfs://" + address("namenode") + ":" + NAME_NODE);
        shared.put("dfs.namenode.rpc-bind-host", address("namenode"));
        shared.put("dfs.namenode.http-address", address("namenode") + ":" + (NAME_NODE + 1));
        shared.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
        shared.put("dfs.namenode.safemode.threshold-pct", "0");
        shared.put("dfs.permissions.enabled", "false");
        shared.put("dfs.namenode.name.dir", home.resolve("name").toUri().toString());
        shared.put("dfs.client.use.datanode.hostname", "true");
        shared.put("dfs.datanode.use.datanode.hostname", "true");
    }

    private Map<String, String> dataNode(String daemon) {
        String address = address(daemon);
        // The NameNode takes all of them for 127.0.0.1, where their connections come from, but believes them their
        // names.
        int port = NAME_NODE + 2 + 100 * (address.charAt(address.length() - 1) - '0');
        return Map.of(
                "dfs.datanode.data.dir",
                home.resolve(daemon.replace("datanode", "data")).toUri().toString(),
                "dfs.datanode.hostname",
                address,
                "dfs.datanode.address",
                address + ":" + port,
                "dfs.datanode.ipc.address",
                address + ":" + (port + 1),
                "dfs.datanode.http.address",
                address + ":" + (port + 2));
    }

    private void managers() {
        shared.put("hadoop.zk.address", address("zookeeper") + ":" + ZOOKEEPER);
        shared.put("yarn.resourcemanager.zk-address", address("zookeeper") + ":" + ZOOKEEPER);
        // A manager that is killed is replaced after so long; one that gets no processor for so long is, too.
        shared.put("hadoop.zk.timeout-ms", "10000");
        shared.put("yarn.resourcemanager.zk-timeout-ms", "10000");
        if (isPair()) {
            shared.put("yarn.resourcemanager.ha.enabled", "true");
            shared.put("yarn.resourcemanager.ha.automatic-failover.enabled", "true");
            shared.put("yarn.resourcemanager.ha.automatic-failover.embedded", "true");
            shared.put("yarn.resourcemanager.cluster-id", "heddle-" + block);
            shared.put("yarn.resourcemanager.ha.rm-ids", String.join(",", managers));
        }
        for (String id : managers) {
            String ofOne = isPair() ? "." + id : "";
            int port = 28_030;
            for (String service :
                    List.of("address", "scheduler.address", "resource-tracker.address", "admin.address")) {
                shared.put("yarn.resourcemanager." + service + ofOne, address(id) + ":" + port++);
            }
            shared.put("yarn.resourcemanager.webapp.address" + ofOne, address(id) + ":" + RM_WEB);
        }
        shared.put("yarn.resourcemanager.recovery.enabled", "true");
        shared.put("yarn.resourcemanager.work-preserving-recovery.enabled", "true");
        shared.put("yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms", "3000");
        shared.put(
                "yarn.resourcemanager.store.class",
                "org.apache.hadoop.yarn.server.resourcemanager.recovery.ZKRMStateStore");
        shared.put("yarn.resourcemanager.connect.retry-interval.ms", "500");
        shared.put("yarn.client.failover-sleep-base-ms", "200");
        shared.put("yarn.client.failover-sleep-max-ms", "1000");
    }

    private boolean isPair() {
        return managers.size() > 1;
    }

    private void nodes() {
        // A node is given up after ten minutes, as everywhere, so that none is lost because it starts slowly: a test
        // that
        // wants a lost node sets yarn.nm.liveness-monitor.expiry-interval-ms, and says so.
        shared.put("yarn.nodemanager.recovery.enabled", "true");
        shared.put("yarn.nodemanager.recovery.supervised", "true");
        shared.put("yarn.nodemanager.resourcemanager.connect.retry-interval.ms", "500");
        // Containers' directories stay a while, so that what went wrong in them can be read.
        shared.put("yarn.nodemanager.delete.debug-delay-sec", "600");
    }

    void put(String name, String value) {
        shared.put(name, value);
        if (name.startsWith("yarn.scheduler.capacity.")) {
            ofCapacityScheduler.put(name, value);
        }
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
            case "datanode2" -> 7;
            case "datanode3" -> 8;
            case "bridge" -> 9;
            case "bridge2" -> 254;
            default -> 10 + Integer.parseInt(daemon.substring("node".length()));
        };
        return block + "." + last;
    }

    /** Properties that only one daemon has. */
    private Map<String, String> own(String daemon) {
        if (daemon.startsWith("rm")) {
            return isPair() ? Map.of("yarn.resourcemanager.ha.id", daemon) : Map.of();
        }
        if (daemon.startsWith("datanode")) {
            return dataNode(daemon);
        }
        if (!daemon.startsWith("node")) {
            return Map.of();
        }
        // Not only other addresses but other ports: some resolvers call all of 127.0.0.0/8 localhost.
        int shift = 100 * Integer.parseInt(daemon.substring("node".length()));
        String address = address(daemon);
        return Map.of(
                "yarn.nodemanager.hostname",
                address,
                "yarn.nodemanager.bind-host",
                address,
                "yarn.nodemanager.address",
                address + ":" + (28_041 + shift),
                "yarn.nodemanager.localizer.address",
                address + ":" + (28_040 + shift),
                "yarn.nodemanager.webapp.address",
                address + ":" + NM_WEB,
                "yarn.nodemanager.recovery.dir",
                home.resolve(daemon + "/recovery").toString(),
                "yarn.nodemanager.local-dirs",
                home.resolve(daemon + "/local").toString(),
                "yarn.nodemanager.log-dirs",
                home.resolve(daemon + "/logs").toString());
    }

    /** Writes what a daemon reads; the directory belongs in front of its class path. */
    Path write(String daemon) throws IOException {
        Path directory = Files.createDirectories(home.resolve("conf-" + daemon));
        Map<String, String> properties = new LinkedHashMap<>(shared);
        properties.putAll(own(daemon));
        Site.writeFiles(directory, properties);
        writeCapacityScheduler(directory);
        Files.writeString(directory.resolve("log4j.properties"), """
                log4j.rootLogger=INFO, console
                log4j.appender.console=org.apache.log4j.ConsoleAppender
                log4j.appender.console.layout=org.apache.log4j.PatternLayout
                log4j.appender.console.layout.ConversionPattern=%d{HH:mm:ss,SSS} %-5p [%t] %c{1}: %m%n
                """);
        return directory;
    }

    /** CapacityScheduler's file, which is stronger than yarn-site.xml: the one on the class path, with what was set. */
    private void writeCapacityScheduler(Path directory) throws IOException {
        if (ofCapacityScheduler.isEmpty()) {
            return;
        }
        Configuration file = new Configuration(false);
        file.addResource(CAPACITY_SCHEDULER_FILE);
        ofCapacityScheduler.forEach(file::set);
        Site.writeFile(directory.resolve(CAPACITY_SCHEDULER_FILE), file);
    }

    /** The client configuration that containers find on their class path. */
    Path containers() {
        return home.resolve("conf");
    }

    void writeForClients(Path target) throws IOException {
        Site.writeFiles(target, shared);
    }

    Configuration forClients() {
        Configuration conf = new YarnConfiguration();
        shared.forEach(conf::set);
        return conf;
    }
}
