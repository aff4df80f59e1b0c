// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskState;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Figures of offers on a real cluster: what a new container costs a task, and how many offers many frameworks get. */
@Tag("soak")
class OfferFiguresIT {
    private static final int COLD = Integer.getInteger("heddle.offers.figures.cold", 40);
    private static final int SECONDS = Integer.getInteger("heddle.offers.figures.seconds", 10);
    private static final int WARM_UP_SECONDS = 10;

    @RegisterExtension
    final HeddleCluster cluster = HeddleCluster.builder()
            .addressesAsNames()
            .nodes(1, Map.of("memory-mb", 16_384L, "vcores", 2_000L))
            .property("yarn.scheduler.capacity.maximum-am-resource-percent", "1")
            .build();

    /** Each task is that of a new framework, so no agent runs yet. The first ones warm Java up and are not counted. */
    @Test
    void aTaskInANewContainer(@TempDir Path directory) throws Exception {
        double[] millis = new double[COLD];
        try (BridgeProcess bridge = new BridgeProcess(cluster, directory)) {
            for (int i = -COLD / 4; i < COLD; i++) {
                CompletableFuture<Long> accepted = new CompletableFuture<>();
                CompletableFuture<Long> running = new CompletableFuture<>();
                try (LeanScheduler scheduler = new LeanScheduler(
                        bridge.address(), WireClient.info("cold-" + i).build(), true, (self, event) -> {
                            if (event.hasOffers() && !accepted.isDone()) {
                                accepted.complete(System.nanoTime());
                                launch(self, event.getOffers().getOffers(0), "task");
                            } else if (event.getUpdate().getStatus().getState() == TaskState.TASK_RUNNING) {
                                running.complete(System.nanoTime());
                            }
                        })) {
                    scheduler.request(0.1, 32);
                    scheduler.revive();
                    long begin = accepted.get(2, TimeUnit.MINUTES);
                    double took = (running.get(2, TimeUnit.MINUTES) - begin) / 1e6;
                    millis[Math.max(0, i)] = took;
                }
            }
        }
        Figures.report(
                "cold-launch",
                "ACCEPT to TASK_RUNNING at the client, the first task of a new container, one after the other, %d"
                        + " times: p50 %.0f ms, p90 %.0f ms, longest %.0f ms",
                COLD,
                Figures.quantile(millis, 0.5),
                Figures.quantile(millis, 0.9),
                Figures.quantile(millis, 1));
    }

    /** Each framework accepts each offer with one task that ends at once. */
    @ParameterizedTest
    @ValueSource(ints = {10, 100})
    void offersASecond(int frameworks, @TempDir Path directory) throws Exception {
        AtomicInteger offers = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
        List<LeanScheduler> schedulers = new ArrayList<>();
        List<AtomicInteger> each = new ArrayList<>();
        try (BridgeProcess bridge = new BridgeProcess(cluster, directory)) {
            for (int i = 0; i < frameworks; i++) {
                AtomicInteger own = new AtomicInteger();
                each.add(own);
                LeanScheduler scheduler = new LeanScheduler(
                        bridge.address(), WireClient.info("many-" + i).build(), true, (self, event) -> {
                            for (Offer offer : event.getOffers().getOffersList()) {
                                if (!over.get()) {
                                    offers.incrementAndGet();
                                    launch(
                                            self,
                                            offer,
                                            "task-" + own.get() + "-"
                                                    + offer.getId().getValue());
                                }
                            }
                            if (isEnd(event)) {
                                own.incrementAndGet();
                                ended.incrementAndGet();
                            }
                        });
                schedulers.add(scheduler);
                scheduler.request(0.1, 32);
                scheduler.revive();
            }
            Await.until(
                    "each framework to have run a task",
                    Duration.ofMinutes(5),
                    () -> each.stream().allMatch(own -> own.get() > 0));
            Pause.millis(WARM_UP_SECONDS * 1_000L);
            int before = offers.get();
            int endedBefore = ended.get();
            double cpu = Figures.cpuSeconds(bridge.pid());
            long begin = System.nanoTime();
            Pause.millis(SECONDS * 1_000L);
            double took = (System.nanoTime() - begin) / 1e9;
            double cores = (Figures.cpuSeconds(bridge.pid()) - cpu) / took;
            Figures.report(
                    "offers-a-second-" + frameworks,
                    "%d frameworks that accept each offer with a task of no length, over %.0f s: %.0f offers/s, %.0f"
                            + " tasks/s ended; bridge %.2f cores",
                    frameworks,
                    took,
                    (offers.get() - before) / took,
                    (ended.get() - endedBefore) / took,
                    cores);
            assertThat(ended.get()).isGreaterThan(endedBefore);
            over.set(true);
            for (LeanScheduler scheduler : schedulers) {
                scheduler.close();
            }
        }
    }

    private static boolean isEnd(Event event) {
        return event.getUpdate().getStatus().getState() == TaskState.TASK_FINISHED;
    }

    private static void launch(LeanScheduler scheduler, Offer offer, String id) {
        try {
            scheduler.send(WireClient.launchCall(offer, 0, WireClient.task(id, offer, "true", 0.1, 32)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
