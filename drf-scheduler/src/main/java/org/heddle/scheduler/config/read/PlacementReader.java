// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.read;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.schema.ConfigSchema;
import org.heddle.scheduler.config.xml.ConfigNode;
import org.heddle.scheduler.config.xml.Problems;
import org.heddle.scheduler.model.PlacementCondition;
import org.heddle.scheduler.model.PlacementStep;
import org.heddle.scheduler.model.PlacementStep.Kind;
import org.heddle.scheduler.model.PlacementStep.Missing;
import org.heddle.scheduler.model.QueueSpec;
import org.jspecify.annotations.Nullable;

/** Reads {@code <placement>} and checks it against the queues. */
final class PlacementReader {
    static final List<PlacementStep> DEFAULT = List.of(
            new PlacementStep(Kind.SPECIFIED, ConfigSchema.ROOT_QUEUE, ""),
            new PlacementStep(Kind.REJECT, ConfigSchema.ROOT_QUEUE, ""));

    private static final Map<String, Kind> KINDS = Map.of(
            ConfigSchema.SPECIFIED.name(), Kind.SPECIFIED,
            ConfigSchema.USER_STEP.name(), Kind.USER,
            ConfigSchema.GROUP_STEP.name(), Kind.PRIMARY_GROUP,
            ConfigSchema.SECONDARY_STEP.name(), Kind.SECONDARY_GROUP,
            ConfigSchema.FIXED.name(), Kind.FIXED,
            ConfigSchema.REJECT.name(), Kind.REJECT);

    private final Problems problems;
    private final Map<String, QueueSpec> queues;
    private final boolean newQueues;

    /** @param newQueues whether queues may be created for applications */
    PlacementReader(Problems problems, QueueSpec root, boolean newQueues) {
        this.problems = problems;
        this.newQueues = newQueues;
        this.queues =
                root.all().collect(Collectors.toMap(QueueSpec::path, Function.identity(), (first, twin) -> first));
    }

    /** The steps; if the last one may find no queue, a reject step is added. */
    List<PlacementStep> read(ConfigNode placement) {
        List<PlacementStep> steps = new ArrayList<>();
        ConfigNode answersAlways = null;
        for (ConfigNode element : placement.children()) {
            Kind kind = KINDS.get(element.name());
            if (kind == null) {
                continue;
            }
            if (answersAlways != null) {
                problems.add(
                        element.line(),
                        element.tag(),
                        "",
                        "is never reached, because " + answersAlways.tag() + " on line " + answersAlways.line()
                                + " answers always; remove it or move it up");
            }
            PlacementStep step = step(element, kind);
            steps.add(step);
            if (step.answersAlways()) {
                answersAlways = element;
            }
        }
        if (answersAlways == null) {
            steps.add(new PlacementStep(Kind.REJECT, ConfigSchema.ROOT_QUEUE, ""));
        }
        return steps;
    }

    private PlacementStep step(ConfigNode element, Kind kind) {
        PlacementStep usual = new PlacementStep(kind, parent(element), "");
        Missing missing = missing(element, usual.missing());
        PlacementStep under = null;
        for (ConfigNode inside : element.children()) {
            Kind kindInside = KINDS.get(inside.name());
            if (under != null || !element.attribute("parent").isEmpty()) {
                problems.add(
                        inside.line(),
                        inside.tag(),
                        "",
                        "is one too many: " + element.tag()
                                + " looks under one queue, which its attribute parent or one step inside finds");
            } else if (kindInside != null) {
                under = step(inside, kindInside);
            }
        }
        PlacementStep step =
                new PlacementStep(kind, usual.parent(), fixed(element, kind), missing, under, condition(element));
        checkRoom(element, step);
        return step;
    }

    /** A step that can neither find nor create a queue refuses every application, so it is an error of the file. */
    private void checkRoom(ConfigNode element, PlacementStep step) {
        boolean creates = step.missing() == Missing.CREATE;
        switch (step.kind()) {
            case USER, PRIMARY_GROUP, SECONDARY_GROUP -> {
                QueueSpec leaf = element.attribute("parent").isEmpty() ? leafAbove(step) : null;
                if (leaf != null) {
                    problems.add(
                            element.line(),
                            element.tag(),
                            "",
                            "looks for queues under " + leaf.path() + ", which is a leaf: " + makeParent(leaf));
                }
            }
            case SPECIFIED -> {
                QueueSpec root = queues.get(ConfigSchema.ROOT_QUEUE);
                if (creates && root != null && root.isLeaf()) {
                    problems.add(
                            element.line(),
                            element.tag() + " missing",
                            "create",
                            "can create no queue, because root is a leaf: " + makeParent(root));
                }
            }
            case FIXED -> {
                String obstacle = creates && !step.hasVariables() ? obstacle(step.queue()) : null;
                if (obstacle != null) {
                    problems.add(
                            element.line(),
                            element.tag() + " queue",
                            step.queue(),
                            "cannot be created, because " + obstacle);
                }
            }
            case REJECT -> {}
        }
    }

