// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.fixture.Pause;
import org.heddle.offers.fixture.ShareLog;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.fixture.WireClient;
import org.heddle.offers.wire.Encoding;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Frameworks share a cluster whose scheduler and queues have default settings: a framework fills the cluster, others
 * come later. All are applications of one user in {@code root.default}. The shares over time are written to {@code
 * target/fair-shares/}.
 */
class FairSharesIT {
    private static final String STOCK = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.";
    private static final int SAMPLE_MILLIS = 200;
    private static final long WINDOW_MILLIS = 30_000;

    /** Duration of a task, and what it uses. */
    private record Work(int seconds, double cpus, int memMb) {
        /**
         * Memory of the tasks that fit a quarter of a node of 8 cores and 4096 MiB with its agent, of which YARN counts
         * whole cores.
         */
        int ofQuarter() {
            int tasks = (int) Math.min(2 / cpus, 960.0 / memMb);
            return tasks * memMb;
        }
    }

    /** Without the goals for times, which a busy machine misses. */
    @Test
    void aNewcomerGetsItsShare(@TempDir Path directory) throws Exception {
        List<Greedy> all = new CopyOnWriteArrayList<>();
        try (HeddleCluster cluster = cluster("drf", 1)) {
            cluster.start();
            // Tasks of 1 s end before a busy machine has started as many as fill the cluster
            Work work = new Work(5, 0.5, 240);
            try (Bridge bridge = Bridge.start(TestBridges.settings(directory, 0, 0), cluster.configuration());
                    ShareLog log = new ShareLog(all, SAMPLE_MILLIS)) {
                fill(bridge, work, 1, all);
                all.add(new Greedy(bridge, "newcomer", work));
                Await.until(
                        "the newcomer has had 90 % of its share",
                        Duration.ofSeconds(90), () -> log.newcomersReached(0.9 / 2));
            } finally {
                closeAll(all);
            }
        }
    }

    @Tag("soak")
    @ParameterizedTest(name = "{0}, tasks of {1} s")
    @CsvSource({"fair,1", "capacity,1", "drf,1", "fair,5", "capacity,5", "drf,5", "fair,60", "capacity,60", "drf,60"})
    void aNewcomerGetsItsShareAndBothKeepIt(String scheduler, int seconds, @TempDir Path directory) throws Exception {
        Work work = new Work(seconds, 0.5, 240);
        share(scheduler, List.of(work, work), 45, directory);
    }

    @Tag("soak")
    @ParameterizedTest
    @ValueSource(strings = {"fair", "capacity", "drf"})
    void tasksOfUnequalSizes(String scheduler, @TempDir Path directory) throws Exception {
        share(scheduler, List.of(new Work(1, 0.5, 240), new Work(1, 1.5, 720)), 45, directory);
    }

    @Tag("soak")
    @ParameterizedTest(name = "{0}, tasks of {1} s, then of {2} s")
    @CsvSource({"fair,3,20", "capacity,3,20", "drf,3,20", "fair,20,1", "capacity,20,1", "drf,20,1"})
    void tasksOfUnequalLengths(String scheduler, int first, int then, @TempDir Path directory) throws Exception {
        share(scheduler, List.of(new Work(first, 0.5, 240), new Work(then, 0.5, 240)), 45, directory);
    }

    @Tag("soak")
    @ParameterizedTest
    @ValueSource(strings = {"fair", "capacity", "drf"})
    void sixteenFrameworks(String scheduler, @TempDir Path directory) throws Exception {
        share(scheduler, Collections.nCopies(16, new Work(5, 0.5, 240)), 45, directory);
    }

    /**
     * Hadoop's smallest container has 1 GiB by default; then only one ApplicationMaster fits into 10 % of this cluster.
     */
    @Tag("soak")
    @ParameterizedTest
    @CsvSource({"0.1, false", "1, true"})
    void capacitySchedulersLimitOfApplicationMasters(String percent, boolean shares, @TempDir Path directory)
            throws Exception {
        try (HeddleCluster cluster = HeddleCluster.builder()
                .nodes(2, Map.of("memory-mb", 4096L, "vcores", 8L))
                .scheduler(STOCK + "capacity.CapacityScheduler")
                .property("yarn.scheduler.minimum-allocation-mb", "1024")
                .property("yarn.scheduler.capacity.maximum-am-resource-percent", percent)
                .build()) {
            cluster.start();
            Work work = new Work(1, 0.5, 240);
            try (Bridge bridge = Bridge.start(TestBridges.settings(directory, 0, 0), cluster.configuration());
                    Greedy first = new Greedy(bridge, "first", work)) {
                Await.until("the first one runs tasks", Duration.ofSeconds(60), () -> first.getAsInt() > 0);
                try (Greedy second = new Greedy(bridge, "second", work)) {
                    if (shares) {
                        Await.until("the second one runs tasks", Duration.ofSeconds(60), () -> second.getAsInt() > 0);
                    } else {
                        Await.until(
                                "the bridge names the limit",
                                Duration.ofSeconds(90),
                                () -> metrics(bridge).contains("heddle_bridge_frameworks_never_placed 1"));
                        // The one that can use it has the cluster for itself again
                        Await.until(
                                "the first one fills the cluster",
                                Duration.ofSeconds(60),
                                () -> first.getAsInt() >= 0.7 * 2 * 4096);
                    }
                }
            }
        }
    }

