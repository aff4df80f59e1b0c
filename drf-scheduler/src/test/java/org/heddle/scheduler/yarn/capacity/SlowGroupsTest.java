// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.security.GroupMappingServiceProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the look-up of a user's groups is slow, only that user's submissions wait for it. */
@Tag("newer-line")
class SlowGroupsTest {
    private static final int USERS = 10_000;
    private static final Map<String, Integer> LOOK_UPS = new ConcurrentHashMap<>();

    @TempDir
    Path directory;

    /** Counts, and so needs no clock. */
    public static final class Counting implements GroupMappingServiceProvider {
        @Override
        public List<String> getGroups(String user) {
            LOOK_UPS.merge(user, 1, Integer::sum);
            return List.of("of-" + user);
        }

        @Override
        public Set<String> getGroupsSet(String user) {
            return Set.copyOf(getGroups(user));
        }

        @Override
        public void cacheGroupsRefresh() {}

        @Override
        public void cacheGroupsAdd(List<String> groups) {}
    }

    @Test
    void noGroupsAreLookedUpButThoseOfUsersWhoSubmit() throws Exception {
        String mappings = IntStream.range(0, USERS)
                .mapToObj(i -> (i % 2 == 0 ? "u:user" : "g:of-user") + i + ":" + (i % 4 < 2 ? "a" : "b"))
                .collect(Collectors.joining(","));
        Map<String, String> properties = Map.of(
                "root.queues", "a,b",
                "root.a.capacity", "50",
                "root.b.capacity", "50",
                "queue-mappings", mappings);
        Path file = Files.writeString(
                directory.resolve("capacity-scheduler.xml"), CapacityFile.xml(new TreeMap<>(properties)));
        String provider = CommonConfigurationKeys.HADOOP_SECURITY_GROUP_MAPPING;
        try (CapacityFixture fixture =
                new CapacityFixture(CapacityFixture.OURS, file, provider, Counting.class.getName())) {
            fixture.nodes(64);
            fixture.heartbeats(3);
            Files.writeString(file, Files.readString(file).replace("50", "50.0"));
            assertThat(fixture.refreshQueues()).isEmpty();
            assertThat(LOOK_UPS.keySet()).noneMatch(user -> user.startsWith("user"));

            assertThat(fixture.placed("user9998", "default")).isEqualTo("b");
            assertThat(fixture.placed("user9999", "default")).isEqualTo("b");
            assertThat(fixture.placed("user9999", "default")).isEqualTo("b");
            fixture.heartbeats(3);
            LOOK_UPS.keySet().removeIf(user -> !user.startsWith("user"));
            assertThat(LOOK_UPS).isEqualTo(Map.of("user9998", 1, "user9999", 1));
        }
    }
}
