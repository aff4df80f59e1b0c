// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.mesos.v1.Protos.DurationInfo;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.OfferFilters;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.Protos.Value;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.fixture.WireClient;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.wire.Encoding;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * What frameworks say of offers beforehand and by keeping them, the part that is kept for short tasks, and what a
 * framework may count on.
 */
class OfferWishesIT {
    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .nodes(1, Map.of("memory-mb", 4096L, "vcores", 4L))
            .build();

    @Test
    void offersAreAsWished(@TempDir Path directory) throws Exception {
        // The offer for short tasks comes with the first launch, and is answered when that task runs: no time for
        // answers ends before
        try (Bridge bridge = Bridge.start(
                        with(TestBridges.settings(directory, 0, 0), 300_000, 0.5), cluster.configuration());
                WireClient client =
                        new WireClient(bridge.httpAddress(), Encoding.PROTOBUF).subscribe(wishing("mem", 1500))) {
            // 1. Offers are no smaller than the framework's minimum
            Offer first = awaitOffer(client, offer -> true);
            assertThat(memory(first)).isGreaterThanOrEqualTo(1500);
            assertThat(isShort(first)).isFalse();
            client.launch(first, 600, WireClient.task("long", first, "sleep 300", 1, memory(first)));
            client.awaitStatus("long", TaskState.TASK_RUNNING);

            // 2. What goes beyond half of the node is offered for short tasks only
            Offer second = awaitOffer(client, OfferWishesIT::isShort);
            TaskInfo timed = WireClient.task("timed", second, "sleep 300", 0.5, 64).toBuilder()
                    .setMaxCompletionTime(DurationInfo.newBuilder().setNanoseconds(500_000_000L))
                    .build();
            client.launch(second, 0, WireClient.task("refused", second, "sleep 300", 0.5, 64), timed);
            assertThat(client.awaitStatus("refused", TaskState.TASK_ERROR).getMessage())
                    .contains("kept for short tasks");
            assertThat(client.awaitStatus("timed", TaskState.TASK_FAILED).getMessage())
                    .contains("max_completion_time");

            // 3. What the framework may count on
            HttpResponse<String> share = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                                            + bridge.httpAddress().getPort() + "/share?framework_id="
                                            + client.frameworkId()))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(share.statusCode()).isEqualTo(200);
            assertThat(share.body()).contains("\"queue\":\"root.default\"").contains("\"guaranteed\":{\"cpus\":4.0");

            // 4. A wish that cannot be honoured is refused
            try (WireClient other = new WireClient(bridge.httpAddress(), Encoding.PROTOBUF)) {
                assertThatThrownBy(() -> other.subscribe(wishing("network", 1)))
                        .hasMessageContaining("wants network = 1.0: use amounts");
            }
        }
    }

    /**
     * A framework that counts more for a task than the task uses: offers of the size that the bridge has learned are
     * too small for it, and it neither accepts nor declines them.
     */
    @Test
    void aFrameworkThatKeepsOffersGetsLargerOnes(@TempDir Path directory) throws Exception {
        try (Bridge bridge =
                        Bridge.start(with(TestBridges.settings(directory, 0, 0), 2_000, 0), cluster.configuration());
                WireClient client = new WireClient(bridge.httpAddress(), Encoding.JSON)
                        .subscribe(WireClient.info("keeper").build())) {
            int launched = launchSmall(client);
            Offer tooSmall = awaitOffer(client, launched, offer -> memory(offer) < 1024);
            Await.until(
                    "the offer to be taken back",
                    Duration.ofSeconds(60),
                    () -> client.seen().stream()
                            .anyMatch(event -> event.hasRescind()
                                    && event.getRescind().getOfferId().equals(tooSmall.getId())));
            awaitOffer(client, launched, offer -> memory(offer) >= 2 * 1024);
        }
    }

    /**
     * Runs a small task and returns how many events came before its launch. Offers last for two seconds, and on a busy
     * machine a launch may come later: then the next offer is taken.
     */
    private static int launchSmall(WireClient client) throws InterruptedException {
        for (int i = 1; ; i++) {
            String id = "small-" + i;
            Offer offer = client.awaitOffer();
            int before = client.seen().size();
            client.launch(offer, 0, WireClient.task(id, offer, "sleep 300", 0.1, 128));
            TaskStatus status = client.await(event -> event.hasUpdate()
                            && event.getUpdate()
                                    .getStatus()
                                    .getTaskId()
                                    .getValue()
                                    .equals(id)
                            && (event.getUpdate().getStatus().getState() == TaskState.TASK_RUNNING
                                    || event.getUpdate().getStatus().getReason()
                                            == TaskStatus.Reason.REASON_INVALID_OFFERS))
                    .getUpdate()
                    .getStatus();
            if (status.getState() == TaskState.TASK_RUNNING) {
                return before;
            }
        }
    }

    /** With another time for answers, and another part of each node for short tasks. */
    private static BridgeSettings with(BridgeSettings settings, long offerMillis, double shortPart) {
        MasterSettings limits = settings.limits();
        return new BridgeSettings(
                settings.http(),
                settings.agents(),
                settings.hostname(),
                settings.agentAddresses(),
                settings.state(),
                settings.access(),
                settings.kerberos(),
                settings.standby(),
                new MasterSettings(
                        limits.times(),
                        offerMillis,
                        limits.minimumOffer(),
                        limits.diskMb(),
                        limits.ports(),
                        shortPart,
                        10_000,
                        60_000,
                        true),
                settings.yarn());
    }

    private static FrameworkInfo wishing(String resource, double amount) {
        return WireClient.info("wishing")
                .putOfferFilters(
                        "*",
                        OfferFilters.newBuilder()
                                .setMinAllocatableResources(OfferFilters.MinAllocatableResources.newBuilder()
                                        .addQuantities(OfferFilters.ResourceQuantities.newBuilder()
                                                .putQuantities(
                                                        resource,
                                                        Value.Scalar.newBuilder()
                                                                .setValue(amount)
                                                                .build())))
                                .build())
                .build();
    }

    /** Offers come several at once, and before they are waited for. */
    private static Offer awaitOffer(WireClient client, Predicate<Offer> wanted) {
        return awaitOffer(client, 0, wanted);
    }

    private static Offer awaitOffer(WireClient client, int eventsBefore, Predicate<Offer> wanted) {
        return Await.value(
                "an offer",
                Duration.ofSeconds(60),
                () -> client.seen().stream()
                        .skip(eventsBefore)
                        .filter(Event::hasOffers)
                        .flatMap(event -> event.getOffers().getOffersList().stream())
                        .filter(wanted)
                        .findFirst()
                        .orElse(null));
    }

    private static double memory(Offer offer) {
        return offer.getResourcesList().stream()
                .filter(resource -> resource.getName().equals("mem"))
                .mapToDouble(resource -> resource.getScalar().getValue())
                .sum();
    }

    private static boolean isShort(Offer offer) {
        return List.copyOf(offer.getAttributesList()).stream()
                .anyMatch(attribute -> attribute.getName().equals("max_completion_secs"));
    }
}
