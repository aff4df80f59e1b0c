// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Mapping rules in JSON that nobody wrote, with parents in which queues are created: both schedulers place the same
 * applications in the same queues, or refuse the file. {@code -Dheddle.capacity.rules=1000} for more of them.
 */
@Tag("newer-line")
class JsonRulesTest {
    private static final List<String> USERS = List.of("alice", "bob", "carol"); // all have groups
    private static final List<String> NAMES =
            List.of("default", "root.etl.day", "night", "root.users.new", "root.other", "day.x");
    private static final List<String> MATCHES = List.of(
            "user:*",
            "user:*",
            "user:alice",
            "user:bob",
            "user:%user",
            "group:staff",
            "group:physics",
            "application:report");
    private static final List<String> POLICIES = List.of(
            "specified",
            "reject",
            "defaultQueue",
            "user",
            "primaryGroup",
            "secondaryGroup",
            "primaryGroupUser",
            "secondaryGroupUser",
            "applicationName",
            "setDefaultQueue",
            "custom");
    private static final List<String> PARENTS =
            List.of("root.users", "users", "root.etl", "root.%primary_group", "root");
    private static final List<String> QUEUES = List.of(
            "root.etl.day",
            "night",
            "root.users.%user",
            "root.%specified",
            "root.users.%primary_group.%user",
            "%default",
            "root.users.fixed",
            "root.users.a.b.c",
            "root.etl");
    private static final List<String> FALLBACKS = List.of("skip", "reject", "placeDefault");

    @TempDir
    Path directory;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Integer.getInteger("heddle.capacity.rules", 8));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void bothSchedulersPlaceAlike(long seed) throws Exception {
        Random random = new Random(seed);
        boolean create = random.nextBoolean();
        List<String> rules = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            rules.add(rule(random, create));
        }
        TreeMap<String, String> properties = new TreeMap<>(Map.of(
                "root.queues", "default,users,etl",
                "root.default.capacity", "1w",
                "root.users.capacity", "1w",
                "root.users.auto-queue-creation-v2.enabled", "true",
                "root.etl.capacity", "1w",
                "root.etl.queues", "day,night",
                "root.etl.day.capacity", "1w",
                "root.etl.night.capacity", "2w"));
        properties.put("mapping-rule-format", "json");
        properties.put("mapping-rule-json", "{\"rules\":[" + String.join(",", rules) + "]}");
        properties.put("queue-mappings-override.enable", String.valueOf(random.nextInt(4) > 0));
        Path file = Files.writeString(directory.resolve("capacity-scheduler.xml"), CapacityFile.xml(properties));
        Map<String, Object> ours = new TreeMap<>(places(CapacityFixture.OURS, file));
        Map<String, String> differences = new TreeMap<>();
        places(CapacityFixture.CAPACITY, file).forEach((what, place) -> {
            Object here = ours.remove(what);
            if (!place.equals(here)) {
                differences.put(what, place + " under CapacityScheduler, here " + here);
            }
        });
        assertThat(differences).as("%s", properties).isEmpty();
        assertThat(ours).as("%s", properties).isEmpty();
    }

    private static String rule(Random random, boolean create) {
        String[] match = any(random, MATCHES).split(":", -1);
        Map<String, String> fields = new TreeMap<>();
        fields.put("type", match[0]);
        fields.put("matches", match[1]);
        String policy = any(random, POLICIES);
        fields.put("policy", policy);
        if (policy.equals("custom")) {
            fields.put("customPlacement", any(random, QUEUES));
        } else if (policy.equals("setDefaultQueue")) {
            fields.put("value", any(random, List.of("root.etl.day", "root.users.%user", "root.etl.night")));
        } else if (random.nextBoolean()) {
            fields.put("parentQueue", any(random, PARENTS));
        }
        if (random.nextInt(3) > 0) {
            fields.put("fallbackResult", any(random, FALLBACKS));
        }
        StringBuilder rule = new StringBuilder("{\"create\":" + create);
        fields.forEach((name, value) ->
                rule.append(",\"").append(name).append("\":\"").append(value).append('"'));
        return rule.append('}').toString();
    }

    private static String any(Random random, List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private static Map<String, Object> places(Class<?> scheduler, Path file) throws Exception {
        return CapacityFixture.outcome(scheduler, file, (fixture, places) -> {
            for (String user : USERS) {
                for (String name : NAMES) {
                    places.put(user + " names " + name, fixture.placed(user, name));
                }
            }
        });
    }
}
