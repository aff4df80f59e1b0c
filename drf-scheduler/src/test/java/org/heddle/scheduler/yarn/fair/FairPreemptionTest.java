// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.fair;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.heddle.testkit.Await;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The effect of FairScheduler's preemption elements and keys: under both schedulers the same queues are helped, after
 * the same time, with as many containers. Which containers go for it is each scheduler's own choice. Whoever is below
 * its minimum asks for no more than that here: otherwise FairScheduler takes for it what it asks for beyond, up to its
 * share.
 */
@Tag("newer-line")
class FairPreemptionTest {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    /** Sixteen containers' room, all taken by queue a; then b asks for some. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fairSharePreemptionTimeout | <queue name='b'><fairSharePreemptionTimeout>10</fairSharePreemptionTimeout></queue> | | 100 | 4",
                "defaultFairSharePreemptionTimeout | <defaultFairSharePreemptionTimeout>10</defaultFairSharePreemptionTimeout> | | 100 | 4",
                "defaultFairSharePreemptionThreshold | <defaultFairSharePreemptionTimeout>10</defaultFairSharePreemptionTimeout><defaultFairSharePreemptionThreshold>1</defaultFairSharePreemptionThreshold> | | 100 | 8",
                "fairSharePreemptionThreshold | <queue name='b'><fairSharePreemptionTimeout>10</fairSharePreemptionTimeout><fairSharePreemptionThreshold>0.75</fairSharePreemptionThreshold></queue> | | 100 | 6",
                "with weights | <queue name='a'><weight>3</weight></queue><queue name='b'><fairSharePreemptionTimeout>10</fairSharePreemptionTimeout><fairSharePreemptionThreshold>1</fairSharePreemptionThreshold></queue> | | 100 | 4",
                "minSharePreemptionTimeout | <queue name='b'><minResources>3072 mb, 3 vcores</minResources><minSharePreemptionTimeout>10</minSharePreemptionTimeout></queue> | | 3 | 3",
                "defaultMinSharePreemptionTimeout | <defaultMinSharePreemptionTimeout>10</defaultMinSharePreemptionTimeout><queue name='b'><minResources>5120 mb, 5 vcores</minResources></queue> | | 5 | 5",
                "no timeout | <queue name='b'/> | | 100 | 0",
                "allowPreemptionFrom | <defaultFairSharePreemptionTimeout>10</defaultFairSharePreemptionTimeout><queue name='a'><allowPreemptionFrom>false</allowPreemptionFrom></queue> | | 100 | 0",
                "preemption is off | <defaultFairSharePreemptionTimeout>10</defaultFairSharePreemptionTimeout> | preemption=false | 100 | 0",
                "the cluster is not full enough | <defaultFairSharePreemptionTimeout>10</defaultFairSharePreemptionTimeout> | preemption.cluster-utilization-threshold=1.0 | 100 | 0",
                "the cluster is full enough | <defaultFairSharePreemptionTimeout>10</defaultFairSharePreemptionTimeout> | preemption.cluster-utilization-threshold=0.99 | 100 | 4",
            })
    void whoIsHelpedWhenAndHowFar(String what, String elements, String key, int asked, int expected) throws Exception {
        Path file = FairSchedulerFixture.file(
                directory,
                "<allocations><queueMaxAMShareDefault>-1.0</queueMaxAMShareDefault>" + elements.replace('\'', '"')
                        + "</allocations>");
        Map<Class<?>, List<Map<String, Integer>>> results =
                FairSchedulerFixture.both(file, fixture -> help(fixture, asked, 8, 60), keys(key));
        List<Map<String, Integer>> ours = Objects.requireNonNull(results.get(FairSchedulerFixture.OURS));
        assertThat(ours).as(what).isEqualTo(results.get(FairSchedulerFixture.FAIR));
        assertThat(ours).as(what).containsExactly(Map.of("a", 16, "b", 0), Map.of("a", 16 - expected, "b", expected));
    }

    /** docs/moving-in.md: FairScheduler reads it as -1000 ms and preempts at once. */
    @Test
    void aTimeoutOfMinusOneMeansNever() throws Exception {
        Path file = FairSchedulerFixture.file(
                directory,
                "<allocations><queueMaxAMShareDefault>-1.0</queueMaxAMShareDefault>"
                        + "<defaultFairSharePreemptionTimeout>-1</defaultFairSharePreemptionTimeout></allocations>");
        Map<Class<?>, List<Map<String, Integer>>> results =
                FairSchedulerFixture.both(file, fixture -> help(fixture, 100, 8, 60), keys(null));
        assertThat(results.get(FairSchedulerFixture.FAIR))
                .containsExactly(Map.of("a", 12, "b", 4), Map.of("a", 12, "b", 4));
        assertThat(results.get(FairSchedulerFixture.OURS))
                .containsExactly(Map.of("a", 16, "b", 0), Map.of("a", 16, "b", 0));
    }

