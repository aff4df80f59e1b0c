// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.heddle.testkit.Await;
import org.heddle.testkit.machine.ContainerProcesses;
import org.jspecify.annotations.Nullable;

/**
 * HDFS and YARN whose daemons are processes started from a {@link HadoopHome} by its scripts: NameNode, DataNode, one
 * ResourceManager or a pair with ZooKeeper, NodeManagers, JobHistoryServer. All read one configuration directory, which
 * clients use too. Linux only.
 *
 * <p>{@link #close} kills everything, containers included, and removes what they wrote, unless a test has failed
 * meanwhile (see {@link KeepLogs}).
 */
public final class Cluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Set<Cluster> OPEN = ConcurrentHashMap.newKeySet();

    private final HadoopHome home;
    private final Path directory;
    private final Site site;
    private final Map<String, Daemon> daemons = new LinkedHashMap<>();
    private final Map<String, Map<String, Long>> nodes;
    private final List<String> managers;
    private final boolean history;
    /** The cluster whose HDFS this one uses; null if it has its own. */
    private final @Nullable Cluster files;

    private final boolean zooKeeper;
    /** Variables of all its processes that tell them of Kerberos; empty without it. */
    private final Map<String, String> kerberos;

    private volatile boolean keep = Boolean.getBoolean("heddle.keep");

    private Cluster(Builder plan) throws IOException {
        home = plan.home;
        directory = SourceTree.newDirectory("cluster");
        Files.createDirectories(directory.resolve("tmp"));
        managers = plan.pair ? List.of("rm1", "rm2") : List.of("rm1");
        String block = plan.block == null ? freeBlock() : plan.block;
        if (plan.hdfs == null) {
            files = null;
        } else if (plan.hdfs.files == null) {
            files = plan.hdfs;
        } else {
            files = plan.hdfs.files;
        }
        zooKeeper = plan.pair || plan.zooKeeper;
        site = new Site(directory.resolve("conf"), directory.resolve("data"), block, home, managers);
        if (plan.zooKeeper) {
            site.put("hadoop.zk.address", site.address("zookeeper") + ":" + Site.ZOOKEEPER);
        }
        if (files != null) {
            site.copyHdfs(files.site);
        }
        nodes = Map.copyOf(plan.nodes);
        history = plan.history;
        if (!history) {
            // Clients that miss the end of a job would look for it there; now they take the state from the
            // ResourceManager.
            site.put("mapreduce.jobhistory.address", "");
        }
        kerberos = Map.copyOf(plan.kerberos);
        plan.properties.forEach(site::put);
        site.write();
        for (Map.Entry<String, String> file : plan.contents.entrySet()) {
            rewrite(file.getKey(), file.getValue());
        }
        OPEN.add(this);
    }

    public static Builder builder(HadoopHome home) {
        return new Builder(home);
    }

    /** What the cluster is to be like. */
    public static final class Builder {
        private final HadoopHome home;
        private final Map<String, String> properties = new LinkedHashMap<>();
        private final Map<String, String> contents = new LinkedHashMap<>();
        private final Map<String, Map<String, Long>> nodes = new LinkedHashMap<>();
        private Map<String, String> kerberos = Map.of();
        private @Nullable String block;
        private @Nullable Cluster hdfs;
        private boolean pair;
        private boolean zooKeeper;
        private boolean history = true;

        private Builder(HadoopHome home) {
            this.home = home;
        }

        /** Two ResourceManagers, rm1 and rm2, with ZooKeeper, automatic failover and work-preserving recovery. */
        public Builder pair() {
            pair = true;
            return this;
        }

        /** With ZooKeeper, although there is one ResourceManager only. */
        public Builder zooKeeper() {
            zooKeeper = true;
            return this;
        }

        /** Without a HDFS of its own: its files are in that of another cluster, which must outlive it. */
        public Builder filesIn(Cluster other) {
            hdfs = other;
            return this;
        }

        public Builder withoutHistoryServer() {
            history = false;
            return this;
        }

        /**
         * With Kerberos.
         *
         * @param wantedBlock of {@link Cluster#freeBlock}, because principals contain addresses
         * @param environment variables of all daemons and clients: where the realm is, and a ticket
         */
        public Builder kerberos(String wantedBlock, Map<String, String> environment) {
            block = wantedBlock;
            kerberos = environment;
            return this;
        }

        /** The class that schedules. */
        public Builder scheduler(String className) {
            return property("yarn.resourcemanager.scheduler.class", className);
        }

        /** More nodes, which are called node1, node2 .. */
        public Builder nodes(int count, long memoryMb, long vcores) {
            for (int i = 0; i < count; i++) {
                node(Map.of("memory-mb", memoryMb, "vcores", vcores));
            }
            return this;
        }

        /** One more node; resources are memory-mb, vcores, and any other such as yarn.io/gpu, which becomes a type. */
        public Builder node(Map<String, Long> resources) {
            nodes.put("node" + (nodes.size() + 1), Map.copyOf(resources));
            return this;
        }

        /** Any property of all daemons and clients; wins over the cluster's own. */
        public Builder property(String name, String value) {
            properties.put(name, value);
            return this;
        }

        /** A file of the configuration directory, such as heddle-scheduler.xml. */
        public Builder file(String name, String content) {
            contents.put(name, content);
            return this;
        }

        /** Starts it; returns when one ResourceManager is active and has all nodes. */
        public Cluster start() throws IOException {
            if (nodes.isEmpty()) {
                nodes(2, 4096, 8);
            }
            List<String> types = nodes.values().stream()
                    .flatMap(resources -> resources.keySet().stream())
                    .filter(name -> !Set.of("memory-mb", "vcores").contains(name))
                    .distinct()
                    .toList();
            if (!types.isEmpty()) {
                properties.putIfAbsent("yarn.resource-types", String.join(",", types));
            }
            Cluster cluster = new Cluster(this);
            try {
                cluster.startAll();
                return cluster;
            } catch (IOException | RuntimeException | AssertionError e) {
                cluster.keepLogs(e);
                cluster.close();
                throw e;
            }
        }
    }

    /** A /24 of the loopback network without a cluster of this kind, such as 127.80.1. */
    public static String freeBlock() throws IOException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        String block = "127." + random.nextInt(80, 250) + "." + random.nextInt(1, 250);
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(block + ".1", 0));
        }
        return block;
    }

    private void startAll() throws IOException {
        if (files == null) {
            client("hdfs", "namenode", "-format", "-force").run().orFail();
            daemon("namenode", "hdfs", "namenode").start();
            daemon("datanode", "hdfs", "datanode").start();
        }
        if (zooKeeper) {
            daemon("zookeeper", "hadoop", "org.apache.zookeeper.server.ZooKeeperServerMain", zooKeeper())
                    .start();
        }
        for (String manager : managers) {
            Daemon daemon;
            if (managers.size() == 1) {
                daemon = daemon(manager, "yarn", onlyManager());
            } else {
                daemon = daemon(manager, "yarn", "resourcemanager", "-D", "yarn.resourcemanager.ha.id=" + manager);
            }
            daemon.start();
        }
        nodes.forEach((node, resources) -> {
            List<Object> words = new ArrayList<>(List.of("nodemanager"));
            site.ofNode(node, resources).forEach((name, value) -> words.addAll(List.of("-D", name + "=" + value)));
            daemon(node, "yarn", words.toArray());
        });
        if (history) {
            daemon("history", "mapred", "historyserver");
        }
        if (files == null) {
            await("HDFS to take files", this::prepareHdfs);
        }
        startStopped();
        awaitReady();
    }

    /** Where masters go to another address than the ResourceManager's, it still needs one of its own. */
    private Object[] onlyManager() {
        return new Object[] {"resourcemanager", "-D", Site.SCHEDULER_ADDRESS + "=" + site.schedulerAddress("rm1")};
    }

    private Path zooKeeper() throws IOException {
        return Files.writeString(
                directory.resolve("zoo.cfg"),
                "tickTime=500\nmaxSessionTimeout=20000\ndataDir=" + directory.resolve("data/zookeeper")
                        + "\nclientPort=" + Site.ZOOKEEPER
                        + "\nclientPortAddress=" + site.address("zookeeper")
                        + "\nadmin.enableServer=false\nmaxClientCnxns=0\n");
    }

    /** Makes the directories that an administrator makes once. */
    private boolean prepareHdfs() throws IOException {
        URI nameNode = URI.create("http://" + site.address("namenode") + ":" + (Site.NAME_NODE + 1));
        if (!get(nameNode.resolve("/jmx?qry=Hadoop:service=NameNode,name=FSNamesystemState"))
                .contains("\"NumLiveDataNodes\" : 1")) {
            return false;
        }
        List<String> paths = List.of("/tmp", "/user", "/mapreduce/staging", "/mapreduce/history/done");
        if (!kerberos.isEmpty()) {
            return client("hadoop", "fs", "-mkdir", "-p")
                            .and(paths.toArray())
                            .run()
                            .exit()
                    == 0;
        }
        for (String path : paths) {
            if (Rest.send("PUT", nameNode.resolve("/webhdfs/v1" + path + "?op=MKDIRS"), "text/plain", "")
                            .statusCode()
                    != 200) {
                return false;
            }
        }
        return true;
    }

    /** What a web server answers; with Kerberos by curl, because Java's client knows no tickets. */
    private String get(URI address) throws IOException {
        if (kerberos.isEmpty()) {
            return Rest.get(address).body();
        }
        return environment(Command.of("curl", "-sf", "--negotiate", "-u", ":", address))
                .run()
                .out();
    }

    private JsonNode json(URI address) throws IOException {
        return kerberos.isEmpty() ? Rest.json(address) : Rest.parse(get(address));
    }

    private Daemon daemon(String name, String script, Object... arguments) {
        return daemon(name, site.directory(), script, arguments);
    }

    private Daemon daemon(String name, Path configuration, String script, Object... arguments) {
        Path work = directory.resolve("data/work-" + name);
        // The SIGTERM of a test goes to the JVM: every script replaces itself by the next with exec.
        Command command = environment(Command.of(home.command(script)).and(arguments))
                .with("HADOOP_CONF_DIR", configuration)
                .with("HADOOP_OPTS", "-Xmx300m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dhadoop.log.dir=" + work);
        Daemon daemon = new Daemon(name, command, directory.resolve("logs").resolve(name + ".log"));
        daemons.put(name, daemon);
        return daemon;
    }

    private Command environment(Command command) {
        command.with("TMPDIR", directory.resolve("tmp"))
                .with("HADOOP_CONF_DIR", site.directory())
                .with("HADOOP_HOME", home.path());
        for (String part : List.of("COMMON", "HDFS", "YARN", "MAPRED")) {
            command.with("HADOOP_" + part + "_HOME", home.path());
        }
        kerberos.forEach(command::with);
        return command;
    }

    // ---- daemons ----

    /**
     * One more daemon of the installation, such as a Router, with the cluster's life and logs.
     *
     * @param configuration its HADOOP_CONF_DIR, as {@link #variant} makes one
     */
    public Daemon add(String name, Path configuration, String script, Object... arguments) throws IOException {
        Daemon daemon = daemon(name, configuration, script, arguments);
        daemon.start();
        return daemon;
    }

    /** A configuration directory with other values of some properties. */
    public Path variant(String name, Map<String, String> properties) throws IOException {
        return site.variant(directory.resolve(name), properties);
    }

    /** One of zookeeper, namenode, datanode, rm1, rm2, node1 .., history. */
    public Daemon daemon(String name) {
        return Objects.requireNonNull(
                daemons.get(name), () -> "no daemon is called " + name + ", but " + daemons.keySet());
    }

    /** Starts again whatever does not run. */
    public void startStopped() throws IOException {
        for (Daemon daemon : daemons.values()) {
            daemon.start();
        }
    }

    /** Waits until there is an active ResourceManager that has all nodes whose daemons run. */
    public void awaitReady() {
        long expected =
                nodes.keySet().stream().filter(node -> daemon(node).isAlive()).count();
        await("an active ResourceManager with " + expected + " nodes", () -> {
            String manager = activeManager();
            return manager != null
                    && json(manager(manager, "/ws/v1/cluster/metrics"))
                                    .at("/clusterMetrics/activeNodes")
                                    .asLong()
                            == expected;
        });
    }

    /** The name of the active ResourceManager, null while there is none that answers. */
    public @Nullable String activeManager() {
        for (String manager : managers) {
            if (daemon(manager).isAlive() && haState(manager).equals("ACTIVE")) {
                return manager;
            }
        }
        return null;
    }

    private String haState(String manager) {
        try {
            return json(manager(manager, "/ws/v1/cluster/info"))
                    .at("/clusterInfo/haState")
                    .asText();
        } catch (IOException e) {
            return "";
        }
    }

    // ---- asking ----

    /** The directory of the site files, what HADOOP_CONF_DIR is to be. */
    public Path site() {
        return site.directory();
    }

    public HadoopHome home() {
        return home;
    }

    /** An address of one ResourceManager's web server. */
    public URI manager(String manager, String path) {
        return URI.create("http://" + site.address(manager) + ":" + Site.RM_WEB + path);
    }

    /** An address of the active ResourceManager's web server. */
    public URI manager(String path) {
        return manager(Await.value("an active ResourceManager", PATIENCE, this::activeManager, this::tails), path);
    }

    /** What the active ResourceManager answers to a GET. */
    public JsonNode rest(String path) throws IOException {
        return json(manager(path));
    }

    /** The loopback address of a daemon. */
    public String address(String daemon) {
        return site.address(daemon);
    }

    /**
     * A command of the installation's bin/ with this cluster's configuration: {@code client("yarn", "queue", "-list")}.
     */
    public Command client(String script, Object... arguments) {
        return environment(Command.of(home.command(script)).and(arguments));
    }

    /** A main class of jars of your own, which come behind Hadoop's: the class path is as java takes it. */
    public Command java(String classPath, String main, Object... arguments) {
        return client("hadoop", main).and(arguments).with("HADOOP_CLASSPATH", classPath);
    }

    /** Any other command, with the environment variables by which programs find the cluster. */
    public Command command(Object... words) {
        return environment(Command.of(words)).with("PATH", home.path().resolve("bin") + ":" + System.getenv("PATH"));
    }

    /** Sets a property in the site files; daemons that run do not see it before they start again. */
    public void set(String name, String value) throws IOException {
        site.put(name, value);
        site.write();
    }

    /** Replaces a file of the configuration directory at once, such as heddle-scheduler.xml. */
    public void rewrite(String file, String content) throws IOException {
        site.replace(file, content);
    }

    public void remove(String file) throws IOException {
        Files.deleteIfExists(site.directory().resolve(file));
    }

    // ---- when something goes wrong ----

    /** Waits; fails at once when a daemon dies meanwhile. */
    public void await(String what, Await.Condition condition) {
        Await.until(
                what,
                PATIENCE,
                () -> {
                    for (Daemon daemon : daemons.values()) {
                        if (daemon.wasStarted() && !daemon.isAlive() && !daemon.wasStopped()) {
                            throw new AssertionError("waiting for " + what + " is in vain: " + daemon.tail());
                        }
                    }
                    return condition.holds();
                },
                this::tails);
    }

    /** The ends of all logs, those of ResourceManagers first. */
    public String tails() {
        return daemons.entrySet().stream()
                .sorted(Comparator.comparing(daemon -> !daemon.getKey().startsWith("rm")))
                .map(daemon -> daemon.getValue().tail())
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** The directory that holds logs/, conf/ and what the daemons keep, containers included, in data/. */
    public Path directory() {
        return directory;
    }

    /** Has all clusters that run keep their directories, and a failure say where they are. */
    static void keepAllLogs(Throwable failure) {
        OPEN.forEach(cluster -> cluster.keepLogs(failure));
    }

    private void keepLogs(Throwable failure) {
        keep = true;
        failure.addSuppressed(new LogsAreIn(directory));
    }

    /** Says where logs are, below the failure's own text. */
    private static final class LogsAreIn extends Exception {
        private static final long serialVersionUID = 1;

        LogsAreIn(Path directory) {
            super(
                    "daemons' logs are in " + directory.resolve("logs") + ", containers in "
                            + directory.resolve("data"),
                    null,
                    false,
                    false);
        }
    }

    @Override
    public void close() throws IOException {
        OPEN.remove(this);
        daemons.values().forEach(Daemon::kill);
        ContainerProcesses.end(directory);
        if (!keep) {
            SourceTree.delete(directory);
        }
    }
}
