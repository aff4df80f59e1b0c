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
 * Makes placement steps of the mappings of users, groups and names of applications to queues. An application that one
 * of {@code queue-mappings} leads to no queue goes to {@code root.default}, as under CapacityScheduler.
 */
final class CapacityPlacement {
    static final String MAPPINGS = CapacityProperties.PREFIX + "queue-mappings";
    static final String BY_APPLICATION = "yarn.scheduler.queue-placement-rules.app-name";

    private static final String OVERRIDE = MAPPINGS + "-override.enable";
    private static final String FORMAT = CapacityProperties.PREFIX + "mapping-rule-format";
    private static final String DEFAULT_VARIABLE = "%default";
    private static final String DEFAULT = ConfigSchema.ROOT_QUEUE + ".default";

    private final CapacityProperties properties;
    private final CapacityQueue root;
    private final boolean createsQueues;
    private final Map<String, CapacityQueue> byPath;
    /** A last name that several queues have is here with none of them. */
    private final Map<String, @Nullable CapacityQueue> byName = new HashMap<>();

    private final List<PlacementStep> steps = new ArrayList<>();
    /** The latest first. */
    private final List<Default> defaults = new ArrayList<>();

    private boolean unnamed;

    CapacityPlacement(CapacityProperties properties, CapacityQueue root) {
        this.properties = properties;
        this.root = root;
        this.createsQueues = root.createsQueues();
        this.byPath = root.all().collect(Collectors.toMap(queue -> queue.path, queue -> queue, (one, twin) -> one));
        root.all().forEach(queue -> byName.put(queue.name(), byName.containsKey(queue.name()) ? null : queue));
    }

    List<PlacementStep> read() {
        unnamed = !properties.is(OVERRIDE, false);
        String format = properties.get(FORMAT);
        if ("json".equals(format)) {
            new CapacityJsonRules(properties, this).read();
        } else if (format == null || format.isEmpty() || format.equals("legacy")) {
            legacy();
        } else {
            properties.add(FORMAT, "must be legacy or json");
        }
        steps.add(new PlacementStep(Kind.SPECIFIED, ConfigSchema.ROOT_QUEUE, ""));
        steps.add(new PlacementStep(Kind.REJECT, ConfigSchema.ROOT_QUEUE, ""));
        return reached();
    }

    private void legacy() {
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
    }

    /** The steps up to the first one that answers for every application. */
    private List<PlacementStep> reached() {
        int last = 0;
        while (!steps.get(last).answersAlways()) {
            last++;
        }
        return steps.subList(0, last + 1);
    }

    private static String[] split(String mapping) {
        return Arrays.stream(mapping.split(":", -1)).map(String::strip).toArray(String[]::new);
    }

    private void map(String key, PlacementCondition condition, String target) {
        place(key, condition, target, true, Fallback.DEFAULT);
    }

    /** Only applications that name no queue are mapped, unless mappings override what they name. */
    PlacementCondition condition(Set<String> users, Set<String> groups, Set<String> applications) {
        return new PlacementCondition(users, groups, applications, unnamed);
    }

    void reject(PlacementCondition condition) {
        steps.add(new PlacementStep(Kind.REJECT, ConfigSchema.ROOT_QUEUE, "", Missing.PASS, null, condition));
    }

    /** From here on another queue is the default of these applications. */
    void setDefault(PlacementCondition condition, String queue) {
        defaults.add(0, new Default(condition, queue));
    }

    /**
     * Places applications in a queue.
     *
     * @param target path in which variables may stand, also {@code %default}
     * @param create whether the queue may be created
     */
    void place(String key, PlacementCondition condition, String target, boolean create, Fallback fallback) {
        if (Arrays.asList(target.split("\\.", -1)).contains(DEFAULT_VARIABLE)) {
            for (Default each : defaultsOf(key, condition)) {
                placeIn(key, each.condition(), target.replace(DEFAULT_VARIABLE, each.queue()), create, fallback, false);
            }
        } else {
            placeIn(key, condition, target, create, fallback, true);
        }
    }

