// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.Fate;
import org.heddle.scheduler.yarn.ClusterInvariants;
import org.heddle.scheduler.yarn.RmFixture;
import org.heddle.testkit.logs.LogCapture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Preemptions that are announced and not yet done: what they keep from each other, what becomes of them, what is said.
 */
@Tag("newer-line")
class PendingPreemptionsTest {
    private static final String NODE = "127.1.0.1";
    private static final String OTHER = "127.1.0.2";

    @TempDir
    Path directory;

    private final Logger logger = Logger.getLogger(PreemptionLog.class);

    @BeforeEach
    void say() {
        logger.setLevel(Level.INFO);
    }

    @AfterEach
    void sayNoMore() {
        logger.setLevel(null);
    }

    private RmFixture fixture(String queues) throws Exception {
        return new RmFixture(
                directory,
                "<heddle-scheduler version=\"1\"><scheduling-delays><node-locality>0s</node-locality><rack-locality>0s"
                        + "</rack-locality></scheduling-delays><preemption><mode>on</mode><grace-period>3s</grace-period><max-per-second>100%"
                        + "</max-per-second></preemption><queue name=\"root\"><fair-share-preemption-timeout>2s</fair-share-preemption-timeout>"
                        + queues
                        + "</queue></heddle-scheduler>",
                "yarn.scheduler.heddle.update-interval-ms",
                "0");
    }

    /**
     * Four cores, all a's, one of whose containers needs 6 s to die. b asks for two cores, and 3 s later c for one.
     * Room comes core by core: the first is not c's, though it would fit at once, before what was to go for c has gone.
     */
    @Test
    void roomMadeForOneIsNotTakenByALaterOne() throws Exception {
        try (RmFixture fixture =
                fixture("<queue name=\"a\"/><queue name=\"b\"><weight>2</weight></queue><queue name=\"c\"/>")) {
            fixture.node(NODE, 4_000, 4);
            RmFixture.App a = fixture.unmanaged("ann", "a").ask(4, 1_000, 1);
            fixture.second(a);
            assertThat(a.containers).hasSize(4);
            ContainerId slow = a.containers.get(3).getId(); // the youngest goes first
            Map<Container, Integer> dying = new LinkedHashMap<>();
            RmFixture.App b = fixture.unmanaged("ben", "b").ask(1, 2_000, 2);
            RmFixture.App c = fixture.unmanaged("cleo", "c");
            int bServed = 0;
            int cServed = 0;
            for (int second = 1; second <= 30; second++) {
                if (second == 4) {
                    c.ask(1, 1_000, 1);
                }
                fixture.shell().update();
                fixture.rm.drainEvents();
                for (Container ended : ended(a)) {
                    dying.put(ended, second + (ended.getId().equals(slow) ? 6 : 2));
                }
                for (Container container : List.copyOf(dying.keySet())) {
                    if (dying.getOrDefault(container, 0) <= second) {
                        dying.remove(container);
                        fixture.finish(List.of(container));
                    }
                }
                fixture.heartbeat();
                b.collect();
                c.collect();
                bServed = bServed == 0 && !b.containers.isEmpty() ? second : bServed;
                cServed = cServed == 0 && !c.containers.isEmpty() ? second : cServed;
            }
            assertThat(bServed).as("second in which b is served").isBetween(1, 13);
            assertThat(cServed).as("second in which c is served").isBetween(bServed, 14);
            assertThat(a.containers).hasSize(1);
            assertThat(fixture.counter("preemption-containers-killed")).isEqualTo(3);
            assertThat(fixture.counter("preemption-containers-announced")).isEqualTo(3);
            ClusterInvariants.balance(fixture.shell());
        }
    }

    /** Takes what has ended off an application's list. */
    private static List<Container> ended(RmFixture.App app) throws Exception {
        AllocateResponse response = app.heartbeat(List.of(), List.of());
        List<ContainerId> ids = response.getCompletedContainersStatuses().stream()
                .map(ContainerStatus::getContainerId)
                .toList();
        List<Container> ended = new ArrayList<>(app.containers);
        ended.removeIf(container -> !ids.contains(container.getId()));
        app.containers.removeAll(ended);
        return ended;
    }

    /** While the grace period runs the loser loses containers elsewhere: what was above its share is not any more. */
    @Test
    void whatHasBecomeUnfairIsCalledOff() throws Exception {
        try (RmFixture fixture = fixture("<queue name=\"a\"/><queue name=\"b\"/>");
                LogCapture log = LogCapture.of(PreemptionLog.class)) {
            fixture.node(NODE, 4_000, 4);
            fixture.node(OTHER, 4_000, 4);
            RmFixture.App a = fixture.unmanaged("ann", "a").ask(8, 1_000, 1);
            fixture.second(a);
            assertThat(a.containers).hasSize(8);
            RmFixture.App b = fixture.unmanaged("ben", "b");
            // only on the one node
            b.heartbeat(
                    List.of(request(NODE, true), request("/default-rack", false), request(ResourceRequest.ANY, false)),
                    List.of());
            for (int i = 0; i < 4; i++) {
                fixture.second(a, b);
            }
            assertThat(fixture.counter("preemption-containers-announced")).isEqualTo(4);
            List<Container> elsewhere = a.containers.stream()
                    .filter(container -> container.getNodeId().getHost().equals(OTHER))
                    .toList();
            a.release(elsewhere.stream().map(Container::getId).toArray(ContainerId[]::new));
            fixture.finish(elsewhere);
            a.containers.removeAll(elsewhere);
            for (int i = 0; i < 20; i++) {
                fixture.second(a, b);
            }
            assertThat(a.containers).as("neither has more than the other").hasSize(2);
            assertThat(b.containers).hasSize(2);
            assertThat(log.lines())
                    .extracting(LogCapture.Line::level, LogCapture.Line::message)
                    .anySatisfy(line -> assertThat(line.toString())
                            .contains("INFO", "Called off: room for 1 x", "by now this would be unfair: container_")
                            .contains("not preempted after all: container_"));
        }
    }

