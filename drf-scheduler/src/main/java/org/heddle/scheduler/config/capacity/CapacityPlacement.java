// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.capacity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.schema.ConfigSchema;
import org.heddle.scheduler.model.PlacementCondition;
import org.heddle.scheduler.model.PlacementStep;
import org.heddle.scheduler.model.PlacementStep.Kind;
import org.heddle.scheduler.model.PlacementStep.Missing;
import org.jspecify.annotations.Nullable;

/**
 * Reads the mappings of users, groups and names of applications to queues. An application that a mapping leads to no queue
 * goes to {@code root.default}, as under CapacityScheduler.
 */
final class CapacityPlacement {
    static final String MAPPINGS = CapacityProperties.PREFIX + "queue-mappings";
    static final String BY_APPLICATION = "yarn.scheduler.queue-placement-rules.app-name";

    private static final String OVERRIDE = MAPPINGS + "-override.enable";
    private static final String FORMAT = CapacityProperties.PREFIX + "mapping-rule-format";
    private static final String DEFAULT = ConfigSchema.ROOT_QUEUE + ".default";

    private final CapacityProperties properties;
    private final CapacityQueue root;
    private final Map<String, CapacityQueue> byPath;
    /** A last name that several queues have is here with none of them. */
    private final Map<String, @Nullable CapacityQueue> byName = new HashMap<>();

    private final List<PlacementStep> steps = new ArrayList<>();
    private boolean unnamed;

    CapacityPlacement(CapacityProperties properties, CapacityQueue root) {
        this.properties = properties;
        this.root = root;
        this.byPath = root.all().collect(Collectors.toMap(queue -> queue.path, queue -> queue, (one, twin) -> one));
        root.all().forEach(queue -> byName.put(queue.name(), byName.containsKey(queue.name()) ? null : queue));
    }

    List<PlacementStep> read() {
        unnamed = !properties.is(OVERRIDE, false);
        String format = properties.get(FORMAT);
        if (format != null && !format.isEmpty() && !format.equals("legacy")) {
            properties.add(
                    FORMAT,
                    "is not read here: write the rules as queue-mappings (u:USER:QUEUE, g:GROUP:QUEUE) and set legacy,"
                            + " or as <placement> of a heddle-scheduler.xml");
        }
        for (String mapping : properties.list(MAPPINGS)) {
            String[] parts = split(mapping);
            if (parts.length != 3 || Arrays.stream(parts).anyMatch(String::isEmpty)) {
                properties.add(MAPPINGS, "has '" + mapping + "', which must be u:USER:QUEUE or g:GROUP:QUEUE");
            } else if (parts[0].equals("u")) {
                boolean everyone = parts[1].equals(PlacementStep.USER_VARIABLE);
                map(MAPPINGS, condition(everyone ? Set.of() : Set.of(parts[1]), Set.of(), Set.of()), parts[2]);
            } else if (parts[0].equals("g")) {
                map(MAPPINGS, condition(Set.of(), Set.of(parts[1]), Set.of()), parts[2]);
            } else {
                properties.add(MAPPINGS, "has '" + mapping + "', which must begin with u: or g:");
            }
        }
        for (String mapping : properties.list(BY_APPLICATION)) {
            String[] parts = split(mapping);
            if (parts.length != 2 || Arrays.stream(parts).anyMatch(String::isEmpty)) {
                properties.add(BY_APPLICATION, "has '" + mapping + "', which must be APPLICATION:QUEUE");
            } else {
                boolean every = parts[0].equals(PlacementStep.APPLICATION_VARIABLE);
                map(BY_APPLICATION, condition(Set.of(), Set.of(), every ? Set.of() : Set.of(parts[0])), parts[1]);
            }
        }
        steps.add(new PlacementStep(Kind.SPECIFIED, ConfigSchema.ROOT_QUEUE, ""));
        steps.add(new PlacementStep(Kind.REJECT, ConfigSchema.ROOT_QUEUE, ""));
        return reached();
    }

    /** The steps up to the first one that answers for every application. */
    private List<PlacementStep> reached() {
        int last = 0;
        while (!steps.get(last).answersAlways()) {
            last++;
        }
        return steps.subList(0, last + 1);
    }

    /** Whether any step creates queues. */
    boolean createsQueues() {
        return steps.stream().anyMatch(step -> step.missing() == Missing.CREATE);
    }

