// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.heddle.drf.DrfScheduler;
import org.heddle.scheduler.yarn.accounting.UsageAccounting;
import org.heddle.settings.Clocks;
import org.heddle.whatif.driven.DrivenNode;
import org.heddle.whatif.driven.SchedulerDriver;

/**
 * The accounting alone, on applications and containers of a real ResourceManager: what it adds for a container that
 * ends, what its round over all running containers takes, and what an application costs in memory and in the file of an
 * hour.
 */
public final class AccountingCost {
    static final int APPLICATIONS = 10_000;
    static final int CONTAINERS = 30_000;
    private static final int NODES = 1_000;
    private static final int ROUNDS = 40;
    private static final int WARM_UP = 10;
    private static final long MINUTE = 60_000;
    private static final ContainerStatus ENDED = ContainerStatus.newInstance(null, ContainerState.COMPLETE, "", 0);

    private final ResourceManager rm = new ResourceManager();
    private final SchedulerDriver driver = new SchedulerDriver(rm);
    private final List<SchedulerApplicationAttempt> attempts = new ArrayList<>();
    private final Map<SchedulerApplicationAttempt, List<RMContainer>> containers = new HashMap<>();
    private final AtomicLong clock = new AtomicLong();

    private AccountingCost() {}

    public static void main(String[] arguments) throws IOException {
        AccountingCost cost = new AccountingCost();
        cost.fill();
        cost.measure();
        System.exit(0); // threads of the ResourceManager may live on
    }

    private void fill() throws IOException {
        DefaultMetricsSystem.setMiniClusterMode(true);
        YarnConfiguration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, DrfScheduler.class.getName());
        conf.set("yarn.scheduler.heddle.usage.directory", "none"); // the one that is measured is made below
        conf.setInt(YarnConfiguration.RM_CONTAINER_ALLOC_EXPIRY_INTERVAL_MS, Integer.MAX_VALUE);
        conf.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, 0);
        conf.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                Files.createTempDirectory("heddle-accounting").toUri().toString());
        SchedulerDriver.takeFreePorts(conf);
        rm.init(conf);
        rm.start();
        Resource task = Resource.newInstance(1_024, 1);
        int each = CONTAINERS / APPLICATIONS;
        for (int i = 1; i <= APPLICATIONS; i++) {
            ApplicationAttemptId attempt = ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, i), 1);
            driver.start(attempt, "user" + i % 50, "root.default");
            driver.allocate(
                    attempt,
                    List.of(ResourceRequest.newInstance(Priority.newInstance(1), ResourceRequest.ANY, task, each)));
        }
        int slots = CONTAINERS / NODES;
        for (int i = 0; i < NODES; i++) {
            DrivenNode node =
                    new DrivenNode(rm.getRMContext(), i, Resource.newInstance(slots * task.getMemorySize(), slots));
            driver.add(node);
            driver.scheduler().handle(new NodeUpdateSchedulerEvent(node));
        }
        int running = 0;
        for (SchedulerApplication<?> application :
                driver.scheduler().getSchedulerApplications().values()) {
            SchedulerApplicationAttempt attempt = Objects.requireNonNull(application.getCurrentAppAttempt());
            attempts.add(attempt);
            containers.put(attempt, List.copyOf(attempt.getLiveContainers()));
            running += attempt.getLiveContainers().size();
        }
        if (running < CONTAINERS) {
            throw new IllegalStateException(running + " containers run, not " + CONTAINERS);
        }
    }

    private void measure() throws IOException {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Path directory = Files.createTempDirectory("heddle-usage");
        clock.set(System.currentTimeMillis());
        UsageAccounting accounting = UsageAccounting.in(
                directory.toString(),
                new Configuration(),
                rm.getRMContext(),
                () -> attempts,
                new Clocks(clock::get, clock::get));
        long before = heap();
        double[] ends = new double[ROUNDS];
        double[] rounds = new double[ROUNDS];
        for (int i = -WARM_UP; i < ROUNDS; i++) {
            clock.addAndGet(MINUTE);
            long began = threads.getCurrentThreadCpuTime();
            containers.forEach(
                    (attempt, running) -> running.forEach(container -> accounting.ended(attempt, container, ENDED)));
            long ended = threads.getCurrentThreadCpuTime();
            accounting.tick();
            if (i >= 0) {
                ends[i] = (double) (ended - began) / CONTAINERS;
                rounds[i] = (threads.getCurrentThreadCpuTime() - ended) / 1e6;
            }
        }
        accounting.stop();
        long bytes = (heap() - before) / APPLICATIONS;
        Arrays.sort(ends);
        Arrays.sort(rounds);
        System.out.printf(
                Locale.ROOT,
                "accounting %.0f ns, round %.2f ms, longest %.2f ms, %d bytes of heap, %d bytes of disk%n",
                ends[ROUNDS / 2],
                rounds[ROUNDS / 2],
                rounds[ROUNDS - 1],
                bytes,
                disk(directory) / APPLICATIONS);
    }

    private static long heap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** The largest of the hours' files. */
    private static long disk(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            long most = 0;
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                most = Math.max(most, Files.size(file));
            }
            return most;
        }
    }
}
