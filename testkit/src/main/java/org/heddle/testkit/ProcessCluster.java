// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.heddle.testkit.machine.ContainerProcesses;
import org.heddle.testkit.machine.LoopbackHosts;
import org.jspecify.annotations.Nullable;

/**
 * A cluster with each daemon in a process of its own, so that tests can kill it: ZooKeeper, NameNode, DataNodes, two
 * ResourceManagers with automatic failover (or one) and work-preserving restart, NodeManagers that find their
 * containers again, JobHistoryServer. All run from the class path of this JVM; no Hadoop has to be installed. Linux
 * only.
 *
 * <p>Takes 20 to 40 s to start on two cores and about 2 GB. {@link #close} kills everything, containers included.
 */
public final class ProcessCluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final int BRIDGE_OF_AGENTS = 5051;
    private static final String[] STAGING = {"/tmp", "/mapreduce/staging", "/mapreduce/history/intermediate"};

    private final Path home;
    private final ProcessSite site;
    private final Map<String, ProcessDaemon> daemons = new LinkedHashMap<>();
    private final List<String> managers;
    private final List<String> nodes = new ArrayList<>();
    private final List<String> dataNodes = new ArrayList<>();
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(ANSWER).build();
    private final String classPath;

    private ProcessCluster(Builder plan) throws IOException {
        home = Files.createTempDirectory("process-cluster-");
        List<String> entries = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.isEmpty())
                .map(entry -> new File(entry).getAbsolutePath())
                .toList();
        classPath = Site.writeClassPathJar(home, entries).toString();
        managers = plan.managers == 1 ? List.of("rm1") : List.of("rm1", "rm2");
        site = new ProcessSite(home, freeBlock(), classPath, managers);
        int number = 0;
        for (Map.Entry<String, String> file : plan.files.entrySet()) {
            Path written = Files.writeString(home.resolve("queues-" + ++number + ".xml"), file.getValue());
            site.put(file.getKey(), written.toString());
        }
        plan.properties.forEach(site::put);
        for (int i = 1; i <= plan.nodes; i++) {
            nodes.add("node" + i);
        }
        for (int i = 1; i <= plan.dataNodes; i++) {
            dataNodes.add(i == 1 ? "datanode" : "datanode" + i);
        }
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Configuration of the cluster. */
    public static final class Builder {
        private final Map<String, String> properties = new LinkedHashMap<>();
        private final Map<String, String> files = new LinkedHashMap<>();
        private int managers = 2;
        private int nodes = 2;
        private int dataNodes = 1;

        private Builder() {}

        /** The class that schedules; CapacityScheduler otherwise. */
        public Builder scheduler(String className) {
            return property("yarn.resourcemanager.scheduler.class", className);
        }

        /** Writes a file and has a property name it. */
        public Builder queuesFile(String property, String xml) {
            files.put(property, xml);
            return this;
        }

        /** One ResourceManager, rm1, which recovers its work when it is started again; otherwise a pair. */
        public Builder oneManager() {
            managers = 1;
            return this;
        }

        /** NodeManagers, with the names node1, node2 ..; 2 otherwise. */
        public Builder nodes(int count, int memoryMb, int vcores) {
            nodes = count;
            property("yarn.nodemanager.resource.memory-mb", String.valueOf(memoryMb));
            return property("yarn.nodemanager.resource.cpu-vcores", String.valueOf(vcores));
        }

        /** DataNodes, with the names datanode, datanode2, datanode3, each with a copy of every block; 1 otherwise. */
        public Builder dataNodes(int count) {
            dataNodes = count;
            return property("dfs.replication", String.valueOf(count));
        }

        /** Any property of all daemons and clients; wins over the cluster's own. */
        public Builder property(String name, String value) {
            properties.put(name, value);
            return this;
        }

        public Builder properties(Map<String, String> more) {
            properties.putAll(more);
            return this;
        }

        /** Starts it; returns when one ResourceManager is active and has all nodes. */
        public ProcessCluster start() throws IOException {
            ProcessCluster cluster = new ProcessCluster(this);
            try {
                cluster.startAll();
                return cluster;
            } catch (IOException | RuntimeException | AssertionError e) {
                try {
                    cluster.close();
                } catch (RuntimeException | IOException second) {
                    e.addSuppressed(second);
                }
                throw e;
            }
        }
    }

    /** A /24 of the loopback network without a cluster of this kind. */
    private static String freeBlock() throws IOException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        String block = "127." + random.nextInt(80, 250) + "." + random.nextInt(1, 250);
        LoopbackHosts.requireBindable(block + ".1");
        return block;
    }

    private void startAll() throws IOException {
        site.writeForClients(site.containers());
        Path zooKeeper = Files.createDirectories(home.resolve("zookeeper"));
        Path zooConf = Files.writeString(
                home.resolve("zoo.cfg"),
                "tickTime=500\ndataDir=" + zooKeeper + "\nclientPort=" + ProcessSite.ZOOKEEPER + "\nclientPortAddress="
                        + site.address("zookeeper") + "\nadmin.enableServer=false\nmaxClientCnxns=0\n"
                        + "maxSessionTimeout=60000\n");
        daemon("zookeeper", "org.apache.zookeeper.server.ZooKeeperServerMain", zooConf.toString())
                .start();
        prepare("namenode", "format", "org.apache.hadoop.hdfs.server.namenode.NameNode", "-format", "-force")
                .run();
        daemon("namenode", "org.apache.hadoop.hdfs.server.namenode.NameNode").start();
        for (String dataNode : dataNodes) {
            daemon(dataNode, "org.apache.hadoop.hdfs.server.datanode.DataNode").start();
        }
        for (String manager : managers) {
            daemon(manager, "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager");
        }
        for (String node : nodes) {
            daemon(node, "org.apache.hadoop.yarn.server.nodemanager.NodeManager");
        }
        daemon("history", "org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer");
        await("a file to be written to HDFS", this::prepareHdfs);
        startStopped();
        await("an active ResourceManager with " + nodes.size() + " nodes", () -> metric("activeNodes") == nodes.size());
    }

    private boolean prepareHdfs() throws IOException {
        try (FileSystem fs = FileSystem.newInstance(configuration())) {
            for (String directory : STAGING) {
                org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(directory);
                fs.mkdirs(path);
                fs.setPermission(path, new FsPermission((short) 01777));
            }
            try (OutputStream out = fs.create(new org.apache.hadoop.fs.Path("/tmp/probe"), true)) {
                out.write(1);
            }
            return true;
        }
    }

    private ProcessDaemon daemon(String name, String main, String... arguments) throws IOException {
        ProcessDaemon daemon = prepare(name, name, main, arguments);
        daemons.put(name, daemon);
        return daemon;
    }

    private ProcessDaemon prepare(String name, String logName, String main, String... arguments) throws IOException {
        String path = site.write(name) + File.pathSeparator + classPath;
        Path work = Files.createDirectories(home.resolve("work-" + logName));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx300m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.net.preferIPv4Stack=true",
                "-Djava.security.krb5.conf=" + System.getProperty("java.security.krb5.conf", "/etc/krb5.conf"),
                "-Djava.io.tmpdir=" + work,
                "-Dhadoop.log.dir=" + work,
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                main));
        command.addAll(List.of(arguments));
        String hadoop = work.toString();
        Map<String, String> environment = Map.of(
                "CLASSPATH", path,
                "JAVA_HOME", System.getProperty("java.home"),
                "HADOOP_COMMON_HOME", hadoop,
                "HADOOP_HDFS_HOME", hadoop,
                "HADOOP_YARN_HOME", hadoop,
                "HADOOP_MAPRED_HOME", hadoop);
        return new ProcessDaemon(name, site.address(name), command, environment, home.resolve(logName + ".log"));
    }

    // ---- daemons ----

    /**
     * Starts the offer bridge, with the cluster's configuration; it is in {@link #daemons} from then on.
     *
     * @param main its class
     * @param arguments without its addresses; frameworks use port 5050 of the returned daemon's address
     */
    public ProcessDaemon startBridge(String main, List<String> arguments) throws IOException {
        return startBridges(main, arguments, "bridge").get(0);
    }

    /**
     * Starts bridges that take part in one election, as {@link #startBridge} does. Those of the same name that ran
     * before must have been killed.
     *
     * @param names bridge, bridge2
     */
    public List<ProcessDaemon> startBridges(String main, List<String> arguments, String... names) throws IOException {
        String agents = Arrays.stream(names)
                .map(name -> site.address(name) + ":" + BRIDGE_OF_AGENTS)
                .collect(Collectors.joining(","));
        List<ProcessDaemon> bridges = new ArrayList<>();
        for (String name : names) {
            List<String> all = new ArrayList<>(arguments);
            all.add("--define=heddle.bridge.http.address=" + site.address(name) + ":5050");
            all.add("--define=heddle.bridge.agent.address=" + site.address(name) + ":" + BRIDGE_OF_AGENTS);
            if (names.length > 1) {
                all.add("--define=heddle.bridge.agent.addresses=" + agents);
            }
            ProcessDaemon bridge = daemon(name, main, all.toArray(String[]::new));
            bridge.start();
            bridges.add(bridge);
        }
        return bridges;
    }

    /** All names for {@link #daemon(String)}. */
    public List<String> daemons() {
        return List.copyOf(daemons.keySet());
    }

    /** One of zookeeper, namenode, datanode .., rm1, rm2, node1 .., history, bridge, bridge2. */
    public ProcessDaemon daemon(String name) {
        return Objects.requireNonNull(
                daemons.get(name), () -> "no daemon is called " + name + ", but " + daemons.keySet());
    }

    public List<String> nodes() {
        return List.copyOf(nodes);
    }

    /** Ends a node as if its machine had: the daemon and all that runs on it. */
    public void lose(String node) {
        daemon(node).kill();
        ContainerProcesses.end(home.resolve(node));
    }

    /** Starts again whatever does not run. */
    public void startStopped() throws IOException {
        for (ProcessDaemon daemon : daemons.values()) {
            daemon.start();
        }
    }

    /** The name of the active ResourceManager, null while there is none that answers. */
    public @Nullable String activeManager() {
        for (String manager : managers) {
            if (daemon(manager).isAlive() && haState(manager).contains("\"haState\":\"ACTIVE\"")) {
                return manager;
            }
        }
        return null;
    }

    /** Waits until there is an active ResourceManager, and returns its name. */
    public String awaitActiveManager() {
        return Await.value("an active ResourceManager", PATIENCE, this::activeManager);
    }

    private String haState(String manager) {
        try {
            return get(managerUri(manager, "/ws/v1/cluster/info"));
        } catch (IOException e) {
            return "";
        }
    }

    /** One of the metrics of the active ResourceManager, such as activeNodes or allocatedMB; -1 while there is none. */
    public long metric(String name) throws IOException {
        String manager = activeManager();
        if (manager == null) {
            return -1;
        }
        String metrics = get(managerUri(manager, "/ws/v1/cluster/metrics"));
        String field = "\"" + name + "\":";
        int from = metrics.indexOf(field) + field.length();
        return Long.parseLong(metrics.substring(from).split("[^0-9]", 2)[0]);
    }

    // ---- asking ----

    public URI managerUri(String manager, String path) {
        return URI.create("http://" + site.address(manager) + ":" + ProcessSite.RM_WEB + path);
    }

    public URI nodeUri(String node, String path) {
        return URI.create("http://" + site.address(node) + ":" + ProcessSite.NM_WEB + path);
    }

    /**
     * What an address of the cluster answers, as JSON where there is a choice.
     *
     * @throws IOException if there is no answer or its status is not 200
     */
    public String get(URI address) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(address)
                .timeout(Await.stretched(ANSWER))
                .header("Accept", "application/json")
                .build();
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IOException(address + " answers " + response.statusCode());
            }
            return response.body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while asking " + address, e);
        }
    }

    /** A client's configuration. */
    public Configuration configuration() {
        return site.forClients();
    }

    /**
     * Writes site files with which any Hadoop client can use the cluster.
     *
     * @param target directory, made if it does not exist
     */
    public void writeClientConfiguration(Path target) throws IOException {
        site.writeForClients(target);
    }

    /** The directory that holds logs ({@code <daemon>.log}), configurations and containers. */
    public Path home() {
        return home;
    }

    private void await(String what, Await.Condition condition) {
        Await.until(
                what,
                PATIENCE,
                () -> {
                    for (ProcessDaemon daemon : daemons.values()) {
                        if (daemon.wasStarted() && !daemon.isAlive()) {
                            throw new AssertionError("waiting for " + what + " is in vain: " + daemon.tail());
                        }
                    }
                    return condition.holds();
                },
                this::tails);
    }

    /** The ends of all logs. */
    public String tails() {
        StringBuilder text = new StringBuilder();
        daemons.values().forEach(daemon -> text.append(daemon.tail()).append('\n'));
        return text.toString();
    }

    /** The output of daemons and containers. */
    private List<Path> logs() {
        List<Path> logs = new ArrayList<>();
        for (String daemon : daemons.keySet()) {
            logs.add(home.resolve(daemon + ".log"));
        }
        nodes.forEach(node -> logs.add(home.resolve(node).resolve("logs")));
        return logs;
    }

    @Override
    public void close() throws IOException {
        Closing closing = new Closing();
        daemons.values().forEach(daemon -> closing.run(daemon.name(), daemon::kill));
        closing.run("containers", () -> ContainerProcesses.end(home));
        if (!Boolean.getBoolean("heddle.keep")) {
            closing.run("the logs", () -> FailureLogs.holdBack(home, logs()));
        }
        closing.run("the directory", () -> {
            if (!Boolean.getBoolean("heddle.keep")) {
                org.apache.hadoop.fs.FileUtil.fullyDelete(home.toFile());
            }
        });
        closing.finish();
    }
}