    private static String metrics(Bridge bridge) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                                        + bridge.httpAddress().getPort() + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /**
     * The first framework fills the cluster, the others come together: each gets 90 % of its share in time, and keeps
     * it.
     */
    private static void share(String scheduler, List<Work> works, int seconds, Path directory) throws Exception {
        Work last = works.get(works.size() - 1);
        boolean sameLength = works.get(0).seconds() == last.seconds();
        String name = scheduler + "-" + works.size() + "x" + works.get(0).seconds() + "s"
                + (works.get(0).equals(last) ? "" : sameLength ? "-unequal" : "-then-" + last.seconds() + "s");
        int nodes = works.size() > 2 ? 4 : 2;
        List<Greedy> all = new CopyOnWriteArrayList<>();
        try (HeddleCluster cluster = cluster(scheduler, nodes)) {
            cluster.start();
            try (Bridge bridge = Bridge.start(TestBridges.settings(directory, 0, 0), cluster.configuration());
                    ShareLog log = new ShareLog(all, SAMPLE_MILLIS)) {
                fill(bridge, works.get(0), nodes, all);
                Pause.millis(3_000);
                long begin = System.nanoTime();
                for (int i = 1; i < works.size(); i++) {
                    all.add(new Greedy(bridge, "newcomer-" + i, works.get(i)));
                }
                double most = 2.0 * works.get(0).seconds() + 5;
                Await.until(
                        "each newcomer has had 90 % of its share",
                        Duration.ofSeconds(90 + 3L * works.get(0).seconds()),
                        () -> log.newcomersReached(0.9 * part(works)));
                double took = (System.nanoTime() - begin) / 1e9;
                System.out.printf(
                        "%s: newcomers have 90 %% of their shares after %.1f s (at most %.0f)%n", name, took, most);
                long from = log.now();
                Pause.millis(seconds * 1_000L);
                double jain = log.leastJain(from, WINDOW_MILLIS);
                System.out.printf("%s: Jain index of any 30 s at least %.3f%n", name, jain);
                log.plot(Path.of("target", "fair-shares", name + ".svg"), name);
                assertThat(took).as("seconds to 90 percent of the share").isLessThanOrEqualTo(most);
                // Of eight containers, five against three are (5 + 3)^2 / (2 (25 + 9)) = 0.94: all must be right
                assertThat(jain).as("least Jain index of used memory").isGreaterThanOrEqualTo(0.95);
            } finally {
                closeAll(all);
            }
        }
    }

    private static void fill(Bridge bridge, Work work, int nodes, List<Greedy> all) throws Exception {
        Greedy first = new Greedy(bridge, "first", work);
        all.add(first);
        Await.until(
                "the first framework fills the cluster",
                Duration.ofSeconds(90),
                () -> first.getAsInt() >= 0.8 * 4096 * nodes);
    }

    private static void closeAll(List<Greedy> all) throws IOException {
        for (Greedy one : all) {
            one.close();
        }
    }

    /** What the tasks of the last one use of what all use, if all have as many containers. */
    private static double part(List<Work> works) {
        return (double) works.get(works.size() - 1).ofQuarter()
                / works.stream().mapToInt(Work::ofQuarter).sum();
    }

    private static HeddleCluster cluster(String scheduler, int nodes) throws Exception {
        String name = switch (scheduler) {
            case "fair" -> STOCK + "fair.FairScheduler";
            case "capacity" -> STOCK + "capacity.CapacityScheduler";
            default -> "org.heddle.drf.DrfScheduler";
        };
        return HeddleCluster.builder()
                .nodes(nodes, Map.of("memory-mb", 4096L, "vcores", 8L))
                .scheduler(name)
                // It counts an ApplicationMaster of a core for each framework; the limit is a test of its own
                .property("yarn.scheduler.capacity.maximum-am-resource-percent", "1")
                .build();
    }

    /** Fills every offer with its tasks; what it uses is the memory of its running tasks, in MiB. */
    private static final class Greedy implements AutoCloseable, IntSupplier {
        private final WireClient client;
        private final String name;
        private final Work work;
        private final AtomicInteger tasks = new AtomicInteger();
        private final Set<String> running = ConcurrentHashMap.newKeySet();

        Greedy(Bridge bridge, String name, Work work) throws Exception {
            this.name = name;
            this.work = work;
            this.client = new WireClient(bridge.httpAddress(), Encoding.PROTOBUF).watching(this::take);
            client.subscribe(WireClient.info(name).build());
        }

        private void take(Event event) {
            event.getOffers().getOffersList().forEach(this::fill);
            if (event.getType() == Event.Type.UPDATE) {
                String id = event.getUpdate().getStatus().getTaskId().getValue();
                if (event.getUpdate().getStatus().getState() == TaskState.TASK_RUNNING) {
                    running.add(id);
                } else {
                    running.remove(id);
                }
            }
        }

        private void fill(Offer offer) {
            int fits = (int) Math.min(
                    WireClient.amount(offer, "cpus") / work.cpus(), WireClient.amount(offer, "mem") / work.memMb());
            List<TaskInfo> list = new ArrayList<>();
            for (int i = 0; i < fits; i++) {
                list.add(WireClient.task(
                        name + "-" + tasks.incrementAndGet(),
                        offer,
                        "sleep " + work.seconds(),
                        work.cpus(),
                        work.memMb()));
            }
            if (list.isEmpty()) {
                client.decline(offer, 1);
            } else {
                client.launch(offer, 0, list.toArray(TaskInfo[]::new));
            }
        }

        @Override
        public int getAsInt() {
            return running.size() * work.memMb();
        }

        @Override
        public void close() throws IOException {
            client.close();
        }
    }
}
