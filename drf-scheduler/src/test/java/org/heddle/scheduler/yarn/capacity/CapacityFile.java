// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.capacity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A {@code capacity-scheduler.xml} by chance: most of what stands in public ones. */
final class CapacityFile {
    private static final String PREFIX = "yarn.scheduler.capacity.";
    private static final List<String> NAMES = List.of("a", "b", "c", "default", "staff", "physics", "alice");
    private static final List<String> ACCESS =
            List.of("*", " ", "alice", "alice,bob staff", " staff", "carol physics,guests", "nobody");

    private final Random random;
    private final SortedMap<String, String> properties = new TreeMap<>();
    private final List<String> leaves = new ArrayList<>();
    private final List<String> queues = new ArrayList<>();

    private CapacityFile(long seed) {
        this.random = new Random(seed);
        if (random.nextBoolean()) {
            set("resource-calculator", "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator");
        }
        set("schedule-asynchronously.enable", "false");
        set("per-node-heartbeat.maximum-offswitch-assignments", "1000");
        set("per-node-heartbeat.maximum-container-assignments", "-1");
        sometimes(2, "maximum-am-resource-percent", "0.2", "0.5", "1");
        sometimes(4, "maximum-applications", "50", "500");
        sometimes(4, "user-limit-factor", "2", "0.5");
        access("root");
        children("root", 0);
        mappings();
    }

    /** The same after some changes of an administrator, or after one mistake. */
    private CapacityFile(CapacityFile before, long seed) {
        this.random = new Random(seed);
        properties.putAll(before.properties);
        leaves.addAll(before.leaves);
        queues.addAll(before.queues);
        if (random.nextInt(3) == 0) {
            mistake();
            return;
        }
        for (int i = random.nextInt(3); i >= 0; i--) {
            change();
        }
    }

    static CapacityFile of(long seed) {
        return new CapacityFile(seed);
    }

    CapacityFile changed(long seed) {
        return new CapacityFile(this, seed);
    }

    /** With no limits of applications and masters, and with a least part for each user of every other leaf. */
    CapacityFile forManyUsers() {
        properties
                .keySet()
                .removeIf(name -> name.endsWith("maximum-applications")
                        || name.endsWith("maximum-am-resource-percent")
                        || name.endsWith("minimum-user-limit-percent")
                        || name.endsWith("queue-mappings"));
        set("maximum-am-resource-percent", "1");
        for (int i = 0; i < leaves.size(); i += 2) {
            set(leaves.get(i) + ".minimum-user-limit-percent", "25");
        }
        return this;
    }

    /** Whether each of a few users of a leaf is promised an equal part. */
    boolean dividesEvenly(String leaf) {
        return properties.containsKey(leaf + ".minimum-user-limit-percent");
    }

    /** Paths of the queues that take applications. */
    List<String> leaves() {
        return leaves;
    }

    /** Few where vcores do not count, so that one sees whether they do. */
    int vcoresOfNodes() {
        return properties.containsKey("resource-calculator") ? 100 : 10;
    }

    /**
     * Those of the names that not several queues have: those CapacityScheduler refuses, and here the one below root is
     * meant.
     */
    List<String> unambiguous(List<String> names) {
        return names.stream()
                .filter(name -> queues.stream()
                                .filter(path -> path.endsWith("." + name.substring(name.lastIndexOf('.') + 1)))
                                .count()
                        < 2)
                .toList();
    }

    String xml() {
        return xml(properties);
    }

    static String xml(SortedMap<String, String> properties) {
        StringBuilder xml = new StringBuilder("<configuration>\n");
        properties.forEach((name, value) -> xml.append("<property><name>")
                .append(PREFIX)
                .append(name)
                .append("</name><value>")
                .append(value)
                .append("</value></property>\n"));
        return xml.append("</configuration>\n").toString();
    }

    private void set(String name, String value) {
        properties.put(name, value);
    }

    private void sometimes(int oneIn, String name, String... values) {
        if (random.nextInt(oneIn) == 0) {
            set(name, values[random.nextInt(values.length)]);
        }
    }

    private void access(String path) {
        sometimes(2, path + ".acl_submit_applications", ACCESS.toArray(String[]::new));
        sometimes(3, path + ".acl_administer_queue", ACCESS.toArray(String[]::new));
    }

    private void children(String path, int depth) {
        List<String> names = new ArrayList<>(NAMES);
        Collections.shuffle(names, random);
        names = names.subList(0, 2 + random.nextInt(2));
        set(path + ".queues", String.join(random.nextBoolean() ? "," : ", ", names));
        boolean weights = random.nextInt(4) == 0;
        int left = random.nextInt(12) == 0 ? 90 : 100;
        for (int i = 0; i < names.size(); i++) {
            boolean last = i == names.size() - 1;
            int capacity = last ? left : 10 + random.nextInt(left - 10 * (names.size() - i));
            left -= capacity;
            String child = path + "." + names.get(i);
            queues.add(child);
            set(child + ".capacity", weights ? (1 + random.nextInt(4)) + "w" : String.valueOf(capacity));
            sometimes(
                    2,
                    child + ".maximum-capacity",
                    String.valueOf(Math.min(100, capacity + random.nextInt(60))),
                    "100");
            access(child);
            sometimes(12, child + ".state", "STOPPED", "RUNNING");
            if (depth < 1 && random.nextInt(3) == 0) {
                children(child, depth + 1);
            } else {
                leaf(child);
            }
        }
    }

