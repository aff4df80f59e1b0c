// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.fixture.Pause;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.fixture.WireClient;
import org.heddle.offers.wire.Encoding;
import org.heddle.testkit.Await;
import org.heddle.testkit.ClusterBuilder;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A framework has filled the cluster with short tasks when another one comes, whose tasks are as large: both get half of it. Both
 * use the bridge's default settings, so their applications are of one user in one queue, whose order is set to share.
 */
@Tag("soak")
class FairSharesIT {
    private static final String STOCK = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.";
    private static final String HEDDLE = """
        <heddle-scheduler version="1">
          <queue name="root"><queue name="default"><user-order>drf</user-order></queue></queue>
        </heddle-scheduler>
        """;

    @Test
    void aNewcomerGetsItsShare(@TempDir Path directory) throws Exception {
        share("fair", 0, directory);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fair", "capacity", "drf"})
    void bothKeepTheirShares(String scheduler, @TempDir Path directory) throws Exception {
        share(scheduler, 30, directory);
    }

    private static void share(String scheduler, int seconds, Path directory) throws Exception {
        try (HeddleCluster cluster = cluster(scheduler)) {
            cluster.start();
            try (Bridge bridge = Bridge.start(TestBridges.settings(directory, 0, 0), cluster.configuration());
                    Greedy alpha = new Greedy(bridge, "alpha")) {
                Await.until("alpha runs tasks", Duration.ofSeconds(60), () -> alpha.running() >= 4);
                Pause.millis(3_000);
                try (Greedy beta = new Greedy(bridge, "beta")) {
                    long begin = System.nanoTime();
                    Await.until(
                            "beta has 90 % of its half",
                            Duration.ofSeconds(60), () -> {
                                double all = alpha.running() + beta.running();
                                return all > 0 && beta.running() >= 0.45 * all;
                            });
                    System.out.printf(
                            "%s: a newcomer has its share after %.1f s%n",
                            scheduler, (System.nanoTime() - begin) / 1e9);
                    if (seconds > 0) {
                        int alphaBefore = alpha.finished.get();
                        int betaBefore = beta.finished.get();
                        Pause.millis(seconds * 1_000L);
                        int a = alpha.finished.get() - alphaBefore;
                        int b = beta.finished.get() - betaBefore;
                        double jain = Math.pow(a + b, 2) / (2.0 * (a * (double) a + b * (double) b));
                        System.out.printf("%s: tasks in %d s: %d and %d, Jain %.3f%n", scheduler, seconds, a, b, jain);
                        assertThat(jain).as("tasks of both: %d and %d", a, b).isGreaterThanOrEqualTo(0.95);
                    }
                }
            }
        }
    }

    private static HeddleCluster cluster(String scheduler) throws Exception {
        ClusterBuilder builder = HeddleCluster.builder().nodes(2, Map.of("memory-mb", 4096L, "vcores", 8L));
        return switch (scheduler) {
            case "fair" -> builder.scheduler(STOCK + "fair.FairScheduler").build();
            case "capacity" ->
                builder.scheduler(STOCK + "capacity.CapacityScheduler")
                        .property("yarn.scheduler.capacity.maximum-am-resource-percent", "1")
                        .property("yarn.scheduler.capacity.root.default.ordering-policy", "fair")
                        .build();
            default ->
                builder.scheduler("org.heddle.drf.DrfScheduler")
                        .queuesFile("yarn.scheduler.heddle.configuration.file", HEDDLE)
                        .build();
        };
    }

    /** Fills every offer with tasks of one second. */
    private static final class Greedy implements AutoCloseable {
        private final WireClient client;
        private final String name;
        private final AtomicInteger tasks = new AtomicInteger();
        private final AtomicInteger finished = new AtomicInteger();
        private final Set<String> running = ConcurrentHashMap.newKeySet();

        Greedy(Bridge bridge, String name) throws Exception {
            this.name = name;
            this.client = new WireClient(bridge.httpAddress(), Encoding.PROTOBUF).watching(this::take);
            client.subscribe(WireClient.info(name).build());
        }

        private void take(Event event) {
            event.getOffers().getOffersList().forEach(this::fill);
            if (event.getType() == Event.Type.UPDATE) {
                String id = event.getUpdate().getStatus().getTaskId().getValue();
                if (event.getUpdate().getStatus().getState() == TaskState.TASK_RUNNING) {
                    running.add(id);
                } else if (running.remove(id)) {
                    finished.incrementAndGet();
                }
            }
        }

        private void fill(Offer offer) {
            int fits = (int) Math.min(WireClient.amount(offer, "cpus") / 0.5, WireClient.amount(offer, "mem") / 240);
            List<TaskInfo> list = new ArrayList<>();
            for (int i = 0; i < fits; i++) {
                list.add(WireClient.task(name + "-" + tasks.incrementAndGet(), offer, "sleep 1", 0.5, 240));
            }
            if (list.isEmpty()) {
                client.decline(offer, 1);
            } else {
                client.launch(offer, 0, list.toArray(TaskInfo[]::new));
            }
        }

        int running() {
            return running.size();
        }

        @Override
        public void close() throws IOException {
            client.close();
        }
    }
}