    /**
     * docs/moving-in.md: a queue with nothing, a minimum of one container and much to ask for. FairScheduler computes
     * what each application lacks of the minimum as its demand less the minimum, and takes up to the fair share at
     * once.
     */
    @Test
    void aQueueBelowItsMinimumGetsTheMinimumAndThenWaitsForTheOtherTimeout() throws Exception {
        Path file = FairSchedulerFixture.file(directory, """
                <allocations><queueMaxAMShareDefault>-1.0</queueMaxAMShareDefault>
                <defaultMinSharePreemptionTimeout>5</defaultMinSharePreemptionTimeout>
                <defaultFairSharePreemptionTimeout>30</defaultFairSharePreemptionTimeout>
                <defaultFairSharePreemptionThreshold>1</defaultFairSharePreemptionThreshold>
                <queue name="b"><minResources>1024 mb, 1 vcores</minResources></queue></allocations>
                """);
        Map<Class<?>, List<Map<String, Integer>>> results =
                FairSchedulerFixture.both(file, fixture -> help(fixture, 100, 12, 12, 60), keys(null));
        assertThat(results.get(FairSchedulerFixture.FAIR))
                .containsExactly(Map.of("a", 8, "b", 8), Map.of("a", 8, "b", 8), Map.of("a", 8, "b", 8));
        assertThat(results.get(FairSchedulerFixture.OURS))
                .containsExactly(Map.of("a", 15, "b", 1), Map.of("a", 15, "b", 1), Map.of("a", 8, "b", 8));
    }

    /** 320 containers' room, all taken by queue a; b is due half of it. Second by second after the time-out. */
    @Test
    void aLargeQueueIsHelpedAsFast() throws Exception {
        Path file = FairSchedulerFixture.file(directory, """
                <allocations><queueMaxAMShareDefault>-1.0</queueMaxAMShareDefault>
                <defaultFairSharePreemptionTimeout>10</defaultFairSharePreemptionTimeout>
                <defaultFairSharePreemptionThreshold>1</defaultFairSharePreemptionThreshold></allocations>
                """);
        Map<Class<?>, List<Integer>> held = FairSchedulerFixture.both(
                file,
                fixture -> {
                    for (int i = 1; i <= 8; i++) {
                        fixture.node("127.2.0." + i, 40_960, 40);
                    }
                    Map<String, FairSchedulerFixture.App> apps = new LinkedHashMap<>();
                    apps.put("a", fixture.app("alice", "a").ask(400, 1024, 1));
                    fixture.heartbeats(3);
                    apps.put("b", fixture.app("bob", "b").ask(400, 1024, 1));
                    seconds(fixture, apps, 9);
                    List<Integer> seen = new ArrayList<>();
                    for (int i = 0; i < 12; i++) {
                        seconds(fixture, apps, 1);
                        seen.add(FairSchedulerFixture.counts(apps).get("b"));
                    }
                    return seen;
                },
                keys(null));
        List<Integer> ours = Objects.requireNonNull(held.get(FairSchedulerFixture.OURS));
        List<Integer> theirs = Objects.requireNonNull(held.get(FairSchedulerFixture.FAIR));
        assertThat(ours).as("ours, where FairScheduler has " + theirs).endsWith(160);
        for (int i = 0; i < ours.size(); i++) {
            assertThat(ours.get(Math.min(ours.size() - 1, i + 2)))
                    .as("%s, where FairScheduler has %s: two seconds after second %s", ours, theirs, i)
                    .isGreaterThanOrEqualTo(theirs.get(i));
        }
    }