    private static String[] split(String mapping) {
        return Arrays.stream(mapping.split(":", -1)).map(String::strip).toArray(String[]::new);
    }

    private PlacementCondition condition(Set<String> users, Set<String> groups, Set<String> applications) {
        return new PlacementCondition(users, groups, applications, unnamed);
    }

    private void map(String key, PlacementCondition condition, String target) {
        if (Arrays.stream(target.split("\\.", -1)).anyMatch(String::isEmpty)) {
            properties.add(key, "names queue '" + target + "', in which a part is empty; write one dot between names");
            return;
        }
        if (target.indexOf('%') < 0) {
            fixed(key, condition, target);
            return;
        }
        for (String part : target.split("\\.", -1)) {
            if (part.startsWith("%") && !PlacementStep.VARIABLES.contains(part)) {
                properties.add(
                        key, "has a variable " + part + "; it " + KnownNames.choices(part, PlacementStep.VARIABLES));
                return;
            }
        }
        CapacityQueue above = above(key, target);
        if (above != null) {
            Missing missing = above.createsQueues ? Missing.CREATE : Missing.PASS;
            steps.add(new PlacementStep(Kind.FIXED, ConfigSchema.ROOT_QUEUE, target, missing, null, condition));
            fallback(condition);
        }
    }

    private void fixed(String key, PlacementCondition condition, String target) {
        if (byName.containsKey(target) && byName.get(target) == null) {
            properties.add(
                    key,
                    "names queue " + target + ", but several queues are called so: write its path, one of "
                            + root.all()
                                    .filter(one -> one.name().equals(target))
                                    .map(one -> one.path)
                                    .collect(Collectors.joining(", ")));
            return;
        }
        CapacityQueue queue = find(target);
        int dot = target.lastIndexOf('.');
        CapacityQueue above = dot < 0 ? null : find(target.substring(0, dot));
        if (queue != null && queue.isLeaf()) {
            steps.add(step(condition, queue.path, Missing.REFUSE));
        } else if (queue == null && above != null && above.createsQueues) {
            steps.add(step(condition, above.path + target.substring(dot), Missing.CREATE));
        } else if (queue == null) {
            properties.add(
                    key,
                    "names queue " + target + ", which is not there: it "
                            + KnownNames.choices(
                                    target.startsWith(root.path + ".") ? target : root.path + "." + target, leaves()));
        } else {
            properties.add(
                    key,
                    "names queue " + target + ", which has queues inside and takes no applications; name one"
                            + " of those");
        }
    }

    private List<String> leaves() {
        return root.all().filter(CapacityQueue::isLeaf).map(queue -> queue.path).toList();
    }

    private static PlacementStep step(PlacementCondition condition, String path, Missing missing) {
        return new PlacementStep(Kind.FIXED, ConfigSchema.ROOT_QUEUE, path, missing, null, condition);
    }

    /** The queue before the first variable, or root; null and a problem if there is none, or it is a leaf. */
    private @Nullable CapacityQueue above(String key, String target) {
        int variable = target.indexOf('%');
        if (variable == 0) {
            return root;
        }
        String path = target.substring(0, variable - 1);
        CapacityQueue above = find(path);
        if (above == null || above.isLeaf()) {
            properties.add(
                    key,
                    "names queue " + target + ", but " + path
                            + (above == null ? " is not there" : " is a leaf, which has no queues inside"));
            return null;
        }
        return above;
    }

    /** A mapping without a queue leads to root.default; without that the application is refused. */
    private void fallback(PlacementCondition condition) {
        CapacityQueue usual = byPath.get(DEFAULT);
        if (usual != null && usual.isLeaf()) {
            steps.add(step(condition, DEFAULT, Missing.REFUSE));
        } else {
            steps.add(new PlacementStep(Kind.REJECT, ConfigSchema.ROOT_QUEUE, "", Missing.PASS, null, condition));
        }
    }

    /** The queue of a path, with or without {@code root.}; its first part may be the last name of only one queue. */
    private @Nullable CapacityQueue find(String name) {
        CapacityQueue exact = byPath.get(name.startsWith(root.path + ".") ? name : root.path + "." + name);
        if (exact != null) {
            return exact;
        }
        int dot = name.indexOf('.');
        CapacityQueue first = byName.get(dot < 0 ? name : name.substring(0, dot));
        return first == null || dot < 0 ? first : byPath.get(first.path + name.substring(dot));
    }
}
