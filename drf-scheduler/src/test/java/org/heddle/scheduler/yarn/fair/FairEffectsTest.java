// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.fair;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The effect of FairScheduler's elements and keys: the same file and the same events under FairScheduler and under
 * ours, and then the same containers for the same applications.
 */
@Tag("newer-line")
class FairEffectsTest {
    private static final String[] MANY = {
        "yarn.scheduler.fair.assignmultiple", "true", "yarn.scheduler.fair.dynamic.max.assign", "false"
    };
    private static final String OPEN = "<queueMaxAMShareDefault>-1.0</queueMaxAMShareDefault>";

    @TempDir
    Path directory;

    /** Applications, each of user NAME in the queue of that name, ask for 100 containers of a size; then heartbeats. */
    private static Map<String, Integer> race(FairSchedulerFixture fixture, int heartbeats, String... queuesAndSizes)
            throws Exception {
        fixture.node("127.2.0.1", 20_480, 40);
        fixture.node("127.2.0.2", 20_480, 40);
        Map<String, FairSchedulerFixture.App> apps = new LinkedHashMap<>();
        for (String one : queuesAndSizes) {
            String[] parts = one.split(":", -1);
            apps.put(
                    parts[0] + "#" + apps.size(),
                    fixture.app("alice", parts[0]).ask(100, Integer.parseInt(parts[1]), Integer.parseInt(parts[2])));
        }
        fixture.heartbeats(heartbeats);
        return FairSchedulerFixture.counts(apps);
    }

