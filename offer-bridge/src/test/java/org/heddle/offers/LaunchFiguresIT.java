// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.fixture.BridgeProcess;
import org.heddle.offers.fixture.Figures;
import org.heddle.offers.fixture.LeanExecutor;
import org.heddle.offers.fixture.LeanScheduler;
import org.heddle.offers.fixture.WireClient;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long a launch takes where an agent runs, and how many launches a bridge, its agent and one executor carry: the
 * bridge, the agent and the executor are processes of their own, all on this machine together with the cluster and the
 * scheduler.
 */
@Tag("soak")
class LaunchFiguresIT {
    private static final int SECONDS = Integer.getInteger("heddle.offers.figures.seconds", 10);
    /** For Java's compilers, whose work would be measured otherwise. */
    private static final int WARM_UP = 12;

    private static final int PACE = 200;
    private static final int PACE_OF_EXECUTOR = 2_000;
    private static final int BATCH = 20;
    private static final double P50_MILLIS = 5;
    private static final double P99_MILLIS = 25;
    private static final double AGENT_MB = 48;

    @RegisterExtension
    final HeddleCluster cluster = HeddleCluster.builder()
            .addressesAsNames()
            .nodes(1, Map.of("memory-mb", 6144L, "vcores", 32L))
            .build();

    private final LinkedBlockingDeque<Offer> offers = new LinkedBlockingDeque<>();
    private final Map<String, Long> sent = new ConcurrentHashMap<>();
    private final LinkedBlockingQueue<Long> nanos = new LinkedBlockingQueue<>();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger finished = new AtomicInteger();
    private final Map<String, TaskStatus> others = new ConcurrentHashMap<>();

    private void watch(LeanScheduler scheduler, Event event) {
        long now = System.nanoTime();
        if (event.hasOffers()) {
            offers.addAll(event.getOffers().getOffersList());
        } else if (event.hasRescind()) {
            offers.removeIf(offer -> offer.getId().equals(event.getRescind().getOfferId()));
        } else if (event.hasUpdate()) {
            TaskStatus status = event.getUpdate().getStatus();
            Long begin = sent.remove(status.getTaskId().getValue());
            switch (status.getState()) {
                case TASK_RUNNING -> {
                    running.incrementAndGet();
                    if (begin != null) {
                        nanos.add(now - begin);
                    }
                }
                case TASK_FINISHED -> finished.incrementAndGet();
                default -> others.put(status.getState() + " " + status.getMessage(), status);
            }
        }
    }

    private Offer take() throws InterruptedException {
        Offer offer = offers.pollFirst(30, TimeUnit.SECONDS);
        assertThat(offer)
                .as("an offer, after %d that run and %d that ended, others %s", running.get(), finished.get(), others)
                .isNotNull();
        return java.util.Objects.requireNonNull(offer);
    }

    @Test
    void warmLaunchesTakeMilliseconds(@TempDir Path directory) throws Exception {
        try (BridgeProcess bridge = new BridgeProcess(cluster, directory);
                LeanScheduler scheduler = subscribe(bridge)) {
            launch(scheduler, take(), "first", "true");
            awaitEnds(1);
            int tasks = PACE * (SECONDS + WARM_UP);
            long begin = System.nanoTime();
            double cpu = 0;
            for (int i = 0; i < tasks; i++) {
                LockSupport.parkNanos(begin + i * 1_000_000_000L / PACE - System.nanoTime());
                if (i == PACE * WARM_UP) {
                    nanos.clear();
                    cpu = Figures.cpuSeconds(bridge.pid());
                }
                launch(scheduler, take(), "warm-" + i, "true");
            }
            double took = (System.nanoTime() - begin) / 1e9 - WARM_UP;
            double used = (Figures.cpuSeconds(bridge.pid()) - cpu) / took;
            awaitEnds(tasks + 1);
            ProcessHandle agent = ProcessHandle.current()
                    .descendants()
                    .filter(one -> one.info().commandLine().orElse("").contains("java -X")
                            && one.info().commandLine().orElse("").contains("offers.agent.Agent"))
                    .findFirst()
                    .orElseThrow();
            double agentMb = Figures.memoryMb(agent.pid(), "Rss");
            Figures.report(
                    "agent-memory",
                    "an agent that has run %d tasks: %.1f MiB resident, of which %.1f MiB are its own (the rest are files that"
                            + " agents share)",
                    tasks,
                    agentMb,
                    Figures.memoryMb(agent.pid(), "Pss_Anon"));
            double[] millis = nanos.stream().mapToDouble(one -> one / 1e6).toArray();
            double p50 = Figures.quantile(millis, 0.5);
            double p99 = Figures.quantile(millis, 0.99);
            Figures.report(
                    "warm-launch",
                    "warm ACCEPT to TASK_RUNNING at the client, commands, %.0f launches/s for %.1f s: p50 %.2f ms, p90 %.2f"
                            + " ms, p99 %.2f ms, longest %.1f ms; bridge %.2f cores",
                    (double) PACE * SECONDS / took,
                    took,
                    p50,
                    Figures.quantile(millis, 0.9),
                    p99,
                    Figures.quantile(millis, 1),
                    used);
            assertThat(others).isEmpty();
            assertThat(scheduler.refused()).isZero();
            assertThat(p50).isLessThanOrEqualTo(P50_MILLIS);
            assertThat(p99).isLessThanOrEqualTo(P99_MILLIS);
            assertThat(agentMb).isLessThanOrEqualTo(AGENT_MB);
        }
    }