    /**
     * The configured leaf under which a step looks; null if it looks under another kind of queue, or it is not known.
     */
    private @Nullable QueueSpec leafAbove(PlacementStep step) {
        PlacementStep under = step.under();
        if (under != null && under.kind() != Kind.FIXED) {
            return null;
        }
        QueueSpec above = queues.get(under == null ? step.parent() : under.queue());
        return above != null && above.isLeaf() ? above : null;
    }

    /** Why a queue with this path cannot be created, with the way out; null if it can, or is there. */
    private @Nullable String obstacle(String path) {
        if (path.isEmpty() || queues.containsKey(path)) {
            return null;
        }
        if (!path.startsWith(ConfigSchema.ROOT_QUEUE + ".")) {
            return "it does not begin with root.: give a full path";
        }
        for (String name : path.split("\\.", -1)) {
            if (name.isEmpty() || !name.equals(name.strip())) {
                return "a name in it is empty or has blanks at an end: write names with one dot between them";
            }
        }
        for (int dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
            QueueSpec above = queues.get(path.substring(0, dot));
            if (above != null) {
                return above.isLeaf() ? above.path() + " is a leaf: " + makeParent(above) : null;
            }
        }
        return null;
    }

    private static String makeParent(QueueSpec leaf) {
        return "put a queue inside " + leaf.name() + ", or write <queue name=\"" + leaf.name() + "\" type=\"parent\">";
    }

    private Missing missing(ConfigNode element, Missing usual) {
        String written = element.attribute("missing");
        List<String> known = List.of("refuse", "pass", "create");
        if (written.isEmpty()) {
            return usual;
        }
        if (!known.contains(written)) {
            problems.add(element.line(), element.tag() + " missing", written, KnownNames.choices(written, known));
            return usual;
        }
        if (written.equals("create") && !newQueues) {
            problems.add(
                    element.line(),
                    element.tag() + " missing",
                    written,
                    "needs <new-queues>, which says what they are like");
        }
        return Missing.valueOf(written.toUpperCase(Locale.ROOT));
    }

    private String parent(ConfigNode element) {
        String path = element.attribute("parent");
        if (path.isEmpty()) {
            return ConfigSchema.ROOT_QUEUE;
        }
        QueueSpec queue = find(element, "parent", path);
        if (queue != null && queue.isLeaf()) {
            problems.add(
                    element.line(),
                    element.tag() + " parent",
                    path,
                    "is a leaf, so no queue can be found under it; name a queue that has queues inside");
        }
        return path;
    }

    private String fixed(ConfigNode element, Kind kind) {
        String path = element.attribute("queue");
        if (kind != Kind.FIXED || path.isEmpty()) {
            return "";
        }
        if (path.indexOf('%') >= 0) {
            checkVariables(element, path);
            return path;
        }
        if (!element.attribute("missing").isEmpty()) {
            return path; // what happens if it is missing, or has queues inside, is said
        }
        QueueSpec queue = find(element, "queue", path);
        if (queue != null && !queue.isLeaf()) {
            problems.add(
                    element.line(),
                    element.tag() + " queue",
                    path,
                    "has queues inside and takes no applications; name a leaf");
        }
        return path;
    }

    private void checkVariables(ConfigNode element, String path) {
        for (String part : path.split("\\.", -1)) {
            if (part.indexOf('%') >= 0 && !PlacementStep.VARIABLES.contains(part)) {
                problems.add(
                        element.line(),
                        element.tag() + " queue",
                        path,
                        "has a part " + part + " that is no variable: a whole part of the path "
                                + KnownNames.choices(part, PlacementStep.VARIABLES));
            }
        }
    }

    private PlacementCondition condition(ConfigNode element) {
        String unnamed = element.attribute("unnamed");
        if (!unnamed.isEmpty() && !unnamed.equals("true") && !unnamed.equals("false")) {
            problems.add(element.line(), element.tag() + " unnamed", unnamed, "must be true or false");
        }
        return new PlacementCondition(
                QueueReader.names(element, "users"),
                QueueReader.names(element, "groups"),
                applications(element),
                unnamed.equals("true"));
    }

    /** Names of applications may have blanks in them. */
    private static Set<String> applications(ConfigNode element) {
        return Arrays.stream(element.attribute("applications").split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toSet());
    }

    private @Nullable QueueSpec find(ConfigNode element, String attribute, String path) {
        QueueSpec queue = queues.get(path);
        if (queue == null) {
            problems.add(
                    element.line(),
                    element.tag() + " " + attribute,
                    path,
                    "is not a queue of this file; give a full path: " + KnownNames.choices(path, queues.keySet()));
        }
        return queue;
    }
}
