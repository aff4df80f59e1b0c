// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.fixture.WireClient;
import org.heddle.offers.wire.Encoding;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What offers contain and what YARN has allocated for them: containers that become larger, and GPUs. */
class ContainerSizesIT {
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.heddle.drf.DrfScheduler",
                "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler"
            })
    void containersGrowAndGpusAreOffered(String scheduler, @TempDir Path directory) throws Exception {
        try (HeddleCluster cluster = HeddleCluster.builder()
                .scheduler(scheduler)
                .property("yarn.resource-types", ResourceInformation.GPU_URI)
                .property("yarn.scheduler.capacity.maximum-am-resource-percent", "1")
                .nodes(1, Map.of("memory-mb", 4096L, "vcores", 8L, ResourceInformation.GPU_URI, 4L))
                .build()) {
            cluster.start();
            try (Bridge bridge = Bridge.start(TestBridges.settings(directory, 0, 0), cluster.configuration())) {
                grows(cluster, bridge);
                gpus(cluster, bridge);
            }
        }
    }

    private static void grows(HeddleCluster cluster, Bridge bridge) throws Exception {
        try (WireClient client = new WireClient(bridge.httpAddress(), Encoding.PROTOBUF)
                .subscribe(WireClient.info("grows").build())) {
            // 1. One small container, full of one task
            client.send(WireClient.requestCall(1, 300));
            Offer first = offer(client, offer -> WireClient.amount(offer, "mem") == 300);
            client.send(Call.newBuilder().setType(Call.Type.SUPPRESS));
            client.launch(first, 0, WireClient.task("first", first, "sleep 300", 1, 300));
            client.awaitStatus("first", TaskState.TASK_RUNNING);
            Await.until("one container", DEADLINE, () -> containers(cluster).size() == 1);
            String container = containers(cluster).get(0).getContainerId().toString();
            // 2. It wants more, and the container grows instead of a second one
            client.send(Call.newBuilder().setType(Call.Type.REVIVE));
            Await.until(
                    "a container of twice the size",
                    DEADLINE,
                    () -> containers(cluster).stream()
                            .anyMatch(one -> one.getContainerId().toString().equals(container)
                                    && one.getAllocatedResource().equals(Resource.newInstance(664, 2))));
            // 3. What has grown is offered, and a second task runs in it
            Offer more = offer(
                    client,
                    offer -> !offer.getId().equals(first.getId())
                            && WireClient.amount(offer, "mem") >= 300
                            && client.seen().stream()
                                    .noneMatch(event ->
                                            event.getRescind().getOfferId().equals(offer.getId())));
            client.launch(more, 0, WireClient.task("second", more, "sleep 300", 1, 300));
            client.awaitStatus("second", TaskState.TASK_RUNNING);
            client.send(Call.newBuilder().setType(Call.Type.TEARDOWN));
        }
        Await.until(
                "the end of its containers", DEADLINE, () -> containers(cluster).isEmpty());
    }

    private static void gpus(HeddleCluster cluster, Bridge bridge) throws Exception {
        FrameworkInfo capable = WireClient.info("gpus")
                .addCapabilities(
                        FrameworkInfo.Capability.newBuilder().setType(FrameworkInfo.Capability.Type.GPU_RESOURCES))
                .build();
        try (WireClient client = new WireClient(bridge.httpAddress(), Encoding.JSON).subscribe(capable);
                WireClient other = new WireClient(bridge.httpAddress(), Encoding.PROTOBUF)
                        .subscribe(WireClient.info("none").build())) {
            Offer offer = offer(client, one -> WireClient.amount(one, "gpus") > 0);
            assertThat(WireClient.amount(offer, "gpus")).as("a quarter of four").isEqualTo(1);
            TaskInfo half = withGpus(WireClient.task("half", offer, "sleep 300", 0.5, 64), 0.5);
            TaskInfo one = withGpus(WireClient.task("one", offer, "sleep 300", 0.5, 64), 1);
            client.launch(offer, 0, half, one);
            assertThat(client.awaitStatus("half", TaskState.TASK_ERROR).getMessage())
                    .contains("gpus = 0.5: want a whole number");
            client.awaitStatus("one", TaskState.TASK_RUNNING);
            assertThat(containers(cluster).stream()
                            .mapToLong(container ->
                                    container.getAllocatedResource().getResourceValue(ResourceInformation.GPU_URI))
                            .sum())
                    .as("GPUs that YARN has allocated")
                    .isPositive();
            offer(other, any -> true);
            assertThat(other.seen().stream()
                            .flatMap(event -> event.getOffers().getOffersList().stream())
                            .mapToDouble(any -> WireClient.amount(any, "gpus")))
                    .as("offers of a framework that does not know of GPUs")
                    .containsOnly(0.0);
        }
    }

    private static TaskInfo withGpus(TaskInfo task, double gpus) {
        return task.toBuilder().addResources(WireClient.scalar("gpus", gpus)).build();
    }

    private static Offer offer(WireClient client, Predicate<Offer> wanted) {
        return Await.value(
                "an offer",
                DEADLINE,
                () -> client.seen().stream()
                        .flatMap(event -> event.getOffers().getOffersList().stream())
                        .filter(wanted)
                        .findFirst()
                        .orElse(null));
    }

    private static List<RMContainer> containers(HeddleCluster cluster) {
        AbstractYarnScheduler<?, ?> scheduler =
                (AbstractYarnScheduler<?, ?>) cluster.resourceManager().getResourceScheduler();
        return scheduler.getNodeTracker().getAllNodes().stream()
                .map(SchedulerNode::getCopiedListOfRunningContainers)
                .flatMap(List::stream)
                .toList();
    }
}
