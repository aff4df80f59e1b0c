// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.InverseOffer;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.fixture.Pause;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.fixture.WireClient;
import org.heddle.offers.wire.Encoding;
import org.heddle.testkit.Await;
import org.heddle.testkit.ClusterBuilder;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two frameworks hold the cluster when a third one comes, under each scheduler with its own preemption: those who lose
 * are told in time, and lose by force what they do not give. One that declines everything costs nobody anything.
 */
@Tag("soak")
class PreemptionIT {
    private static final long GRACE = 5_000;
    private static final String FAIR = """
        <allocations>
          <defaultFairSharePreemptionTimeout>1</defaultFairSharePreemptionTimeout>
          <defaultFairSharePreemptionThreshold>0.9</defaultFairSharePreemptionThreshold>
          <queue name="a"/><queue name="b"/><queue name="c"/><queue name="d"/>
        </allocations>
        """;
    private static final String HEDDLE = """
        <heddle-scheduler version="1">
          <preemption><mode>on</mode><grace-period>5s</grace-period><max-per-second>100%</max-per-second></preemption>
          <queue name="root"><fair-share-preemption-timeout>1s</fair-share-preemption-timeout>
            <queue name="a"/><queue name="b"/><queue name="c"/><queue name="d"/>
          </queue>
        </heddle-scheduler>
        """;

    private static HeddleCluster start(String scheduler) throws Exception {
        String stock = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.";
        ClusterBuilder builder = HeddleCluster.builder().nodes(1, Map.of("memory-mb", 6144L, "vcores", 6L));
        switch (scheduler) {
            case "fair" ->
                builder.scheduler(stock + "fair.FairScheduler")
                        .queuesFile("yarn.scheduler.fair.allocation.file", FAIR)
                        .property("yarn.scheduler.fair.preemption", "true")
                        .property("yarn.scheduler.fair.preemption.cluster-utilization-threshold", "0")
                        .property("yarn.scheduler.fair.waitTimeBeforeKill", Long.toString(GRACE));
            case "capacity" -> {
                String preemption = "yarn.resourcemanager.monitor.capacity.preemption.";
                builder.scheduler(stock + "capacity.CapacityScheduler")
                        .property("yarn.scheduler.capacity.maximum-am-resource-percent", "1")
                        .property("yarn.scheduler.capacity.root.queues", "default,a,b,c,d")
                        .property("yarn.scheduler.capacity.root.default.capacity", "0")
                        .property("yarn.resourcemanager.scheduler.monitor.enable", "true")
                        .property(preemption + "monitoring_interval", "300")
                        .property(preemption + "max_wait_before_kill", Long.toString(GRACE))
                        .property(preemption + "total_preemption_per_round", "1.0")
                        .property(preemption + "natural_termination_factor", "1.0")
                        .property(preemption + "max_ignored_over_capacity", "0.01");
                Map.of("a", 30, "b", 35, "c", 30, "d", 5)
                        .forEach((queue, capacity) -> builder.property(
                                        "yarn.scheduler.capacity.root." + queue + ".capacity",
                                        Integer.toString(capacity))
                                .property("yarn.scheduler.capacity.root." + queue + ".maximum-capacity", "100")
                                .property("yarn.scheduler.capacity.root." + queue + ".user-limit-factor", "10"));
            }
            default ->
                builder.scheduler("org.heddle.drf.DrfScheduler")
                        .queuesFile("yarn.scheduler.heddle.configuration.file", HEDDLE);
        }
        HeddleCluster cluster = builder.build();
        cluster.start();
        return cluster;
    }