    private static ResourceRequest request(String place, boolean relax) {
        return ResourceRequest.newBuilder()
                .priority(Priority.newInstance(10))
                .resourceName(place)
                .capability(Resource.newInstance(1_000, 1))
                .numContainers(8)
                .relaxLocality(relax)
                .build();
    }

    @Test
    void whoseItIsAndWhatBecameOfItIsSaid() throws Exception {
        try (RmFixture fixture =
                        fixture("<queue name=\"a\"><max-am-share>100%</max-am-share></queue><queue name=\"b\"/>");
                LogCapture log = LogCapture.of(PreemptionLog.class)) {
            fixture.node(NODE, 4_000, 4);
            fixture.managed("ann", "a", 1_000);
            fixture.managed("ann", "a", 1_000);
            fixture.managed("ann", "a", 1_000);
            RmFixture.App last = fixture.managed("ann", "a", 1_000);
            RmFixture.App b = fixture.unmanaged("ben", "b").ask(1, 1_000, 1);
            for (int i = 0; i < 4; i++) {
                fixture.second(b);
            }
            String master = ContainerId.newContainerId(last.attempt(), 1).toString();
            assertThat(fixture.shell().takeSnapshot().preemptions())
                    .singleElement()
                    .satisfies(shown -> {
                        assertThat(shown.queue()).isEqualTo("root.b");
                        assertThat(shown.user()).isEqualTo("ben");
                        assertThat(shown.victims())
                                .containsExactly(new SchedulerSnapshot.Victim(
                                        master, last.id().toString(), "root.a", "ann", true, Fate.TO_GO));
                    });
            String victim = master + ", the ApplicationMaster of " + last.id() + " (queue root.a, user ann)";
            assertThat(messages(log))
                    .singleElement()
                    .asString()
                    .contains("room for 1 x <memory:1000, vCores:1> of " + b.id() + " (queue root.b, user ben) on "
                            + NODE)
                    .contains(victim);
            for (int i = 0; i < 4; i++) {
                fixture.second(b);
            }
            assertThat(messages(log)).anyMatch(message -> message.startsWith("Killing " + victim));
            fixture.finishKilled();
            fixture.second(b);
            assertThat(messages(log)).last().asString().startsWith("Served: room for 1 x");
            assertThat(fixture.shell().takeSnapshot().preemptions())
                    .singleElement()
                    .satisfies(shown -> {
                        assertThat(shown.outcome()).isEqualTo("served");
                        assertThat(shown.stillToGo()).isEmpty();
                        assertThat(shown.victims())
                                .extracting(SchedulerSnapshot.Victim::fate)
                                .containsExactly(Fate.KILLED);
                    });
        }
    }

    @Test
    void aCalledOffOneIsSaid() throws Exception {
        try (RmFixture fixture = fixture("<queue name=\"a\"/><queue name=\"b\"/>");
                LogCapture log = LogCapture.of(PreemptionLog.class)) {
            fixture.node(NODE, 4_000, 4);
            RmFixture.App a = fixture.unmanaged("ann", "a").ask(4, 1_000, 1);
            fixture.second(a);
            RmFixture.App b = fixture.unmanaged("ben", "b").ask(1, 1_000, 1);
            for (int i = 0; i < 4; i++) {
                fixture.second(a, b);
            }
            b.ask(0, 1_000, 1);
            fixture.second(a, b);
            fixture.second(a, b);
            assertThat(messages(log))
                    .last()
                    .asString()
                    .startsWith("Called off: room for 1 x <memory:1000, vCores:1> of " + b.id())
                    .contains("because the ask is gone; not preempted after all: container_")
                    .contains(a.id() + " (queue root.a, user ann)");
            assertThat(fixture.shell().takeSnapshot().preemptions())
                    .singleElement()
                    .satisfies(shown -> {
                        assertThat(shown.outcome()).isEqualTo("called off, because the ask is gone");
                        assertThat(shown.victims())
                                .extracting(SchedulerSnapshot.Victim::fate)
                                .containsExactly(Fate.STAYS);
                    });
            assertThat(a.containers).hasSize(4);
        }
    }

    private static List<String> messages(LogCapture log) {
        return log.lines().stream()
                .filter(line -> line.level().equals("INFO"))
                .map(LogCapture.Line::message)
                .toList();
    }
}
