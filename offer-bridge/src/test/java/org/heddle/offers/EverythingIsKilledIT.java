// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.heddle.offers.fixture.BridgePair;
import org.heddle.offers.fixture.CountingFramework;
import org.heddle.offers.fixture.Pause;
import org.heddle.offers.fixture.PublishedClients;
import org.heddle.offers.fixture.UnfinishedRequests;
import org.heddle.testkit.Await;
import org.heddle.testkit.ProcessCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two bridges with their log in HDFS, on a cluster of processes with three DataNodes. In each round a DataNode is
 * killed, and in three of four the leader and a foreign client too, in an order and at moments that a seed decides,
 * beside thousands of connections that never finish a request. The laws are those of {@link CountingFramework}; no
 * bridge ends by itself; a foreign client gets through unless it, or its bridge, is killed.
 */
class EverythingIsKilledIT {
    private static final int ROUNDS = Integer.getInteger("heddle.offers.rounds", 3);
    private static final long SEED = Long.getLong("heddle.offers.seed", 20261126);
    private static final int UNFINISHED = 3_000;
    private static final int LONGEST_PAUSE_MILLIS = 1_500;
    private static final int LONGEST_ABSENCE_MILLIS = 10_000;
    /** With this begins the warning about a state directory that does not answer. */
    private static final String WAITS = "The bridge waits up to 10 minutes";

    private static final List<String> DATA_NODES = List.of("datanode", "datanode2", "datanode3");

    private enum Victim {
        LEADER,
        DATA_NODE,
        CLIENT
    }

