// SPDX-License-Identifier: Apache-2.0
package org.heddle.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.heddle.testkit.Await;
import org.heddle.testkit.machine.FreePort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two ResourceManagers with the sample, a ZooKeeper and an HDFS: one leads, its queues are the file's in HDFS, and
 * after it has gone the other leads, with what was written there meanwhile.
 */
@Loads("ha/yarn-site.xml")
class HighAvailabilityTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String FILE = "/heddle/heddle-scheduler.xml";
    private static final String[] SERVICES = {
        "address", "scheduler.address", "resource-tracker.address", "admin.address", "webapp.address"
    };

    private static final Map<String, Integer> PORTS = new HashMap<>();

    @TempDir
    Path directory;

    @Test
    void theOtherOneTakesOverWithTheFileInHdfs() throws Exception {
        ZooKeeperServer zooKeeper = new ZooKeeperServer(
                Files.createDirectory(directory.resolve("snapshots")).toFile(),
                Files.createDirectory(directory.resolve("log")).toFile(),
                500);
        zooKeeper.setMaxSessionTimeout(20_000); // what the managers ask for; 20 ticks otherwise
        ServerCnxnFactory door =
                NIOServerCnxnFactory.createFactory(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        door.startup(zooKeeper);
        List<ResourceManager> managers = new ArrayList<>();
        MiniDFSCluster hdfs = new MiniDFSCluster.Builder(
                        new HdfsConfiguration(), directory.resolve("hdfs").toFile())
                .numDataNodes(1)
                .build();
        try {
            FileSystem fs = hdfs.getFileSystem();
            String queues = Samples.text("drf/minimal/heddle-scheduler.xml");
            write(fs, queues);
            for (String id : new String[] {"rm1", "rm2"}) {
                YarnConfiguration conf = conf(
                        id, "localhost:" + door.getLocalPort(), hdfs.getURI().toString());
                ResourceManager manager = new ResourceManager();
                managers.add(manager);
                manager.init(conf);
                manager.start();
            }
            ResourceManager first = leader(managers);
            assertThat(managers)
                    .anySatisfy(standby -> assertThat(state(standby)).isEqualTo(HAServiceState.STANDBY));
            assertThat(queue(first, "root.production")).isEqualTo("root.production");

            write(fs, queues.replace("\"production\"", "\"renamed\""));
            managers.remove(first);
            first.stop();
            ResourceManager second = leader(managers);
            assertThat(queue(second, "root.renamed")).isEqualTo("root.renamed");
        } finally {
            managers.forEach(ResourceManager::stop);
            hdfs.shutdown();
            door.shutdown();
        }
    }

    private static void write(FileSystem fs, String queues) throws Exception {
        try (OutputStream out = fs.create(new org.apache.hadoop.fs.Path(FILE), true)) {
            out.write(queues.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** The sample with the addresses of this machine. */
    private static YarnConfiguration conf(String id, String zooKeeper, String hdfs) throws Exception {
        YarnConfiguration conf = Samples.manager(Path.of("ha", "yarn-site.xml"));
        conf.setBoolean(YarnConfiguration.RECOVERY_ENABLED, true);
        conf.setBoolean(YarnConfiguration.IS_MINI_YARN_CLUSTER, false); // that one would have its own ports changed
        assertThat(conf.get("yarn.scheduler.heddle.configuration.file")).isEqualTo("hdfs://" + FILE);
        for (String servers : new String[] {"hadoop.zk.address", YarnConfiguration.RM_ZK_ADDRESS}) {
            assertThat(conf.get(servers)).contains("example.org:2181");
            conf.set(servers, zooKeeper);
        }
        conf.set("hadoop.zk.timeout-ms", "20000");
        conf.set("fs.defaultFS", hdfs);
        conf.set(YarnConfiguration.RM_HA_ID, id); // both have the same host's name here
        for (String each : new String[] {"rm1", "rm2"}) {
            assertThat(conf.get("yarn.resourcemanager.hostname." + each)).isEqualTo(each + ".example.org");
            conf.set("yarn.resourcemanager.hostname." + each, "localhost");
            for (String service : SERVICES) {
                conf.unset("yarn.resourcemanager." + service);
                // Each is read as well by the other one; free ports are drawn once for all.
                conf.set("yarn.resourcemanager." + service + "." + each, "localhost:" + port(each + service));
            }
        }
        return conf;
    }

    private static int port(String name) {
        return PORTS.computeIfAbsent(name, any -> FreePort.next());
    }

    private static HAServiceState state(ResourceManager manager) {
        return manager.getRMContext().getHAServiceState();
    }

    private static ResourceManager leader(List<ResourceManager> managers) {
        return Await.value(
                "a ResourceManager to lead",
                PATIENCE,
                () -> managers.stream()
                        .filter(manager ->
                                state(manager) == HAServiceState.ACTIVE && manager.getResourceScheduler() != null)
                        .findFirst()
                        .orElse(null));
    }

    private static String queue(ResourceManager manager, String path) throws Exception {
        return manager.getResourceScheduler().getQueueInfo(path, false, false).getQueueName();
    }
}
