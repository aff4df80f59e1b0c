// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.heddle.benchmarks.offers.ProcessBridge;
import org.heddle.benchmarks.offers.WebFarmProcess;
import org.heddle.testkit.ProcessCluster;
import org.heddle.testkit.ProcessDaemon;
import org.heddle.testkit.jobs.WebClients;
import org.jspecify.annotations.Nullable;

/**
 * A web farm under a load that comes and goes. A dropped connection is a loss, unless the daemon of a node was down, or
 * came back just then.
 */
final class WebFarmWorkload implements Workload {
    private static final int LOAD_SECONDS = 15;
    private static final int FEW = 2;
    private static final int MANY = 12;
    /** A page takes about a second. */
    private static final int PAGE_BYTES = 20_000;

    private static final Duration PAUSE = Duration.ofMillis(50);
    /** After a daemon's start its node's containers may still end. */
    private static final Duration RECENT = Duration.ofSeconds(45);

    private @Nullable WebFarmProcess farm;
    private final AtomicInteger pages = new AtomicInteger();
    private final AtomicInteger dropped = new AtomicInteger();
    private final AtomicInteger excused = new AtomicInteger();

    @Override
    public String name() {
        return "web-farm";
    }

    @Override
    public void begin(ProcessCluster cluster) throws Exception {
        Path site = Files.createDirectories(cluster.home().resolve("site"));
        Files.writeString(site.resolve("page"), "x".repeat(PAGE_BYTES));
        farm = new WebFarmProcess(
                cluster.home(),
                ProcessBridge.uri(cluster),
                "--most=3",
                "--sessions=4",
                "--calm=5",
                "--location=limit_rate " + PAGE_BYTES + "; root " + site + ";");
    }

    @Override
    public void once(ProcessCluster cluster, int number) throws Exception {
        WebFarmProcess running = Objects.requireNonNull(farm, "it has not begun");
        List<WebClients.Request> lost;
        try (WebClients clients = running.clients("/page", number % 2 == 0 ? MANY : FEW, PAUSE)) {
            TimeUnit.SECONDS.sleep(LOAD_SECONDS); // the load, not a condition
            lost = clients.dropped();
            pages.addAndGet(clients.requests().size() - lost.size());
        }
        running.isAlive();
        if (lost.isEmpty()) {
            return;
        }
        if (cluster.nodes().stream().anyMatch(node -> wasDown(cluster.daemon(node)))) {
            excused.addAndGet(lost.size());
            return;
        }
        dropped.addAndGet(lost.size());
        throw new IOException("the web farm dropped " + lost.size() + " connections while all nodes ran; the first: "
                + lost.get(0).problem());
    }

    private static boolean wasDown(ProcessDaemon daemon) {
        Instant recent = Instant.now().minus(RECENT);
        return !daemon.isAlive()
                || ProcessHandle.of(daemon.pid())
                        .flatMap(process -> process.info().startInstant())
                        .map(start -> start.isAfter(recent))
                        .orElse(true);
    }

    @Override
    public String note() {
        return pages + " pages, " + dropped + " connections dropped, " + excused
                + " more while a node's daemon was down";
    }

    @Override
    public void end() {
        if (farm != null) {
            farm.close();
        }
    }
}