    private void placeIn(
            String key,
            PlacementCondition condition,
            String target,
            boolean create,
            Fallback fallback,
            boolean mustExist) {
        if (Arrays.stream(target.split("\\.", -1)).anyMatch(String::isEmpty)) {
            properties.add(key, "names queue '" + target + "', in which a part is empty; write one dot between names");
            return;
        }
        boolean ambiguous = byName.containsKey(target) && byName.get(target) == null;
        CapacityQueue queue = ambiguous ? null : find(target);
        if (queue != null && queue.isLeaf()) {
            steps.add(step(condition, queue.path, Missing.REFUSE));
            return;
        }
        String path = null;
        if (target.indexOf('%') >= 0) {
            path = leadsSomewhere(key, target) ? target : null;
        } else if (queue == null) {
            path = creatable(target);
        }
        if (path == null && mustExist && target.indexOf('%') < 0) {
            refuse(key, target, queue);
        } else if (path != null) {
            steps.add(step(condition, path, create && createsQueues ? Missing.CREATE : Missing.PASS));
        }
        fall(key, condition, fallback);
    }

    /** Whether a path with variables can lead to a queue; a problem if it cannot. */
    private boolean leadsSomewhere(String key, String target) {
        for (String part : target.split("\\.", -1)) {
            if (part.startsWith("%") && !PlacementStep.VARIABLES.contains(part)) {
                properties.add(
                        key, "has a variable " + part + "; it " + KnownNames.choices(part, PlacementStep.VARIABLES));
                return false;
            }
        }
        return isAbove(key, target);
    }

    /** The path of a queue that is not there and may be created; null if it may not. */
    private @Nullable String creatable(String target) {
        int levels = 1;
        for (int dot = target.lastIndexOf('.'); dot > 0; dot = target.lastIndexOf('.', dot - 1)) {
            CapacityQueue above = find(target.substring(0, dot));
            if (above != null) {
                return levels <= above.newLevels ? above.path + target.substring(dot) : null;
            }
            levels++;
        }
        return null;
    }

    private void refuse(String key, String target, @Nullable CapacityQueue queue) {
        if (byName.containsKey(target) && queue == null) {
            properties.add(
                    key,
                    "names queue " + target + ", but several queues are called so: write its path, one of "
                            + root.all()
                                    .filter(one -> one.name().equals(target))
                                    .map(one -> one.path)
                                    .collect(Collectors.joining(", ")));
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

    /** Whether there is a queue before the first variable that is no leaf, or may be created; else a problem. */
    private boolean isAbove(String key, String target) {
        int variable = target.indexOf('%');
        if (variable == 0) {
            return true;
        }
        String path = target.substring(0, variable - 1);
        CapacityQueue above = find(path);
        if (above == null ? creatable(path) == null : above.isLeaf()) {
            properties.add(
                    key,
                    "names queue " + target + ", but " + path
                            + (above == null ? " is not there" : " is a leaf, which has no queues inside"));
            return false;
        }
        return true;
    }

    /** What becomes of an application whose rule leads to no queue. */
    enum Fallback {
        /** The next rule is tried. */
        SKIP,
        /** It is refused. */
        REJECT,
        /** It goes to the default queue; without one it is refused. */
        DEFAULT
    }

    private void fall(String key, PlacementCondition condition, Fallback fallback) {
        if (fallback == Fallback.REJECT) {
            reject(condition);
        } else if (fallback == Fallback.DEFAULT) {
            defaultsOf(key, condition)
                    .forEach(each -> placeIn(key, each.condition(), each.queue(), false, Fallback.REJECT, false));
        }
    }

    /**
     * The default queue of some applications.
     *
     * @param queue path in which variables may stand
     */
    private record Default(PlacementCondition condition, String queue) {}

    /** The default queues of the applications that meet a condition: the first one whose condition holds counts. */
    private List<Default> defaultsOf(String key, PlacementCondition condition) {
        List<Default> all = new ArrayList<>();
        for (Default each : defaults) {
            PlacementCondition both = condition.and(each.condition());
            if (both == null) {
                properties.add(
                        key,
                        "sets a default queue for a group, which another rule with a group needs: place these"
                                + " applications in a queue of a name instead");
            } else if (!both.isNobody()) {
                all.add(new Default(both, each.queue()));
                if (both.equals(condition)) {
                    return all;
                }
            }
        }
        all.add(new Default(condition, DEFAULT));
        return all;
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
