// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.UserInfo;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.dao.CapacitySchedulerInfo;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.dao.CapacitySchedulerQueueInfo;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.dao.CapacitySchedulerQueueInfoList;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.dao.PartitionQueueCapacitiesInfo;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.dao.PartitionResourcesInfo;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.dao.ResourceInfo;
import org.heddle.scheduler.yarn.fair.FairSchedulerFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** For the same properties and load: the fields of CapacityScheduler's answer, and the values of both schedulers. */
class CapacitySchedulerAnswerTest {
    private static final String PREFIX = "yarn.scheduler.capacity.";
    private static final String[] CAPACITY = {
        PREFIX + "resource-calculator",
        "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator",
        PREFIX + "schedule-asynchronously.enable",
        "false",
        PREFIX + "maximum-am-resource-percent",
        "1.0",
        PREFIX + "root.queues",
        "lab,shop",
        PREFIX + "root.lab.capacity",
        "75",
        PREFIX + "root.lab.maximum-capacity",
        "50",
        PREFIX + "root.lab.user-limit-factor",
        "100",
        PREFIX + "root.shop.capacity",
        "25",
        PREFIX + "root.shop.queues",
        "day,night",
        PREFIX + "root.shop.day.capacity",
        "25",
        PREFIX + "root.shop.day.user-limit-factor",
        "100",
        PREFIX + "root.shop.night.capacity",
        "75"
    };

    /** Ours has no counterpart; docs/limitations.md says so. */
    private static final Set<String> LEFT_OUT =
            Set.of("defaultNodeLabelExpression", "EPSILON", "maximumClusterPriority");

    /**
     * The schedulers differ here by what they are: ours allows no container larger than the largest node, counts no
     * masters that YARN does not start, and has no factor of a user whom the queue's maximum limits before, and
     * the limit of masters is as of now, there as of the last time that one started.
     */
    private static final Set<String> OTHER_VALUES =
            Set.of("maximumAllocation", "usedAMResource", "userLimitFactor", "AMResourceLimit", "userAMResourceLimit");

    @TempDir
    Path directory;

    @Test
    void fieldsAndValuesAreCapacitySchedulers() throws Exception {
        Path file = Files.writeString(directory.resolve("capacity-scheduler.xml"), xml());
        Map<String, String> theirs = new TreeMap<>();
        try (FairSchedulerFixture fixture = new FairSchedulerFixture(CapacityScheduler.class, file, CAPACITY)) {
            load(fixture);
            CapacityScheduler scheduler = (CapacityScheduler) fixture.rm.getResourceScheduler();
            CSQueue root = scheduler.getRootQueue();
            CapacitySchedulerInfo info = new CapacitySchedulerInfo(root, scheduler);
            collect("root", info, theirs);
        }
        assertThat(theirs)
                .hasSizeGreaterThan(80)
                .containsEntry("root.lab/capacity", "75.0")
                .containsEntry("root.shop.night/absoluteCapacity", "18.75");
        try (FairSchedulerFixture fixture = new FairSchedulerFixture(
                FairSchedulerFixture.OURS, file, "yarn.scheduler.heddle.configuration.file", file.toString())) {
            load(fixture);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ClusterSchedulerResponse.json((SnapshotSource) fixture.rm.getResourceScheduler(), out);
            JsonNode info = new ObjectMapper().readTree(out.toByteArray()).at("/scheduler/schedulerInfo");
            assertThat(info.get("type").asText()).isEqualTo("capacityScheduler");
            assertThat(info.findValues("type"))
                    .extracting(JsonNode::asText)
                    .containsOnly("capacityScheduler", "capacitySchedulerLeafQueueInfo");
            assertThat(info.findValues("username")).extracting(JsonNode::asText).contains("alice");
            Map<String, String> ours = new TreeMap<>();
            collect("root", info, ours);
            theirs.keySet().removeIf(field -> LEFT_OUT.contains(field.substring(field.indexOf('/') + 1)));
            assertThat(ours.keySet()).containsAll(theirs.keySet());
            List<String> differences = new ArrayList<>();
            theirs.forEach((field, value) -> {
                boolean other = OTHER_VALUES.contains(field.substring(field.indexOf('/') + 1));
                if (!other && !isSame(value, String.valueOf(ours.get(field)))) {
                    differences.add(field + ": " + value + " there, " + ours.get(field) + " here");
                }
            });
            assertThat(differences).isEmpty();

            hasFieldsOf(UserInfo.class, info.findParent("username"));
            hasFieldsOf(PartitionQueueCapacitiesInfo.class, info.at("/capacities/queueCapacitiesByPartition/0"));
            hasFieldsOf(
                    PartitionResourcesInfo.class,
                    info.at("/queues/queue/0/resources")
                            .findValue("resourceUsagesByPartition")
                            .get(0));

            assertThat(info.at("/health/lastrun").asLong()).isPositive();
            JsonNode last = info.at("/health/operationsInfo");
            assertThat(last.findValuesAsText("operation"))
                    .containsExactly("last-allocation", "last-release", "last-preemption", "last-reservation");
            assertThat(last.at("/0/nodeId").asText()).startsWith("127.2.0.");
            assertThat(last.at("/0/containerId").asText()).startsWith("container_");
            assertThat(last.at("/0/queue").asText()).isIn("root.lab", "root.shop.day");
            assertThat(last.at("/2/containerId").asText())
                    .as("nothing was preempted")
                    .isEqualTo("N/A");
            assertThat(info.at("/health/lastRunDetails").findValuesAsText("operation"))
                    .containsExactly("releases", "allocations", "reservations");
            assertThat(info.at("/health/lastRunDetails/1/count").asInt())
                    .as("the last heartbeats had nothing to allocate")
                    .isZero();

            ByteArrayOutputStream xml = new ByteArrayOutputStream();
            ClusterSchedulerResponse.xml((SnapshotSource) fixture.rm.getResourceScheduler(), xml);
            assertThat(xml.toString(StandardCharsets.UTF_8)).contains("<queuePath>root.shop.day</queuePath>");
        }
    }

