// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.heddle.scheduler.snapshot.Waiting;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hadoop's RMAppAttempt calls the scheduler while it holds its own lock. So nothing may wait for the lock of an attempt
 * while it holds the scheduler's: both would wait for ever, and with them the ResourceManager.
 */
class LockOrderTest {
    private static final String A = "127.1.0.1";
    private static final Duration SOON = Duration.ofSeconds(10);

    @TempDir
    Path directory;

    /** Stops in the first call that asks for something, as if another thread had the scheduler's lock. */
    public static final class StopsInAllocate extends HeddleScheduler {
        final CountDownLatch stopped = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);

        public StopsInAllocate() {
            super(StopsInAllocate.class.getName());
        }

        @Override
        public Allocation allocate(
                ApplicationAttemptId id,
                List<ResourceRequest> asks,
                List<SchedulingRequest> schedulingRequests,
                List<ContainerId> releases,
                List<String> blacklistAdditions,
                List<String> blacklistRemovals,
                ContainerUpdates updates) {
            if (!asks.isEmpty()) {
                stopped.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return super.allocate(
                    id, asks, schedulingRequests, releases, blacklistAdditions, blacklistRemovals, updates);
        }
    }

    @Test
    void whileAnAttemptHoldsItsLockNothingWaitsForItWithTheSchedulersLock() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (RmFixture fixture = new RmFixture(
                directory, RmFixture.ONE_LEAF, YarnConfiguration.RM_SCHEDULER, StopsInAllocate.class.getName())) {
            StopsInAllocate scheduler = (StopsInAllocate) fixture.shell();
            try {
                fixture.node(A, 8_000, 8);
                ApplicationId id = fixture.submit("alice", "default", 1_000).getApplicationId();
                Await.until("the attempt to ask for its master", SOON, () -> scheduler.stopped.getCount() == 0);

                FutureTask<Waiting> why = new FutureTask<>(() -> scheduler.why(id.toString()));
                Thread asker = new Thread(why, "asks why");
                asker.start();
                Await.until(
                        "the question to be answered or to wait",
                        SOON,
                        () -> why.isDone() || asker.getState() == Thread.State.WAITING);

                for (Map.Entry<String, Callable<?>> call : calls(scheduler).entrySet()) {
                    Await.result(call.getKey(), SOON, threads.submit(call.getValue()));
                }
                scheduler.goOn.countDown();
                assertThat(Await.result("the reason for which it waits", SOON, why)
                                .summary())
                        .isNotEmpty();
                fixture.heartbeat();
                fixture.rm.waitForState(ApplicationAttemptId.newInstance(id, 1), RMAppAttemptState.ALLOCATED);
            } finally {
                scheduler.goOn.countDown();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static Map<String, Callable<?>> calls(HeddleScheduler scheduler) {
        Map<String, Callable<?>> calls = new LinkedHashMap<>();
        calls.put("the periodic update", Executors.callable(scheduler::update));
        calls.put(
                "a node's heartbeat",
                Executors.callable(() -> scheduler
                        .getNodes(node -> true)
                        .forEach(node -> scheduler.handle(new NodeUpdateSchedulerEvent(node.getRMNode())))));
        calls.put("a snapshot", scheduler::takeSnapshot);
        calls.put("queues' details", scheduler::queueDetails);
        calls.put("queue information", () -> scheduler.getQueueInfo("root", true, true));
        calls.put("the applications of a queue", () -> scheduler.getAppsInQueue("root.default"));
        return calls;
    }
}
