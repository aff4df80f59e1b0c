// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.fixture.BridgeProcess;
import org.heddle.offers.fixture.Figures;
import org.heddle.offers.fixture.LeanScheduler;
import org.heddle.offers.fixture.Pause;
import org.heddle.offers.fixture.WireClient;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a bridge costs when nothing happens, and how soon what one framework declines is another's. */
@Tag("soak")
class ClusterFiguresIT {
    private static final int IDLE = Integer.getInteger("heddle.offers.figures.idle", 1_000);
    /** Twice as long as a framework that wants nothing waits with its heartbeats: what starting costs is over then. */
    private static final int SETTLED_SECONDS = 60;

    private static final int IDLE_SECONDS = 60;
    private static final double IDLE_CORES = 0.1;
    private static final int HANDOVERS = 30;
    private static final int NODE_HEARTBEAT = 1_000;

    @RegisterExtension
    final HeddleCluster cluster = HeddleCluster.builder()
            .addressesAsNames()
            .nodes(1, Map.of("memory-mb", 4096L, "vcores", 2000L))
            .property("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", Integer.toString(NODE_HEARTBEAT))
            .property("yarn.scheduler.capacity.maximum-am-resource-percent", "1")
            .build();

    @Test
    void idleFrameworksCostNothing(@TempDir Path directory) throws Exception {
        List<LeanScheduler> schedulers = new ArrayList<>();
        try (BridgeProcess bridge = new BridgeProcess(cluster, directory)) {
            for (int i = 0; i < IDLE; i++) {
                schedulers.add(new LeanScheduler(
                        bridge.address(), WireClient.info("idle-" + i).build(), true, (scheduler, event) -> {}));
            }
            Await.until(
                    "all applications to run",
                    Duration.ofMinutes(5),
                    () -> cluster.resourceManager().getRMContext().getRMApps().values().stream()
                                    .filter(app -> app.getState()
                                            == org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState.RUNNING)
                                    .count()
                            >= IDLE);
            Pause.millis(SETTLED_SECONDS * 1_000L);
            double cpu = Figures.cpuSeconds(bridge.pid());
            long begin = System.nanoTime();
            Pause.millis(IDLE_SECONDS * 1_000L);
            double cores = (Figures.cpuSeconds(bridge.pid()) - cpu) / ((System.nanoTime() - begin) / 1e9);
            Figures.report(
                    "idle-frameworks",
                    "%d idle frameworks, each subscribed and an application in YARN: the bridge uses %.3f cores and %.0f MiB"
                            + " (resident), over %d s",
                    IDLE,
                    cores,
                    Figures.memoryMb(bridge.pid(), "Rss"),
                    IDLE_SECONDS);
            assertThat(cores).isLessThanOrEqualTo(IDLE_CORES);
            for (LeanScheduler scheduler : schedulers) {
                scheduler.close();
            }
        }
    }

    /** One of two who take turns with all the memory of the cluster. */
    private record Taker(LeanScheduler scheduler, LinkedBlockingQueue<Offer> offers) {
        static Taker subscribe(BridgeProcess bridge, String name) throws Exception {
            LinkedBlockingQueue<Offer> offers = new LinkedBlockingQueue<>();
            LeanScheduler scheduler = new LeanScheduler(
                    bridge.address(), WireClient.info(name).build(), true, (self, event) -> note(offers, event));
            scheduler.request(4, 4_000);
            return new Taker(scheduler, offers);
        }

        private static void note(LinkedBlockingQueue<Offer> offers, Event event) {
            if (event.hasOffers()) {
                offers.addAll(event.getOffers().getOffersList());
            }
        }

        Offer await() throws InterruptedException {
            Offer offer = offers.poll(30, TimeUnit.SECONDS);
            assertThat(offer).as("an offer").isNotNull();
            return java.util.Objects.requireNonNull(offer);
        }

        void decline(Offer offer) throws Exception {
            scheduler.send(WireClient.declineCall(offer, 600));
        }
    }

    @Test
    void whatOneDeclinesIsSoonOfferedToTheOther(@TempDir Path directory) throws Exception {
        Random random = new Random(11);
        try (BridgeProcess bridge = new BridgeProcess(cluster, directory)) {
            Taker holder = Taker.subscribe(bridge, "one");
            Taker other = Taker.subscribe(bridge, "other");
            holder.scheduler().revive();
            Offer held = holder.await();
            double[] millis = new double[HANDOVERS];
            for (int i = 0; i < HANDOVERS; i++) {
                other.scheduler().revive();
                Pause.millis(1_500 + random.nextInt(NODE_HEARTBEAT));
                long begin = System.nanoTime();
                holder.decline(held);
                held = other.await();
                millis[i] = (System.nanoTime() - begin) / 1e6;
                Taker next = other;
                other = holder;
                holder = next;
            }
            double longest = Figures.quantile(millis, 1);
            Figures.report(
                    "declined-offer",
                    "from DECLINE to the same resources offered to another framework, %d times, node heartbeats every %d ms:"
                            + " p50 %.0f ms, longest %.0f ms",
                    HANDOVERS,
                    NODE_HEARTBEAT,
                    Figures.quantile(millis, 0.5),
                    longest);
            holder.scheduler().close();
            other.scheduler().close();
            assertThat(longest).isLessThanOrEqualTo(NODE_HEARTBEAT + 100);
        }
    }
}