    private static String[] keys(@Nullable String more) {
        Map<String, String> keys = new LinkedHashMap<>(Map.of(
                "preemption", "true",
                "waitTimeBeforeKill", "1",
                "waitTimeBeforeNextStarvationCheck", "1",
                "assignmultiple", "true",
                "dynamic.max.assign", "false"));
        if (more != null) {
            keys.put(more.split("=", -1)[0], more.split("=", -1)[1]);
        }
        List<String> all = new ArrayList<>();
        // Nothing happens but what the test does
        all.addAll(List.of("yarn.scheduler.fair.update-interval-ms", "3600000"));
        all.addAll(List.of("yarn.scheduler.heddle.update-interval-ms", "0"));
        keys.forEach((name, value) -> all.addAll(List.of("yarn.scheduler.fair." + name, value)));
        return all.toArray(new String[0]);
    }

    /** What queues hold after each of these times. */
    private static List<Map<String, Integer>> help(FairSchedulerFixture fixture, int asked, int... times)
            throws Exception {
        fixture.node("127.2.0.1", 8_192, 8).node("127.2.0.2", 8_192, 8);
        Map<String, FairSchedulerFixture.App> apps = new LinkedHashMap<>();
        apps.put("a", fixture.app("alice", "a").ask(100, 1024, 1));
        fixture.heartbeats(3);
        apps.put("b", fixture.app("bob", "b").ask(asked, 1024, 1));
        act(fixture, apps); // with a time-out of -1 FairScheduler has begun to preempt
        List<Map<String, Integer>> held = new ArrayList<>();
        for (int time : times) {
            seconds(fixture, apps, time);
            held.add(FairSchedulerFixture.counts(apps));
        }
        return held;
    }

    private static void seconds(FairSchedulerFixture fixture, Map<String, FairSchedulerFixture.App> apps, int seconds)
            throws Exception {
        for (int i = 0; i < seconds; i++) {
            fixture.clock.tick(1_000);
            fixture.scheduler().update();
            act(fixture, apps);
        }
    }

    /** What the last update has begun is done, and what it has freed is given away, before there is another update. */
    private static void act(FairSchedulerFixture fixture, Map<String, FairSchedulerFixture.App> apps) throws Exception {
        if (!fixture.isOurs()) {
            awaitPreemption(fixture, apps);
        }
        fixture.rm.drainEvents();
        for (MockNM node : fixture.nodes.values()) {
            node.nodeHeartbeat(true);
            fixture.rm.drainEvents();
        }
        FairSchedulerFixture.counts(apps); // masters hear what they have lost and got
    }

    /** FairScheduler chooses on a thread of its own, and kills on another: until nobody waits for either. */
    private static void awaitPreemption(FairSchedulerFixture fixture, Map<String, FairSchedulerFixture.App> apps)
            throws Exception {
        long deadline = System.nanoTime() + Await.stretched(DEADLINE).toNanos();
        while (isChoosing(fixture) || isKilling(apps)) {
            assertThat(System.nanoTime()).as("preemption does not come to rest").isLessThan(deadline);
            LockSupport.parkNanos(200_000);
        }
    }

    private static boolean isChoosing(FairSchedulerFixture fixture) throws ReflectiveOperationException {
        Method ofContext = fixture.fair().getContext().getClass().getDeclaredMethod("getStarvedApps");
        ofContext.setAccessible(true);
        Object starved = ofContext.invoke(fixture.fair().getContext());
        return starved != null
                && (!((Collection<?>) Objects.requireNonNull(hidden(starved, "appsToProcess"))).isEmpty()
                        || hidden(starved, "appBeingProcessed") != null
                        || Thread.getAllStackTraces().keySet().stream()
                                .anyMatch(thread -> thread.getName().equals("FSPreemptionThread")
                                        && thread.isAlive()
                                        && thread.getState() != Thread.State.WAITING));
    }

    private static boolean isKilling(Map<String, FairSchedulerFixture.App> apps) throws Exception {
        FairSchedulerFixture.counts(apps);
        return apps.values().stream().anyMatch(app -> app.isToLose);
    }

    private static @Nullable Object hidden(Object of, String name) throws ReflectiveOperationException {
        Field field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(of);
    }
}