    private void leaf(String path) {
        leaves.add(path);
        sometimes(2, path + ".user-limit-factor", "1", "2", "0.5", "-1", "100");
        sometimes(4, path + ".maximum-am-resource-percent", "0.1", "0.3", "1.0");
        sometimes(6, path + ".maximum-applications", "3", "100");
        sometimes(4, path + ".ordering-policy", "fifo", "fair");
        sometimes(8, path + ".minimum-user-limit-percent", "25", "100");
    }

    // ---- changes at run time ----

    private void change() {
        String leaf = leaves.get(random.nextInt(leaves.size()));
        switch (random.nextInt(7)) {
            case 0 -> swapCapacities(leaf);
            case 1 -> access(leaf);
            case 2 -> set(leaf + ".user-limit-factor", String.valueOf(1 + random.nextInt(3)));
            case 3 -> set(leaf + ".maximum-capacity", String.valueOf(70 + random.nextInt(31)));
            case 4 -> set(leaf + ".state", "STOPPED");
            case 5 ->
                leaves.stream()
                        .filter(each -> "STOPPED".equals(properties.get(each + ".state")))
                        .forEach(each -> set(each + ".state", "RUNNING"));
            default -> add(leaf);
        }
    }

    private void mistake() {
        String leaf = leaves.get(random.nextInt(leaves.size()));
        String capacity = leaf + ".capacity";
        switch (random.nextInt(4)) {
            case 0 -> set(capacity, isWeight(capacity) ? "50" : String.valueOf(number(capacity) + 7));
            case 1 -> set(leaf + ".state", "PAUSED");
            case 2 -> set("queue-mappings", "u:alice:missing");
            default -> remove(leaf);
        }
    }

    private boolean isWeight(String capacity) {
        return String.valueOf(properties.get(capacity)).endsWith("w");
    }

    private int number(String capacity) {
        return Integer.parseInt(String.valueOf(properties.get(capacity)).replace("w", ""));
    }

    private String sibling(String queue) {
        String parent = parent(queue);
        return queues.stream()
                .filter(other -> !other.equals(queue) && parent(other).equals(parent))
                .findFirst()
                .orElse(queue);
    }

    private static String parent(String queue) {
        return queue.substring(0, queue.lastIndexOf('.'));
    }

    private void swapCapacities(String queue) {
        String other = sibling(queue);
        String own = String.valueOf(properties.get(queue + ".capacity"));
        set(queue + ".capacity", String.valueOf(properties.get(other + ".capacity")));
        set(other + ".capacity", own);
    }

    /** A new leaf beside another, with a part of its capacity. */
    private void add(String beside) {
        String fresh = parent(beside) + ".fresh";
        String capacity = beside + ".capacity";
        if (queues.contains(fresh) || number(capacity) < 2) {
            return;
        }
        String end = isWeight(capacity) ? "w" : "";
        set(fresh + ".capacity", "1" + end);
        set(capacity, number(capacity) - 1 + end);
        properties.merge(parent(beside) + ".queues", ",fresh", String::concat);
        set(fresh + ".maximum-applications", "9");
        queues.add(fresh);
        leaves.add(fresh);
    }

    /** A leaf is no longer there, though it was not stopped before. */
    private void remove(String leaf) {
        String list = parent(leaf) + ".queues";
        String name = leaf.substring(leaf.lastIndexOf('.') + 1);
        if (sibling(leaf).equals(leaf)) {
            return;
        }
        String capacity = sibling(leaf) + ".capacity";
        int both = number(capacity) + number(leaf + ".capacity");
        set(capacity, both + (isWeight(capacity) ? "w" : ""));
        set(
                list,
                Arrays.stream(String.valueOf(properties.get(list)).split(",", -1))
                        .map(String::strip)
                        .filter(each -> !each.equals(name))
                        .collect(Collectors.joining(",")));
        properties.keySet().removeIf(key -> key.startsWith(leaf + "."));
        queues.remove(leaf);
        leaves.remove(leaf);
    }

    private void mappings() {
        if (random.nextBoolean()) {
            return;
        }
        List<String> all = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            String leaf = leaves.get(random.nextInt(leaves.size()));
            all.add(
                    switch (random.nextInt(6)) {
                        case 0 -> "u:alice:" + leaf;
                        case 1 -> "g:physics:" + leaf;
                        case 2 -> "u:bob:" + leaf.substring(leaf.lastIndexOf('.') + 1);
                        case 3 -> unambiguous(List.of("alice")).isEmpty() ? "u:alice:" + leaf : "u:%user:%user";
                        case 4 -> "u:%user:root.%primary_group";
                        default -> "g:staff:root.%secondary_group";
                    });
        }
        set("queue-mappings", String.join(",", all));
        sometimes(2, "queue-mappings-override.enable", "true", "false");
    }
}
