// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.InverseOffer;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.drf.DrfScheduler;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.fixture.WireClient;
import org.heddle.offers.wire.Encoding;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A framework holds the whole cluster when another one comes. The bridge tells it what the scheduler wants, when, and
 * that it may choose; after its choice it loses nothing else. A node that is decommissioned is announced too.
 */
class PreemptionNoticeIT {
    /**
     * Nothing may be taken by force meanwhile: the newcomer wants more at once, and its first agent may need a minute
     * to start.
     */
    private static final long GRACE = 180_000;

    private static final String QUEUES = """
        <heddle-scheduler version="1">
          <preemption><mode>on</mode><grace-period>180s</grace-period><max-per-second>100%</max-per-second></preemption>
          <queue name="root"><fair-share-preemption-timeout>1s</fair-share-preemption-timeout><queue name="a"/><queue name="b"/></queue>
        </heddle-scheduler>
        """;

    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .scheduler(DrfScheduler.class.getName())
            .queuesFile("yarn.scheduler.heddle.configuration.file", QUEUES)
            .nodes(2, Map.of("memory-mb", 4096L, "vcores", 4L))
            .build();

    @Test
    void preemptionAndMaintenanceAreAnnounced(@TempDir Path directory) throws Exception {
        try (Bridge bridge = Bridge.start(TestBridges.settings(directory, 0, 0, GRACE), cluster.configuration());
                WireClient holder = new WireClient(bridge.httpAddress(), Encoding.PROTOBUF).subscribe(info("a"))) {
            // 1. One framework fills the cluster
            Map<String, String> nodes = new LinkedHashMap<>();
            while (nodes.size() < 8) {
                Event event = holder.await(one -> one.getType() == Event.Type.OFFERS);
                for (Offer offer : event.getOffers().getOffersList()) {
                    String id = "hold-" + nodes.size();
                    nodes.put(id, offer.getAgentId().getValue());
                    holder.launch(offer, 0, WireClient.task(id, offer, "sleep 300", 1, 64));
                }
            }
            Await.until(
                    "all to run",
                    Duration.ofSeconds(60),
                    () -> holder.seen().stream()
                                    .filter(Event::hasUpdate)
                                    .map(event -> event.getUpdate().getStatus().getTaskId())
                                    .distinct()
                                    .count()
                            == 8);

            // 2. Another comes: the first is told
            long before = System.currentTimeMillis();
            try (WireClient newcomer = new WireClient(bridge.httpAddress(), Encoding.JSON).subscribe(info("b"))) {
                InverseOffer wanted = inverse(holder);
                assertThat(wanted.getUnavailability().getStart().getNanoseconds() / 1_000_000)
                        .as("when the grace of a preemption ends that was decided after the other one had come")
                        .isBetween(before + GRACE, System.currentTimeMillis() + GRACE);
                assertThat(wanted.hasAgentId()).as("told where").isFalse();

                // 3. It gives a task of its choice, and only that ends
                kill(holder, "hold-5");
                Offer offer = newcomer.awaitOffer();
                assertThat(offer.getAgentId().getValue()).isEqualTo(nodes.get("hold-5"));
                newcomer.launch(offer, 0, WireClient.task("new", offer, "sleep 300", 1, 64));
                newcomer.awaitStatus("new", TaskState.TASK_RUNNING);
                assertThat(ended(holder)).containsExactly("hold-5 TASK_KILLED");
            }

            // 4. A node is taken out of service
            cluster.node(0).decommissionGracefully(120);
            InverseOffer leaving = inverse(holder);
            while (!leaving.hasAgentId()) {
                leaving = inverse(holder); // the scheduler may have wanted more for the other one
            }
            assertThat(leaving.getAgentId().getValue()).contains(cluster.node(0).host());
            long left =
                    leaving.getUnavailability().getStart().getNanoseconds() / 1_000_000 - System.currentTimeMillis();
            assertThat(left).isBetween(100_000L, 120_000L);
        }
    }

    @SuppressWarnings("deprecation") // the one role of a framework that is not MULTI_ROLE capable
    private static FrameworkInfo info(String role) {
        return WireClient.info("of " + role).setRole(role).build();
    }

    private static InverseOffer inverse(WireClient client) throws InterruptedException {
        return client.await(event -> event.getType() == Event.Type.INVERSE_OFFERS, Duration.ofSeconds(40))
                .getInverseOffers()
                .getInverseOffers(0);
    }

    private static void kill(WireClient client, String id) throws InterruptedException {
        client.kill(id);
        client.awaitStatus(id, TaskState.TASK_KILLED);
    }

    private static List<String> ended(WireClient client) {
        return client.seen().stream()
                .filter(Event::hasUpdate)
                .map(event -> event.getUpdate().getStatus())
                .filter(status -> status.getState() != TaskState.TASK_RUNNING)
                .map(PreemptionNoticeIT::brief)
                .distinct()
                .toList();
    }

    private static String brief(TaskStatus status) {
        return status.getTaskId().getValue() + " " + status.getState();
    }
}
