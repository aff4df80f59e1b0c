// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Amounts beside percentages and weights, and one kind for each resource: both schedulers divide alike. */
@Tag("newer-line")
class MixedCapacitiesTest {
    private static final int MANY = 200;

    @TempDir
    Path directory;

    /** Queues with their capacities; those with a question mark ask for nothing. The cluster has 100 GiB, 400 cores. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a=[memory=20480,vcores=80] b=50 c=1w",
                "a=[memory=20480,vcores=80] b=50 c?=1w",
                "a=[memory=20480,vcores=80] b=60",
                "a=[memory=10240,vcores=40] b=1w c=3w",
                "a=[memory=30%,vcores=30%] b=[memory=70%,vcores=70%]",
                "a=[memory=10%,vcores=40] b=[memory=1w,vcores=1w] c=3w",
                "a=40 a.x=[memory=10240,vcores=40] a.y=1w b=60",
                "a=[memory=81920,vcores=320] b=[memory=81920,vcores=320] c?=1w",
            })
    void bothSchedulersDivideAlike(String queues) throws Exception {
        List<String> asking = new ArrayList<>();
        Path file =
                Files.writeString(directory.resolve("capacity-scheduler.xml"), CapacityFile.xml(file(queues, asking)));
        Map<String, Integer> theirs = held(CapacityFixture.CAPACITY, file, asking);
        Map<String, Integer> ours = held(CapacityFixture.OURS, file, asking);
        theirs.forEach((queue, containers) -> assertThat(Math.abs(containers - ours.getOrDefault(queue, 0)))
                .as("%s: %s under CapacityScheduler, %s here", queue, theirs, ours)
                .isLessThanOrEqualTo(1));
    }

    private static SortedMap<String, String> file(String queues, List<String> asking) {
        SortedMap<String, String> properties = new TreeMap<>(Map.of(
                "legacy-queue-mode.enabled",
                "false",
                "resource-calculator",
                "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator",
                "schedule-asynchronously.enable",
                "false",
                "per-node-heartbeat.maximum-offswitch-assignments",
                "1000",
                "per-node-heartbeat.maximum-container-assignments",
                "-1",
                "maximum-am-resource-percent",
                "1",
                "user-limit-factor",
                "-1"));
        Map<String, String> capacities = new LinkedHashMap<>();
        for (String queue : queues.split(" ", -1)) {
            int equals = queue.indexOf('=');
            String path = "root." + queue.substring(0, equals).replace("?", "");
            capacities.put(path, queue.substring(equals + 1));
            if (!queue.contains("?")) {
                asking.add(path);
            }
        }
        capacities.forEach((path, capacity) -> {
            properties.put(path + ".capacity", capacity);
            String parent = path.substring(0, path.lastIndexOf('.'));
            properties.merge(
                    parent + ".queues", path.substring(parent.length() + 1), (one, other) -> one + "," + other);
        });
        asking.removeIf(path -> properties.containsKey(path + ".queues"));
        return properties;
    }

    private static Map<String, Integer> held(Class<?> scheduler, Path file, List<String> asking) throws Exception {
        try (CapacityFixture fixture =
                new CapacityFixture(scheduler, file, YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, "1")) {
            fixture.nodes(100);
            fixture.refreshQueues();
            Map<String, CapacityFixture.App> apps = new TreeMap<>();
            for (String queue : asking) {
                apps.put(queue, fixture.app("alice", queue).ask(MANY, 1024, 1));
            }
            fixture.heartbeats(4);
            Map<String, Integer> held = new TreeMap<>();
            for (Map.Entry<String, CapacityFixture.App> each : apps.entrySet()) {
                held.put(each.getKey(), each.getValue().holds());
            }
            return held;
        }
    }
}