    private static String xml() {
        StringBuilder xml = new StringBuilder("<configuration>");
        for (int i = 0; i < CAPACITY.length; i += 2) {
            xml.append("<property><name>" + CAPACITY[i] + "</name><value>" + CAPACITY[i + 1] + "</value></property>");
        }
        return xml.append("</configuration>").toString();
    }

    private static void hasFieldsOf(Class<?> type, JsonNode ours) {
        List<String> names = new ArrayList<>();
        ours.fieldNames().forEachRemaining(names::add);
        assertThat(names)
                .as(type.getSimpleName())
                .containsAll(Arrays.stream(type.getDeclaredFields())
                        .filter(field -> !Modifier.isStatic(field.getModifiers()))
                        .map(Field::getName)
                        .toList());
    }

    /** Figures may differ by rounding: floats there, doubles here. */
    private static boolean isSame(String theirs, String ours) {
        try {
            assertThat(Double.parseDouble(ours)).isCloseTo(Double.parseDouble(theirs), within(0.01));
            return true;
        } catch (NumberFormatException e) {
            return theirs.equals(ours);
        } catch (AssertionError e) {
            return false;
        }
    }

    private static void load(FairSchedulerFixture fixture) throws Exception {
        fixture.node("127.2.0.1", 20_480, 40);
        fixture.node("127.2.0.2", 20_480, 40);
        fixture.app("alice", "root.lab").ask(5, 2_048, 1);
        fixture.app("carol", "root.shop.day").ask(3, 1_024, 2);
        fixture.heartbeats(10);
    }

    private static void collect(String path, Object queue, Map<String, String> fields) throws Exception {
        for (Class<?> type = queue.getClass(); type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                field.setAccessible(true);
                Object value = field.get(queue);
                if (value instanceof CapacitySchedulerQueueInfoList below) {
                    for (CapacitySchedulerQueueInfo child : below.getQueueInfoList()) {
                        collect(path + "." + child.getQueueName(), child, fields);
                    }
                } else if (value instanceof ResourceInfo amount) {
                    fields.put(
                            path + "/" + field.getName(),
                            amount.getMemorySize() + " MB, " + amount.getvCores() + " cores");
                } else if (value != null) {
                    boolean plain = value instanceof Number
                            || value instanceof Boolean
                            || value instanceof Enum
                            || value instanceof String;
                    fields.put(path + "/" + field.getName(), plain ? value.toString() : "(inside)");
                }
            }
        }
    }

    private static void collect(String path, JsonNode queue, Map<String, String> fields) {
        queue.fields().forEachRemaining(field -> {
            JsonNode value = field.getValue();
            if (field.getKey().equals("queues")) {
                value.get("queue")
                        .forEach(child ->
                                collect(path + "." + child.get("queueName").asText(), child, fields));
            } else {
                fields.put(
                        path + "/" + field.getKey(),
                        value.has("vCores")
                                ? value.get("memory") + " MB, " + value.get("vCores") + " cores"
                                : value.isContainerNode() ? "(inside)" : value.asText());
            }
        });
    }
}
