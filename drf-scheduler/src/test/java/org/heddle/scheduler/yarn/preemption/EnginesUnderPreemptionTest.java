// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.yarn.ClusterInvariants;
import org.heddle.scheduler.yarn.RmFixture;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Masters with up to twenty executors of one to four cores on several nodes, in queues that begin to ask one after
 * another: in a ResourceManager, which ends all that an attempt holds when its master has been killed.
 */
@Tag("newer-line")
class EnginesUnderPreemptionTest {
    private static final int NODES = 3;
    private static final int SECONDS = 90;
    private static final double ROUNDING = 1e-9;
    private static final Map<String, Integer> QUEUES = Map.of("a", 1, "b", 2, "c", 1);

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void nobodyLosesWhatItIsEntitledTo(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder queues = new StringBuilder();
        QUEUES.forEach((name, weight) ->
                queues.append("<queue name=\"%s\"><weight>%d</weight><max-am-share>100%%</max-am-share></queue>"
                        .formatted(name, weight)));
        try (RmFixture fixture = new RmFixture(
                directory,
                "<heddle-scheduler version=\"1\"><scheduling-delays><node-locality>0s</node-locality><rack-locality>0s"
                        + "</rack-locality></scheduling-delays><preemption><mode>on</mode><grace-period>3s</grace-period><max-per-second>100%"
                        + "</max-per-second></preemption><queue name=\"root\"><fair-share-preemption-timeout>2s</fair-share-preemption-timeout>"
                        + queues
                        + "</queue></heddle-scheduler>",
                "yarn.scheduler.heddle.update-interval-ms",
                "0")) {
            for (int i = 1; i <= NODES; i++) {
                fixture.node("127.1.0." + i, 100_000, random.nextInt(6, 13));
            }
            List<RmFixture.App> apps = new ArrayList<>();
            Map<RmFixture.App, Integer> startsAt = new HashMap<>();
            for (int i = 0; i < 6; i++) {
                String queue = List.of("a", "b", "c").get(i % 3);
                RmFixture.App app = fixture.managed(queue + "-user", queue, 1_000);
                apps.add(app);
                startsAt.put(app, random.nextInt(SECONDS / 2));
            }
            for (int second = 0; second < SECONDS; second++) {
                for (RmFixture.App app : apps) {
                    if (startsAt.getOrDefault(app, 0) == second) {
                        app.ask(random.nextInt(1, 21), 1_000, random.nextInt(1, 5));
                    }
                }
                preempt(fixture);
                apps.removeIf(app -> app.app.getAppAttempts().size() > 1); // its master waits to be launched again
                fixture.second(apps.toArray(new RmFixture.App[0]));
                fixture.finishKilled();
                ClusterInvariants.balance(fixture.shell());
            }
            assertThat(fixture.counter("preemption-containers-killed")).isPositive();
        }
    }

    /** What is due is killed, and what is lost with it is weighed. */
    private static void preempt(RmFixture fixture) {
        Map<String, Double> before = shares(fixture);
        Map<ContainerId, List<ContainerId>> masters = masters(fixture);
        List<SchedulerSnapshot.PreemptionReport> underWay = fixture.shell().takeSnapshot().preemptions().stream()
                .filter(preemption -> preemption.outcome().isEmpty())
                .toList();
        fixture.shell().update();
        fixture.rm.drainEvents();
        Map<String, Double> after = shares(fixture);
        double poorest = underWay.stream()
                .map(SchedulerSnapshot.PreemptionReport::queue)
                .mapToDouble(queue -> before.getOrDefault(queue, 0.0))
                .min()
                .orElse(1);
        after.forEach((queue, share) -> {
            if (share < before.getOrDefault(queue, 0.0) - ROUNDING) {
                assertThat(share)
                        .as("%s after preemptions for %s; before: %s", queue, underWay, before)
                        .isGreaterThanOrEqualTo(Math.min(1, poorest) - ROUNDING);
            }
        });
        List<ContainerId> alive = masters(fixture).keySet().stream().toList();
        masters.forEach((master, others) -> {
            if (!alive.contains(master)) {
                List<String> announced = underWay.stream()
                        .flatMap(preemption -> preemption.victims().stream())
                        .map(SchedulerSnapshot.Victim::container)
                        .toList();
                assertThat(announced)
                        .as("announced, when the last was the master %s", master)
                        .containsAll(others.stream().map(ContainerId::toString).toList());
            }
        });
    }

    /** Of each queue, the dominant part that it holds of what it is entitled to. */
    private static Map<String, Double> shares(RmFixture fixture) {
        Map<String, Double> shares = new HashMap<>();
        fixture.shell().underLock(() -> {
            fixture.shell().engine().renew();
            for (HeddleQueue queue : fixture.shell().queues()) {
                Schedulable schedulable = queue.schedulable();
                double most = 0;
                for (int j = 0; queue.isLeaf() && j < schedulable.usage().length; j++) {
                    double due = fixture.shell().engine().capacity(j) * schedulable.entitlement(j);
                    most = Math.max(most, due > 0 ? schedulable.usage(j) / due : 0);
                }
                shares.put(queue.getQueueName(), most);
            }
        });
        return shares;
    }

    /** What else the attempt of each master holds. */
    private static Map<ContainerId, List<ContainerId>> masters(RmFixture fixture) {
        Map<ContainerId, List<ContainerId>> masters = new HashMap<>();
        fixture.shell().getSchedulerApplications().values().forEach(application -> {
            List<RMContainer> live =
                    List.copyOf(application.getCurrentAppAttempt().getLiveContainers());
            live.stream()
                    .filter(RMContainer::isAMContainer)
                    .forEach(master -> masters.put(
                            master.getContainerId(),
                            live.stream()
                                    .map(RMContainer::getContainerId)
                                    .filter(id -> !id.equals(master.getContainerId()))
                                    .toList()));
        });
        return masters;
    }
}