    @Test
    @Tag("long-1")
    void nothingIsLostOrDoubled(@TempDir Path directory) throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        try (ProcessCluster cluster = ProcessCluster.builder()
                .nodes(2, 4096, 8)
                .dataNodes(DATA_NODES.size())
                .property("yarn.scheduler.capacity.maximum-am-resource-percent", "1") // two frameworks at a time
                .start()) {
            String state = cluster.configuration().get("fs.defaultFS") + "/tmp/bridge-state";
            String zooKeeper = cluster.configuration().get("hadoop.zk.address");
            AtomicInteger tries = new AtomicInteger();
            // A leader ends if ZooKeeper does not answer for two thirds of 30 s. Takeovers do not wait for that
            try (BridgePair bridges =
                            new BridgePair(cluster::writeClientConfiguration, directory, state, zooKeeper, "30s");
                    UnfinishedRequests requests =
                            new UnfinishedRequests(UNFINISHED, List.of(bridges.address(0), bridges.address(1)));
                    CountingFramework framework = new CountingFramework(
                            directory, () -> bridges.address(tries.getAndIncrement() % 2), bridges::tails);
                    ForeignClient foreign = new ForeignClient(bridges, directory.resolve("clients"))) {
                framework.awaitEnds(4);
                foreign.awaitRun();
                for (int round = 1; round <= ROUNDS; round++) {
                    round(random, cluster, bridges, foreign, framework);
                    System.out.println("round " + round + ": " + framework.accepted() + " tasks, foreign clients "
                            + foreign.got());
                }
                foreign.awaitRun();
                Await.until("all connections", Duration.ofSeconds(30), () -> requests.open() == UNFINISHED);
                framework.finish();
                System.out.println(ROUNDS + " rounds: " + framework.check() + "; foreign clients " + foreign.got());
                assertThat(foreign.failures()).isEmpty();
            }
        }
    }

    /**
     * A DataNode is lost too: then the leader cannot write without its NameNode. Meanwhile it answers and stays the
     * leader.
     */
    @Test
    @Tag("soak")
    void aNameNodeThatIsAwayForAMinuteEndsNoBridge(@TempDir Path directory) throws Exception {
        try (ProcessCluster cluster = ProcessCluster.builder()
                .nodes(1, 4096, 8)
                .dataNodes(DATA_NODES.size())
                .start()) {
            String state = cluster.configuration().get("fs.defaultFS") + "/tmp/bridge-state";
            String zooKeeper = cluster.configuration().get("hadoop.zk.address");
            AtomicInteger tries = new AtomicInteger();
            try (BridgePair bridges =
                            new BridgePair(cluster::writeClientConfiguration, directory, state, zooKeeper, "8s");
                    CountingFramework framework = new CountingFramework(
                            directory, () -> bridges.address(tries.getAndIncrement() % 2), bridges::tails)) {
                framework.awaitEnds(4);
                int leader = bridges.leader();
                int streams = framework.streams();
                cluster.daemon("namenode").kill();
                cluster.daemon(DATA_NODES.get(0)).kill();
                long back = System.nanoTime() + Duration.ofMinutes(1).toNanos();
                Await.until(
                        "the console to say that the bridge waits",
                        Duration.ofSeconds(60),
                        () -> bridges.get(leader, "/console/data").contains(WAITS),
                        bridges::tails);
                while (System.nanoTime() < back) {
                    assertThat(bridges.get(leader, "/tasks")).contains("tasks");
                    Pause.millis(1_000);
                }
                cluster.startStopped();
                framework.awaitEnds(20);
                bridges.assertBothRun();
                assertThat(bridges.leader()).isEqualTo(leader);
                assertThat(bridges.get(leader, "/console/data")).doesNotContain(WAITS);
                System.out.println("the framework had " + (framework.streams() - streams) + " more streams");
                framework.finish();
                System.out.println("NameNode away for a minute: " + framework.check());
            }
        }
    }

    /** The DataNode of the round before has just come back, or is about to. */
    private static void round(
            SplittableRandom random,
            ProcessCluster cluster,
            BridgePair bridges,
            ForeignClient foreign,
            CountingFramework framework)
            throws Exception {
        int leader = bridges.leader();
        String dataNode = DATA_NODES.get(random.nextInt(DATA_NODES.size()));
        boolean killsLeader = random.nextInt(4) > 0;
        for (Victim victim : order(random)) {
            Pause.millis(random.nextInt(LONGEST_PAUSE_MILLIS));
            switch (victim) {
                case DATA_NODE -> cluster.daemon(dataNode).kill();
                case CLIENT -> {
                    if (killsLeader) {
                        foreign.kill();
                    }
                }
                case LEADER -> {
                    if (killsLeader) {
                        foreign.mayFail(true);
                        bridges.kill(leader);
                    }
                }
            }
        }
        // It may have the only copy of a file whose other copies were lost in rounds before, so it must come back by
        // itself
        Pause.millis(random.nextInt(LONGEST_ABSENCE_MILLIS));
        cluster.daemon(dataNode).start();
        framework.awaitEnds(4);
        if (killsLeader) {
            bridges.restart(leader);
        } else {
            foreign.awaitRun();
        }
        foreign.mayFail(false);
        bridges.assertBothRun();
    }

    private static List<Victim> order(SplittableRandom random) {
        List<Victim> order = new ArrayList<>(List.of(Victim.values()));
        Collections.shuffle(order, new Random(random.nextLong()));
        return order;
    }

    /** One run of a published client after the other, each with the bridge that leads. */
    private static final class ForeignClient implements AutoCloseable {
        private final BridgePair bridges;
        private final PublishedClients clients;
        private final AtomicInteger losses = new AtomicInteger();
        private final AtomicInteger through = new AtomicInteger();
        private final AtomicInteger lost = new AtomicInteger();
        private final List<String> failures = new CopyOnWriteArrayList<>();
        private final Thread thread = new Thread(this::run, "foreign-client");
        private volatile boolean exempt;

        ForeignClient(BridgePair bridges, Path directory) throws IOException {
            this.bridges = bridges;
            this.clients = new PublishedClients(directory, UnaryOperator.identity());
            thread.start();
        }

        private void run() {
            while (!Thread.currentThread().isInterrupted()) {
                int before = losses.get();
                boolean mayFail = exempt;
                try {
                    URI bridge = bridges.uri(bridges.leader()).resolve("/api/v1/scheduler");
                    assertThat(clients.rxJava(bridge, 5)).contains("DONE").contains("long TASK_KILLED");
                    through.incrementAndGet();
                } catch (InterruptedException e) {
                    return;
                } catch (Exception | AssertionError e) {
                    if (mayFail || exempt || losses.get() > before) {
                        lost.incrementAndGet();
                    } else {
                        failures.add(e.toString());
                    }
                }
            }
        }

        /** From a kill of the leader until both bridges run again, its runs may fail. */
        void mayFail(boolean may) {
            losses.incrementAndGet();
            exempt = may;
        }

        /** kill -9. */
        void kill() {
            boolean before = exempt;
            mayFail(true); // so may a run that begins while this looks for its process
            ProcessHandle.current()
                    .descendants()
                    .filter(one -> one.info().commandLine().orElse("").contains("RxSleeper"))
                    .forEach(ProcessHandle::destroyForcibly);
            mayFail(before);
        }

        void awaitRun() {
            int before = through.get();
            Await.until(
                    "a foreign client to get through",
                    Duration.ofMinutes(2),
                    () -> through.get() > before,
                    () -> got() + " " + failures);
        }

        String got() {
            return through + " through, " + lost + " lost";
        }

        List<String> failures() {
            return failures;
        }

        @Override
        public void close() {
            mayFail(true);
            thread.interrupt();
            kill();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
