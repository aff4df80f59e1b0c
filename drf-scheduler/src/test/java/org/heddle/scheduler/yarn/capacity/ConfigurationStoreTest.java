// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.MutableConfScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.MutableConfigurationProvider;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.conf.YarnConfigurationStore.LogMutation;
import org.apache.hadoop.yarn.webapp.dao.QueueConfigInfo;
import org.apache.hadoop.yarn.webapp.dao.SchedConfUpdateInfo;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.heddle.drf.DrfScheduler;
import org.heddle.scheduler.yarn.RunningManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stores in which CapacityScheduler keeps what administrators change over the network, under both schedulers. */
class ConfigurationStoreTest {
    private static final String STORE = YarnConfiguration.SCHEDULER_CONFIGURATION_STORE_CLASS;
    private static final StateChangeRequestInfo REQUEST = new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER);
    private static final int TICK_MILLIS = 500;

    @TempDir
    Path directory;

    private Path file;

    /** Two queues on the class path, where Hadoop's stores find what fills them. */
    @BeforeEach
    void write() throws IOException {
        Map<String, String> properties = Map.of("root.queues", "a,b", "root.a.capacity", "1w", "root.b.capacity", "1w");
        file = Files.writeString(
                directory.resolve("capacity-scheduler.xml"), CapacityFile.xml(new TreeMap<>(properties)));
    }

    private RunningManager manager(Class<? extends ResourceScheduler> scheduler, String... properties)
            throws IOException {
        YarnConfiguration conf = new YarnConfiguration();
        conf.setClassLoader(new CapacityFixture.OneFile(file));
        Thread thread = Thread.currentThread();
        ClassLoader usual = thread.getContextClassLoader();
        thread.setContextClassLoader(conf.getClassLoader());
        try {
            return new RunningManager(conf, scheduler, properties);
        } finally {
            thread.setContextClassLoader(usual);
        }
    }

    private String[] inFiles() {
        return new String[] {
            STORE, "fs", "yarn.scheduler.configuration.fs.path", "file://" + directory.resolve("store"),
        };
    }

    private static String adding(String queue, String capacity) {
        return "<sched-conf><add-queue><queue-name>root." + queue + "</queue-name><params><entry><key>capacity</key>"
                + "<value>" + capacity + "</value></entry></params></add-queue></sched-conf>";
    }

    private static HttpResponse<String> put(RunningManager manager, String change) throws Exception {
        return manager.send("PUT", "scheduler-conf", RunningManager.me(), change);
    }

    private static void add(RunningManager manager, String queue) throws Exception {
        HttpResponse<String> answer = put(manager, adding(queue, "1w"));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private static List<String> queues(RunningManager manager) throws IOException {
        return manager.rm.getResourceScheduler().getQueueInfo("root", true, true).getChildQueues().stream()
                .map(QueueInfo::getQueueName)
                .map(name -> name.substring(name.lastIndexOf('.') + 1))
                .sorted()
                .toList();
    }

    private List<Path> records() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("store"))) {
            return files.sorted().toList();
        }
    }

    private static MutableConfigurationProvider provider(RunningManager manager) {
        return ((MutableConfScheduler) manager.rm.getResourceScheduler()).getMutableConfProvider();
    }

    @Test
    void capacitySchedulerFindsEachChangeAfterTheWayBack() throws Exception {
        try (RunningManager before = manager(CapacityScheduler.class, inFiles())) {
            add(before, "c");
        }
        try (RunningManager ours = manager(DrfScheduler.class, inFiles())) {
            assertThat(queues(ours)).containsExactly("a", "b", "c");
            add(ours, "d");
            assertThat(queues(ours)).containsExactly("a", "b", "c", "d");
            assertThat(ours.send("GET", "scheduler-conf/version", RunningManager.me(), "")
                            .body())
                    .contains("<versionID>");
            List<Path> records = records();

            HttpResponse<String> refused = put(ours, adding("e", "many"));
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body())
                    .contains("configuration-store:fs: ", "yarn.scheduler.capacity.root.e.capacity = 'many'")
                    .doesNotContain("Exception", "\tat ");
            assertThat(put(ours, "<sched-conf/>").body()).contains("The change says nothing");
            String me = RunningManager.me();
            assertThat(ours.send("POST", "scheduler-conf/validate", me, adding("e", "2w"))
                            .body())
                    .contains("yarn.scheduler.capacity.root.e.capacity");
            assertThat(queues(ours)).containsExactly("a", "b", "c", "d");
            assertThat(records()).isEqualTo(records);
        }
        try (RunningManager after = manager(CapacityScheduler.class, inFiles())) {
            assertThat(queues(after)).containsExactly("a", "b", "c", "d");
        }
    }

    /** The command of Hadoop 3.5.0 sends names that no ResourceManager knows. */
    @Test
    void bodiesInJsonAndTheCommandWorkAsForCapacityScheduler() throws Exception {
        String json = "{\"add-queue\":{\"queue-name\":\"root.c\",\"params\":{\"entry\":"
                + "{\"key\":\"capacity\",\"value\":\"1w\"}}}}";
        List<String> theirs = changed(CapacityScheduler.class, json);
        assertThat(changed(DrfScheduler.class, json)).isEqualTo(theirs);
        assertThat(theirs).contains("validated: true", "[a, b, c]");
    }

    private List<String> changed(Class<? extends ResourceScheduler> scheduler, String body) throws Exception {
        List<String> outcomes = new ArrayList<>();
        String me = RunningManager.me();
        String type = "application/json";
        try (RunningManager manager = manager(scheduler, STORE, "memory")) {
            String tried = manager.send("POST", "scheduler-conf/validate", me, type, body)
                    .body();
            outcomes.add("validated: " + tried.contains("root.c.capacity"));
            manager.send("PUT", "scheduler-conf", me, type, body);
            outcomes.add(queues(manager).toString());
            if (!VersionInfo.getVersion().equals("3.5.0")) {
                outcomes.add(manager.schedconf("-add", "root.e:capacity=1w"));
                outcomes.add(queues(manager).toString());
            }
        }
        return outcomes;
    }

    @Test
    void whatIsInMemoryGoesWithTheManager() throws Exception {
        try (RunningManager ours = manager(DrfScheduler.class, STORE, "memory")) {
            add(ours, "c");
            assertThat(queues(ours)).containsExactly("a", "b", "c");
        }
        try (RunningManager ours = manager(DrfScheduler.class, STORE, "memory")) {
            assertThat(queues(ours)).containsExactly("a", "b");
        }
    }

    /** A change that was logged and not confirmed is unknown to the other manager, as under CapacityScheduler. */
    @Test
    void thePairSharesItsStoreInZooKeeper() throws Exception {
        File data = directory.resolve("zk").toFile();
        ZooKeeperServer server = new ZooKeeperServer(data, data, TICK_MILLIS);
        NIOServerCnxnFactory factory = new NIOServerCnxnFactory();
        factory.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 20);
        factory.startup(server);
        String address = "127.0.0.1:" + factory.getLocalPort();
        try (RunningManager one = manager(DrfScheduler.class, pair("rm1", address));
                RunningManager other = manager(DrfScheduler.class, pair("rm2", address))) {
            one.rm.getRMContext().getRMAdminService().transitionToActive(REQUEST);
            confirmed(one, logged(one, "c"));
            logged(one, "lost");

            other.rm.getRMContext().getRMAdminService().transitionToActive(REQUEST);
            assertThat(queues(other)).containsExactly("a", "b", "c");
            confirmed(other, logged(other, "d"));

            one.rm.getRMContext().getRMAdminService().transitionToStandby(REQUEST);
            one.rm.getRMContext().getRMAdminService().transitionToActive(REQUEST);
            assertThat(queues(one)).containsExactly("a", "b", "c", "d");
            assertThat(provider(one).getConfigVersion()).isEqualTo(3);
        } finally {
            factory.shutdown();
        }
    }

    /** What the web services do, which two managers in one process share. */
    private static @Nullable LogMutation logged(RunningManager manager, String queue) throws Exception {
        SchedConfUpdateInfo change = new SchedConfUpdateInfo();
        change.getAddQueueInfo().add(new QueueConfigInfo("root." + queue, Map.of("capacity", "1w")));
        return provider(manager).logAndApplyMutation(UserGroupInformation.getCurrentUser(), change);
    }

    private static void confirmed(RunningManager manager, @Nullable LogMutation change) throws Exception {
        manager.rm.getResourceScheduler().reinitialize(manager.rm.getConfig(), manager.rm.getRMContext());
        provider(manager).confirmPendingMutation(change, true);
    }

    private static String[] pair(String id, String zooKeeper) {
        List<String> pair = new ArrayList<>(List.of(
                STORE,
                "zk",
                "hadoop.zk.address",
                zooKeeper,
                YarnConfiguration.RM_HA_ENABLED,
                "true",
                YarnConfiguration.AUTO_FAILOVER_ENABLED,
                "false",
                YarnConfiguration.RM_HA_IDS,
                "rm1,rm2",
                YarnConfiguration.RM_HA_ID,
                id));
        for (String each : List.of("rm1", "rm2")) {
            for (String address : YarnConfiguration.getServiceAddressConfKeys(new Configuration())) {
                pair.addAll(List.of(address + "." + each, "127.0.0.1:0"));
            }
        }
        return pair.toArray(String[]::new);
    }

    @Test
    void severalAdministratorsAtOnceLoseNothing() throws Exception {
        String[] inTheFile = {
            "yarn.scheduler.heddle.configuration.file",
            file.toString(),
            "yarn.scheduler.heddle.configuration.mutable",
            "true",
        };
        ExecutorService administrators = Executors.newFixedThreadPool(8);
        for (String[] where : List.of(inTheFile, inFiles(), new String[] {STORE, "memory"})) {
            write();
            try (RunningManager ours = manager(DrfScheduler.class, where)) {
                List<Future<HttpResponse<String>>> answers = administrators.invokeAll(IntStream.range(0, 16)
                        .mapToObj(i -> (Callable<HttpResponse<String>>) () -> put(ours, adding("q" + i, "1w")))
                        .toList());
                for (Future<HttpResponse<String>> answer : answers) {
                    assertThat(answer.get().statusCode())
                            .as(answer.get().body())
                            .isEqualTo(200);
                }
                assertThat(new TreeSet<>(queues(ours))).hasSize(18);
            }
        }
        administrators.shutdown();
    }

    @Test
    void storesThatCannotBeReadAreNamed() {
        assertThatThrownBy(() -> manager(DrfScheduler.class, STORE, "leveldb"))
                .hasMessageContaining(
                        "yarn.scheduler.configuration.store.class = 'leveldb': must be file, memory, fs or zk");
        String path = "yarn.scheduler.configuration.fs.path";
        assertThatThrownBy(() -> manager(DrfScheduler.class, STORE, "fs", path, "nowhere:///x"))
                .hasMessageContaining("store.class = 'fs': this store cannot be opened: No FileSystem for scheme");
    }
}