    @Test
    void anExecutorIsGivenThousandsOfTasksPerSecond(@TempDir Path directory) throws Exception {
        try (BridgeProcess bridge = new BridgeProcess(cluster, directory);
                LeanScheduler scheduler = subscribe(bridge)) {
            Path script = LeanExecutor.script(directory);
            Offer first = take();
            scheduler.send(WireClient.launchCall(first, 0, LeanExecutor.task("first", first, script)));
            awaitEnds(1);
            launchBatches(scheduler, "warm", PACE_OF_EXECUTOR / 2, WARM_UP, script);
            awaitEnds(1 + PACE_OF_EXECUTOR / 2 * WARM_UP);
            nanos.clear();
            long answered = scheduler.accepted();
            double cpu = Figures.cpuSeconds(bridge.pid());
            long begin = System.nanoTime();
            int batches = launchBatches(scheduler, "task", PACE_OF_EXECUTOR, SECONDS, script);
            int all = batches * BATCH;
            awaitEnds(1 + PACE_OF_EXECUTOR / 2 * WARM_UP + all);
            long expected = answered + 2L * all + batches;
            Await.until("all acknowledgements", Duration.ofSeconds(30), () -> scheduler.accepted() >= expected);
            double took = (System.nanoTime() - begin) / 1e9;
            double used = (Figures.cpuSeconds(bridge.pid()) - cpu) / took;
            double rate = all / took;
            double[] millis = nanos.stream().mapToDouble(one -> one / 1e6).toArray();
            Figures.report(
                    "executor-launch",
                    "tasks of one executor launched, run, ended and acknowledged: %.0f/s over %.1f s (from the first ACCEPT to"
                            + " the last acknowledgement answered); ACCEPT to TASK_RUNNING p50 %.1f ms, p99 %.1f ms; bridge"
                            + " %.2f cores",
                    rate,
                    took,
                    Figures.quantile(millis, 0.5),
                    Figures.quantile(millis, 0.99),
                    used);
            assertThat(others).isEmpty();
            assertThat(scheduler.refused()).isZero();
            assertThat(rate).isGreaterThan(PACE_OF_EXECUTOR * 0.95);
        }
    }

    /** Launches tasks in batches at that pace for so many seconds; returns how many batches. */
    private int launchBatches(LeanScheduler scheduler, String name, int pace, int seconds, Path script)
            throws Exception {
        int batches = pace / BATCH * seconds;
        long begin = System.nanoTime();
        for (int i = 0; i < batches; i++) {
            LockSupport.parkNanos(begin + i * 1_000_000_000L * BATCH / pace - System.nanoTime());
            Offer offer = take();
            List<TaskInfo> tasks = new ArrayList<>();
            for (int k = 0; k < BATCH; k++) {
                tasks.add(LeanExecutor.task(name + "-" + i + "-" + k, offer, script));
            }
            long now = System.nanoTime();
            tasks.forEach(task -> sent.put(task.getTaskId().getValue(), now));
            scheduler.send(WireClient.launchCall(offer, 0, tasks.toArray(TaskInfo[]::new)));
        }
        return batches;
    }

    private LeanScheduler subscribe(BridgeProcess bridge) throws IOException, InterruptedException {
        LeanScheduler scheduler =
                new LeanScheduler(bridge.address(), WireClient.info("figures").build(), true, this::watch);
        scheduler.request(30, 5_000);
        scheduler.revive();
        return scheduler;
    }

    private void awaitEnds(int wanted) {
        Await.until(
                wanted + " tasks to end",
                Duration.ofSeconds(60),
                () -> finished.get() >= wanted,
                () -> finished.get() + " of " + wanted + ", others " + others.keySet());
    }

    private void launch(LeanScheduler scheduler, Offer offer, String id, String command) throws IOException {
        TaskInfo task = WireClient.task(id, offer, command, 0.2, 32);
        sent.put(id, System.nanoTime());
        scheduler.send(WireClient.launchCall(offer, 0, task));
    }
}
