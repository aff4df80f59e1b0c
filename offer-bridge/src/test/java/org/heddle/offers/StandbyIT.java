// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.heddle.offers.client.Bridges;
import org.heddle.offers.client.HttpSchedulerDriver;
import org.heddle.offers.client.Scheduler;
import org.heddle.offers.client.SchedulerDriver;
import org.heddle.offers.fixture.BridgePair;
import org.heddle.offers.fixture.Figures;
import org.heddle.offers.fixture.UnfinishedRequests;
import org.heddle.offers.fixture.WireClient;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Two bridges as processes, one of which leads and is killed: the other takes over, and its framework goes on. */
class StandbyIT {
    private static final int ROUNDS = Integer.getInteger("heddle.offers.takeovers", 1);
    /** A few takeovers, in the middle of a build, are no measurement: a busy machine may pause for some seconds. */
    private static final boolean MEASURES = ROUNDS >= 10;

    /** A leader ends when it has not heard from ZooKeeper for two thirds of it. */
    private static final String SESSION_TIMEOUT = MEASURES ? "2s" : "40s";

    private static final int TICK_MILLIS = MEASURES ? 200 : 2_000; // ZooKeeper allows sessions of 2 to 20 ticks

    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .addressesAsNames()
            .hdfs()
            .nodes(1, Map.of("memory-mb", 4096L, "vcores", 8L))
            .build();

    /** Runs one task after the other for ever, and notes when updates come. */
    private static final class Ticking implements Scheduler {
        private final Set<String> finished = ConcurrentHashMap.newKeySet();
        private final Set<TaskState> others = ConcurrentHashMap.newKeySet();
        private final AtomicInteger registrations = new AtomicInteger();
        private int launched;

        @Override
        public void registered(SchedulerDriver driver, FrameworkID frameworkId, boolean again) {
            registrations.incrementAndGet();
        }

        @Override
        public void resourceOffers(SchedulerDriver driver, List<Offer> offers) {
            for (Offer offer : offers) {
                String id = "tick-" + launched++;
                driver.launchTasks(List.of(offer.getId()), List.of(WireClient.task(id, offer, "sleep 0.3", 0.1, 32)));
            }
        }

        @Override
        public void statusUpdate(SchedulerDriver driver, TaskStatus status) {
            if (status.getState() == TaskState.TASK_FINISHED) {
                finished.add(status.getTaskId().getValue());
            } else if (status.getReason() != TaskStatus.Reason.REASON_INVALID_OFFERS) {
                others.add(status.getState());
            }
        }
    }

    @Test
    void theOtherTakesOver(@TempDir Path directory) throws Exception {
        takeOver(directory, directory.resolve("state").toString(), 0);
    }

    /** And while both have connections that never finish a request. */
    @Test
    @Tag("long-3")
    void theOtherTakesOverWithTheLogInHdfs(@TempDir Path directory) throws Exception {
        String hdfs = cluster.configuration().get("fs.defaultFS") + "/tmp/bridge-state";
        takeOver(directory, hdfs, 1_000);
    }

    private static void takeOver(Path directory, String state, int unfinished) throws Exception {
        ZooKeeperServer server = new ZooKeeperServer(
                directory.resolve("zk").toFile(), directory.resolve("zk").toFile(), TICK_MILLIS);
        NIOServerCnxnFactory factory = new NIOServerCnxnFactory();
        factory.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 20);
        factory.startup(server);
        List<Long> gaps = new ArrayList<>();
        Ticking ticking = new Ticking();
        FrameworkInfo info = WireClient.info("ticking").setFailoverTimeout(60).build();
        try (BridgePair bridges = new BridgePair(
                        cluster::writeClientConfiguration,
                        directory,
                        state,
                        "127.0.0.1:" + factory.getLocalPort(),
                        SESSION_TIMEOUT);
                UnfinishedRequests requests =
                        new UnfinishedRequests(unfinished, List.of(bridges.address(0), bridges.address(1)));
                HttpSchedulerDriver driver =
                        new HttpSchedulerDriver(ticking, info, Bridges.at(bridges.uri(0), bridges.uri(1)))) {
            Await.until("all connections", Duration.ofSeconds(30), () -> requests.open() == unfinished);
            driver.start();
            awaitTicks(ticking);
            for (int round = 0; round < ROUNDS; round++) {
                int leader = bridges.leader();
                int before = ticking.registrations.get();
                long begin = System.nanoTime();
                bridges.kill(leader);
                Await.until(
                        "the framework to be back", Duration.ofSeconds(30), () -> ticking.registrations.get() > before);
                gaps.add((System.nanoTime() - begin) / 1_000_000);
                awaitTicks(ticking);
                bridges.restart(leader);
            }
        } finally {
            factory.shutdown();
        }
        boolean local = !state.startsWith("hdfs:");
        double[] millis = gaps.stream().mapToDouble(Long::doubleValue).toArray();
        double p99 = Figures.quantile(millis, 0.99);
        Figures.report(
                local ? "takeover" : "takeover-hdfs",
                "from kill -9 of the leader to the framework's registration with the standby, %d times, ZooKeeper's session"
                        + " timeout %s: p50 %.0f ms, p99 %.0f ms",
                ROUNDS,
                SESSION_TIMEOUT,
                Figures.quantile(millis, 0.5),
                p99);
        if (local && MEASURES) {
            assertThat(p99).isLessThanOrEqualTo(1_000);
        }
        assertThat(ticking.others).containsOnly(TaskState.TASK_RUNNING);
    }

    private static void awaitTicks(Ticking ticking) {
        int before = ticking.finished.size();
        Await.until("tasks to finish", Duration.ofSeconds(60), () -> ticking.finished.size() > before + 3);
    }
}
