// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.InverseOffer;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.fixture.LeanExecutor;
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

/**
 * A framework keeps a small task in a container that is the whole cluster and does not want the rest of it: under
 * schedulers that make containers smaller another framework gets that rest, under others once the task has ended.
 */
class ReturnIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void whatIsNotWantedGoesToOthers(@TempDir Path directory) throws Exception {
        whatIsNotWantedGoesToOthers("org.heddle.drf.DrfScheduler", true, 0, directory);
    }

    /**
     * @param left what the scheduler counts as containers in the end: CapacityScheduler counts the change of one as its
     *     end
     */
    @Tag("soak")
    @ParameterizedTest
    @CsvSource({
        "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler, true, -1",
        "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler, false, 0"
    })
    void whatIsNotWantedGoesToOthers(String scheduler, boolean shrinks, int left, @TempDir Path directory)
            throws Exception {
        try (HeddleCluster cluster = HeddleCluster.builder()
                .scheduler(scheduler)
                .nodes(1, Map.of("memory-mb", 4096L, "vcores", 8L))
                .property("yarn.scheduler.capacity.maximum-am-resource-percent", "1")
                .build()) {
            cluster.start();
            try (Bridge bridge = Bridge.start(TestBridges.settings(directory, 0, 0), cluster.configuration());
                    WireClient holder = new WireClient(bridge.httpAddress(), Encoding.PROTOBUF)
                            .subscribe(WireClient.info("holder").build())) {
                // 1. One container is the whole cluster, one small task in it
                holder.send(WireClient.requestCall(8, 4000));
                Offer offer = null;
                while (offer == null) {
                    Event event = holder.await(one -> one.getType() == Event.Type.OFFERS);
                    for (Offer one : event.getOffers().getOffersList()) {
                        if (WireClient.amount(one, "mem") >= 4000) {
                            offer = one;
                        } else {
                            holder.decline(one, 0);
                        }
                    }
                }
                holder.launch(offer, 0, WireClient.task("small", offer, "sleep 300", 0.5, 128));
                holder.awaitStatus("small", TaskState.TASK_RUNNING);
                // Its role has no queue: it runs in root.default
                try (WireClient other = new WireClient(bridge.httpAddress(), Encoding.JSON).subscribe(withoutQueue())) {
                    // 2. The rest is not wanted
                    String accepted = offer.getId().getValue();
                    holder.decline(
                            Await.value(
                                    "the rest",
                                    Duration.ofSeconds(20),
                                    () -> holder.seen().stream()
                                            .flatMap(event -> event.getOffers().getOffersList().stream())
                                            .dropWhile(one ->
                                                    !one.getId().getValue().equals(accepted))
                                            .skip(1)
                                            .findFirst()
                                            .orElse(null)),
                            600);
                    if (!shrinks) {
                        holder.send(Call.newBuilder().setType(Call.Type.SUPPRESS));
                        holder.kill("small");
                    }
                    Offer rest = null;
                    while (rest == null) {
                        Offer one = other.await(event -> event.getType() == Event.Type.OFFERS, Duration.ofSeconds(20))
                                .getOffers()
                                .getOffers(0);
                        if (WireClient.amount(one, "mem") > 500) {
                            rest = one;
                        } else {
                            other.decline(one, 0); // asked for before YARN had made the holder's container smaller
                        }
                    }
                    // 3. And its own task goes on
                    if (shrinks) {
                        Await.until(
                                "one container to be smaller",
                                Duration.ofSeconds(20),
                                () -> metrics(bridge).contains("heddle_bridge_containers_shrunk 1"));
                        other.launch(rest, 0, WireClient.task("other", rest, "true", 1, 128));
                        other.awaitStatus("other", TaskState.TASK_FINISHED);
                        holder.send(Call.newBuilder()
                                .setType(Call.Type.RECONCILE)
                                .setReconcile(Call.Reconcile.getDefaultInstance()));
                        holder.awaitStatus("small", TaskState.TASK_RUNNING);
                    }
                    holder.send(Call.newBuilder().setType(Call.Type.TEARDOWN));
                    other.send(Call.newBuilder().setType(Call.Type.TEARDOWN));
                    QueueMetrics counted =
                            cluster.resourceManager().getResourceScheduler().getRootQueueMetrics();
                    Await.until(
                            "no container to be left",
                            PATIENCE,
                            () -> counted.getAllocatedMB() == 0 && counted.getAllocatedContainers() == left,
                            () -> counted.getAllocatedMB() + " MB, " + counted.getAllocatedContainers());
                }
            }
        }
    }

    /**
     * As in Mesos, only the framework ends its executors: the bridge asks for them, again and again while others wait.
     */
    @Tag("soak")
    @Test
    void aFrameworkIsAskedForItsIdleExecutors(@TempDir Path directory) throws Exception {
        try (HeddleCluster cluster = HeddleCluster.builder()
                .scheduler("org.heddle.drf.DrfScheduler")
                .nodes(1, Map.of("memory-mb", 2048L, "vcores", 4L))
                .build()) {
            cluster.start();
            try (Bridge bridge = Bridge.start(TestBridges.settings(directory, 0, 0), cluster.configuration());
                    WireClient holder = new WireClient(bridge.httpAddress(), Encoding.PROTOBUF)
                            .subscribe(WireClient.info("holder").build())) {
                // 1. One container is the whole cluster, and the only task of its executor has ended
                holder.send(WireClient.requestCall(4, 1900));
                Offer offer = holder.await(event -> event.getOffers().getOffersList().stream()
                                .anyMatch(one -> WireClient.amount(one, "mem") >= 1900))
                        .getOffers()
                        .getOffers(0);
                holder.launch(offer, 600, LeanExecutor.task("done", offer, LeanExecutor.script(directory)));
                holder.awaitStatus("done", TaskState.TASK_FINISHED);
                // 2. Another framework waits; the first one is asked, does nothing, and keeps its executors
                try (WireClient other = new WireClient(bridge.httpAddress(), Encoding.JSON).subscribe(withoutQueue())) {
                    InverseOffer asked = holder.await(event -> event.getType() == Event.Type.INVERSE_OFFERS, PATIENCE)
                            .getInverseOffers()
                            .getInverseOffers(0);
                    assertThat(asked.getAgentId()).isEqualTo(offer.getAgentId());
                    holder.await(event -> event.getType() == Event.Type.RESCIND_INVERSE_OFFER, PATIENCE);
                    assertThat(holder.seen()).noneMatch(event -> event.getType() == Event.Type.FAILURE);
                    // 3. It is asked again and ends them
                    holder.await(event -> event.getType() == Event.Type.INVERSE_OFFERS, PATIENCE);
                    holder.send(Call.newBuilder().setType(Call.Type.SUPPRESS));
                    holder.send(Call.newBuilder()
                            .setType(Call.Type.SHUTDOWN)
                            .setShutdown(Call.Shutdown.newBuilder()
                                    .setAgentId(offer.getAgentId())
                                    .setExecutorId(ExecutorID.newBuilder().setValue("counter"))));
                    other.await(event -> event.getType() == Event.Type.OFFERS, PATIENCE);
                    assertThat(metrics(bridge)).contains("heddle_bridge_idle_executors_asked_for 2");
                }
            }
        }
    }

    @SuppressWarnings("deprecation") // the one role of a framework that is not MULTI_ROLE capable
    private static FrameworkInfo withoutQueue() {
        return WireClient.info("other").setRole("etl").build();
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
}