    private final Map<String, Long> told = new ConcurrentHashMap<>();
    private final Map<String, Long> lost = new ConcurrentHashMap<>();
    private final List<Long> left = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(strings = {"drf", "capacity", "fair"})
    void thoseWhoLoseAreToldInTime(String scheduler, @TempDir Path directory) throws Exception {
        try (HeddleCluster cluster = start(scheduler);
                Bridge bridge = Bridge.start(TestBridges.settings(directory, 0, 0, GRACE), cluster.configuration());
                WireClient picky = new WireClient(bridge.httpAddress(), Encoding.PROTOBUF).subscribe(info("d"))) {
            // 1. One declines all that there is, again and again, while two others fill the cluster
            picky.watching(event -> event.getOffers().getOffersList().forEach(offer -> picky.decline(offer, 1)));
            picky.decline(picky.awaitOffer(), 1);
            try (WireClient first = holder(bridge, "a");
                    WireClient second = holder(bridge, "c")) {
                fill(first, 3);
                fill(second, 3);
                Pause.millis(3_000);
                assertThat(told).as("told to give back for one who declines").isEmpty();

                // 2. A third one that wants its part, more than one of the two has to give
                try (WireClient newcomer = new WireClient(bridge.httpAddress(), Encoding.JSON).subscribe(info("b"))) {
                    // FairScheduler takes nothing for an ask beyond the share itself, so less is asked for there.
                    boolean little = scheduler.equals("fair");
                    newcomer.send(WireClient.requestCall(little ? 1 : 2, little ? 900 : 1900));
                    Offer offer = newcomer.await(event -> event.getType() == Event.Type.OFFERS, Duration.ofSeconds(40))
                            .getOffers()
                            .getOffers(0);
                    newcomer.launch(offer, 0, WireClient.task("new", offer, "sleep 300", 1, 64));
                    newcomer.awaitStatus("new", TaskState.TASK_RUNNING);
                }
            }
            System.out.println(scheduler + ": ms left when told " + left + ", told " + told + ", lost " + lost);
            assertThat(left).isNotEmpty().allMatch(one -> one >= GRACE * 9 / 10 && one <= GRACE);
            assertThat(lost).isNotEmpty();
            lost.forEach((framework, when) ->
                    assertThat(when - told.getOrDefault(framework, when)).isGreaterThanOrEqualTo(GRACE * 9 / 10));
        }
    }

    private WireClient holder(Bridge bridge, String role) throws Exception {
        return new WireClient(bridge.httpAddress(), Encoding.PROTOBUF)
                .watching(event -> note(role, event))
                .subscribe(info(role));
    }

    private void note(String role, Event event) {
        long now = System.currentTimeMillis();
        if (event.hasInverseOffers()) {
            for (InverseOffer wanted : event.getInverseOffers().getInverseOffersList()) {
                told.putIfAbsent(role, now);
                synchronized (left) {
                    left.add(wanted.getUnavailability().getStart().getNanoseconds() / 1_000_000 - now);
                }
            }
        } else if (event.hasUpdate()) {
            TaskStatus status = event.getUpdate().getStatus();
            if (status.getState() == TaskState.TASK_LOST
                    && status.getReason() == TaskStatus.Reason.REASON_CONTAINER_PREEMPTED) {
                lost.putIfAbsent(role, now);
            }
        }
    }

    /** Runs that many tasks, each of a sixth of the cluster. */
    private static void fill(WireClient client, int tasks) throws InterruptedException {
        client.send(WireClient.requestCall(1, 950));
        int launched = 0;
        while (launched < tasks) {
            Event event = client.await(one -> one.getType() == Event.Type.OFFERS, Duration.ofSeconds(40));
            for (Offer offer : event.getOffers().getOffersList()) {
                boolean asWished = WireClient.amount(offer, "cpus") == 1;
                if (launched < tasks && asWished) {
                    client.launch(offer, 0, WireClient.task("hold-" + launched, offer, "sleep 300", 1, 64));
                    launched++;
                } else {
                    client.decline(offer, launched < tasks ? 0 : 600);
                }
            }
        }
        // A framework that holds offers which it does not need is over its share for them.
        client.send(Call.newBuilder().setType(Call.Type.SUPPRESS));
        client.seen().stream()
                .flatMap(event -> event.getOffers().getOffersList().stream())
                .forEach(offer -> client.decline(offer, 600));
        Await.until(
                "all to run",
                Duration.ofSeconds(60),
                () -> client.seen().stream()
                                .filter(Event::hasUpdate)
                                .map(event -> event.getUpdate().getStatus().getTaskId())
                                .distinct()
                                .count()
                        == tasks);
    }

    @SuppressWarnings("deprecation") // the one role of a framework that is not MULTI_ROLE capable
    private static FrameworkInfo info(String role) {
        return WireClient.info("of " + role).setRole(role).build();
    }
}