    private void assertSame(Map<Class<?>, ?> results) {
        assertThat(Objects.requireNonNull(results.get(FairSchedulerFixture.OURS)))
                .isEqualTo(results.get(FairSchedulerFixture.FAIR));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "weight | <queue name='a'><weight>3</weight></queue><queue name='b'/> | a:1024:1 b:1024:1",
                "weight 0 | <queue name='a'><weight>0</weight></queue><queue name='b'/> | a:1024:1 b:1024:1",
                "maxResources | <queue name='a'><maxResources>5120 mb, 9 vcores</maxResources></queue><queue name='b'/> | a:1024:1 b:1024:1",
                "maxResources in cores | <queue name='a'><maxResources>vcores=3</maxResources></queue><queue name='b'/> | a:1024:1 b:1024:1",
                "maxResources in percent | <queue name='a'><maxResources>10% memory, 50% cpu</maxResources></queue><queue name='b'/> | a:1024:1 b:1024:1",
                "maxResources of the parent | <queue name='p'><maxResources>25%</maxResources><queue name='a'/><queue name='b'/></queue><queue name='c'/> | p.a:1024:1 p.b:1024:1 c:1024:1",
                "queueMaxResourcesDefault | <queueMaxResourcesDefault>6144 mb, 60 vcores</queueMaxResourcesDefault><queue name='root'><maxResources>100%</maxResources><queue name='a'/><queue name='b'><maxResources>100%</maxResources></queue></queue> | a:1024:1 b:1024:1",
                "maxChildResources | <queue name='p' type='parent'><maxChildResources>4096 mb, 4 vcores</maxChildResources></queue><queue name='b'/> | p.new:1024:1 b:1024:1",
                "minResources before weight | <queue name='a'><minResources>30720 mb, 1 vcores</minResources></queue><queue name='b'><weight>9</weight></queue> | a:1024:1 b:1024:1",
                "fifo | <queue name='a'><schedulingPolicy>fifo</schedulingPolicy></queue> | a:1024:1 a:1024:1",
                "fair within a queue | <queue name='a'><schedulingPolicy>fair</schedulingPolicy></queue> | a:1024:1 a:1024:1 a:1024:1",
                "fair counts memory only | <queue name='a'/><queue name='b'/> | a:1024:4 b:2048:1",
                "drf counts both | <defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy><queue name='a'/><queue name='b'/> | a:512:2 b:2048:1",
                "a tree | <queue name='p'><weight>3</weight><queue name='x'/><queue name='y'><weight>2</weight></queue></queue><queue name='q'/> | p.x:1024:1 p.y:1024:1 q:1024:1",
                "undeclared queues | | here:1024:1 there.deep:1024:1"
            })
    void elementsOfQueues(String what, String queues, String apps) throws Exception {
        Path file = FairSchedulerFixture.file(
                directory,
                "<allocations>" + OPEN + (queues == null ? "" : queues.replace('\'', '"')) + "</allocations>");
        Map<Class<?>, Map<String, Integer>> results = FairSchedulerFixture.both(
                file, fixture -> race(fixture, 25, apps.trim().split(" ", -1)), MANY);
        assertThat(Objects.requireNonNull(results.get(FairSchedulerFixture.OURS))
                        .values())
                .as(what)
                .anyMatch(count -> count > 2);
        assertSame(results);
    }

    @ParameterizedTest
    @CsvSource({
        "assignmultiple, false, max.assign, -1",
        "assignmultiple, true, max.assign, 7",
        "assignmultiple, true, dynamic.max.assign, true",
    })
    void containersOfOneHeartbeat(String key, String value, String other, String otherValue) throws Exception {
        String dynamic = other.equals("dynamic.max.assign") ? "true" : "false";
        Path file = FairSchedulerFixture.file(directory, "<allocations>" + OPEN + "</allocations>");
        Map<Class<?>, Map<String, Integer>> results = FairSchedulerFixture.both(
                file,
                fixture -> race(fixture, 2, "a:1024:1", "b:1024:1"),
                "yarn.scheduler.fair." + key,
                value,
                "yarn.scheduler.fair.dynamic.max.assign",
                dynamic,
                "yarn.scheduler.fair." + other,
                otherValue);
        assertSame(results);
    }

    /** YARN-11907: FairScheduler can serve such a queue last, whatever its minimum is. */
    @Test
    void aQueueWithOnlyAPendingMasterIsNext() throws Exception {
        Path file = FairSchedulerFixture.file(
                directory,
                "<allocations><queue name=\"a\"><minResources>1024 mb, 1 vcores</minResources></queue>"
                        + "<queue name=\"b\"/></allocations>");
        try (FairSchedulerFixture fixture = new FairSchedulerFixture(FairSchedulerFixture.OURS, file, MANY)) {
            fixture.node("127.2.0.1", 4_096, 8);
            FairSchedulerFixture.App b = fixture.app("bob", "b").ask(100, 1_024, 1);
            fixture.heartbeats(2);
            assertThat(b.collect()).hasSize(4);
            RMApp a = fixture.submit("alice", "a", false, 1_024);
            fixture.heartbeats(2);
            assertThat(a.getCurrentAppAttempt().getMasterContainer()).isNull();
            b.am.allocate(List.of(), List.of(b.containers.get(0).getId()));
            fixture.rm.drainEvents();
            fixture.heartbeats(1);
            fixture.rm.waitForState(a.getCurrentAppAttempt().getAppAttemptId(), RMAppAttemptState.ALLOCATED);
        }
    }

    @Test
    void sizeBasedWeight() throws Exception {
        Path file = FairSchedulerFixture.file(directory, "<allocations>" + OPEN + "<queue name=\"a\"/></allocations>");
        Map<Class<?>, Map<String, Integer>> results = FairSchedulerFixture.both(
                file,
                fixture -> {
                    fixture.node("127.2.0.1", 30_720, 40);
                    Map<String, FairSchedulerFixture.App> apps = new LinkedHashMap<>();
                    apps.put("large", fixture.app("alice", "a").ask(600, 1024, 1));
                    apps.put("small", fixture.app("bob", "a").ask(20, 1024, 1));
                    fixture.heartbeats(3);
                    return FairSchedulerFixture.counts(apps);
                },
                "yarn.scheduler.fair.sizebasedweight",
                "true",
                MANY[0],
                MANY[1],
                MANY[2],
                MANY[3]);
        assertThat(Objects.requireNonNull(results.get(FairSchedulerFixture.OURS))
                        .get("large"))
                .isGreaterThan(Objects.requireNonNull(results.get(FairSchedulerFixture.OURS))
                        .get("small"));
        assertSame(results);
    }

    @ParameterizedTest
    @CsvSource({
        "yarn.scheduler.increment-allocation-mb, 512, 1300, 1",
        "yarn.resource-types.memory-mb.increment-allocation, 2Gi, 1300, 1",
        "yarn.scheduler.increment-allocation-vcores, 4, 1024, 3",
        "yarn.scheduler.minimum-allocation-mb, 256, 300, 1",
    })
    void sizesAreRoundedUp(String key, String value, int memory, int cores) throws Exception {
        Path file = FairSchedulerFixture.file(directory, "<allocations>" + OPEN + "</allocations>");
        Map<Class<?>, String> results = FairSchedulerFixture.both(
                file,
                fixture -> {
                    fixture.node("127.2.0.1", 30_720, 40);
                    FairSchedulerFixture.App app = fixture.app("alice", "a").ask(1, memory, cores);
                    fixture.heartbeats(2);
                    return app.collect().get(0).getResource().toString();
                },
                key,
                value);
        assertSame(results);
    }

    /** Which of eight applications get their master's container. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "maxAMShare | <queue name='a'><maxAMShare>0.25</maxAMShare></queue><queue name='b'><maxAMShare>0.5</maxAMShare></queue>",
                "maxAMShare too small for one | <queue name='a'><maxAMShare>0.01</maxAMShare></queue><queue name='b'/>",
                "maxAMShare off | <queue name='a'><maxAMShare>-1.0</maxAMShare></queue><queue name='b'/>",
                "queueMaxAMShareDefault | <queueMaxAMShareDefault>0.3</queueMaxAMShareDefault><queue name='a'><weight>3</weight></queue><queue name='b'/>",
                "maxAMShare under drf | <defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy><queue name='a'><maxAMShare>0.25</maxAMShare></queue><queue name='b'/>",
                "with minResources | <queueMaxAMShareDefault>0.3</queueMaxAMShareDefault><queue name='a'><minResources>12288 mb, 4 vcores</minResources></queue><queue name='b'/>",
                "with maxResources | <queueMaxAMShareDefault>0.3</queueMaxAMShareDefault><queue name='a'><maxResources>4096 mb, 4 vcores</maxResources></queue><queue name='b'/>",
                "maxRunningApps | <queue name='a'><maxRunningApps>2</maxRunningApps></queue><queue name='b'/>",
                "maxRunningApps of the parent | <queue name='root'><maxRunningApps>3</maxRunningApps><queue name='a'/><queue name='b'/></queue>",
                "queueMaxAppsDefault | <queueMaxAppsDefault>1</queueMaxAppsDefault><queue name='root'><maxRunningApps>9</maxRunningApps><queue name='a'/><queue name='b'/></queue>",
                "userMaxAppsDefault | <userMaxAppsDefault>1</userMaxAppsDefault><queue name='a'/><queue name='b'/>",
                "user | <user name='alice'><maxRunningApps>1</maxRunningApps></user><userMaxAppsDefault>3</userMaxAppsDefault><queue name='a'/><queue name='b'/>"
            })
    void whoMayRun(String what, String queues) throws Exception {
        Path file =
                FairSchedulerFixture.file(directory, "<allocations>" + queues.replace('\'', '"') + "</allocations>");
        Map<Class<?>, List<String>> results = FairSchedulerFixture.both(
                file,
                fixture -> {
                    fixture.node("127.2.0.1", 16_384, 16);
                    Map<String, RMApp> apps = new LinkedHashMap<>();
                    for (int i = 0; i < 8; i++) {
                        fixture.clock.tick(10);
                        String user = i < 5 ? "alice" : "bob";
                        String queue = i % 2 == 0 ? "a" : "b";
                        apps.put(i + " of " + user + " in " + queue, fixture.submit(user, queue, false, 1024));
                    }
                    fixture.heartbeats(20);
                    List<String> running = running(apps);
                    fixture.rm.killApp(new ArrayList<>(apps.values()).get(0).getApplicationId());
                    fixture.rm.drainEvents();
                    fixture.heartbeats(10);
                    running.add("then");
                    running.addAll(running(apps));
                    return running;
                },
                "yarn.scheduler.minimum-allocation-mb",
                "1024");
        assertThat(Objects.requireNonNull(results.get(FairSchedulerFixture.OURS)))
                .as(what)
                .isEqualTo(results.get(FairSchedulerFixture.FAIR));
    }

    private static List<String> running(Map<String, RMApp> apps) {
        List<String> running = new ArrayList<>();
        apps.forEach((name, app) -> {
            if (app.getState() != RMAppState.KILLED
                    && app.getCurrentAppAttempt() != null
                    && app.getCurrentAppAttempt().getMasterContainer() != null) {
                running.add(name);
            }
        });
        return running;
    }

    @Test
    void askingForMoreThanAContainerOrForWhatAQueueMayNotHaveIsRefusedAlike() throws Exception {
        Path file = FairSchedulerFixture.file(
                directory,
                "<allocations>" + OPEN
                        + "<queue name=\"a\"><maxContainerAllocation>2048 mb, 2 vcores</maxContainerAllocation>"
                        + "<queue name=\"below\"/></queue>"
                        + "<queue name=\"none\"><maxResources>memory-mb=0, vcores=4</maxResources></queue></allocations>");
        Map<Class<?>, Map<String, String>> results = FairSchedulerFixture.both(file, fixture -> {
            fixture.node("127.2.0.1", 16_384, 16);
            Map<String, String> outcomes = new TreeMap<>();
            outcomes.put(
                    "largest",
                    fixture.scheduler()
                            .getMaximumResourceCapability("root.a.below")
                            .toString());
            outcomes.put("below", outcome(() -> fixture.app("alice", "a.below").ask(1, 4096, 1)));
            outcomes.put("within", outcome(() -> fixture.app("alice", "a.below").ask(1, 2048, 1)));
            outcomes.put("elsewhere", outcome(() -> fixture.app("alice", "b").ask(1, 4096, 1)));
            outcomes.put(
                    "none of it", outcome(() -> fixture.app("alice", "none").ask(1, 1024, 1)));
            RMApp app = fixture.submit("alice", "none", false, 1024);
            outcomes.put("a master", app.getState().toString());
            return outcomes;
        });
        assertThat(Objects.requireNonNull(results.get(FairSchedulerFixture.OURS)))
                .containsEntry("within", "ok")
                .containsEntry("elsewhere", "ok")
                .containsEntry("a master", "FAILED")
                .isEqualTo(results.get(FairSchedulerFixture.FAIR));
    }

    private interface Attempt {
        Object run() throws Exception;
    }

    private static String outcome(Attempt attempt) {
        try {
            attempt.run();
            return "ok";
        } catch (Exception e) {
            return e.getClass().getSimpleName();
        }
    }

    /**
     * An ask for one node and its rack, while only others have room: after how many heartbeats is it served elsewhere?
     */
    @ParameterizedTest
    @CsvSource({"-1, -1", "0, 0", "0.5, 0.5", "1, 0", "0, 1", "1, 1"})
    void localityThresholds(String node, String rack) throws Exception {
        Path file = FairSchedulerFixture.file(directory, "<allocations>" + OPEN + "</allocations>");
        Map<Class<?>, Integer> results = FairSchedulerFixture.both(
                file,
                fixture -> {
                    for (int i = 1; i <= 4; i++) {
                        fixture.node("127.2.0." + i, 8_192, 8);
                    }
                    FairSchedulerFixture.App app =
                            fixture.app("alice", "a").ask(10, 1, 1024, 1, "elsewhere", "/rack", "*");
                    int heartbeats = 0;
                    List<Container> got = app.collect();
                    while (got.isEmpty() && heartbeats < 40) {
                        fixture.heartbeat();
                        heartbeats++;
                        got = app.collect();
                    }
                    return heartbeats;
                },
                "yarn.scheduler.fair.locality.threshold.node",
                node,
                "yarn.scheduler.fair.locality.threshold.rack",
                rack);
        assertSame(results);
    }
}
