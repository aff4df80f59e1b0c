// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.read;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.schema.ConfigSchema;
import org.heddle.scheduler.config.schema.ElementSchema;
import org.heddle.scheduler.config.schema.PlanSchema;
import org.heddle.scheduler.config.xml.ConfigNode;
import org.heddle.scheduler.config.xml.Problems;
import org.heddle.scheduler.model.AccessList;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.NewQueues;
import org.heddle.scheduler.model.Partitions;
import org.heddle.scheduler.model.Plan;
import org.heddle.scheduler.model.PriorityLimit;
import org.heddle.scheduler.model.QueueSetting;
import org.heddle.scheduler.model.QueueSetting.Trait;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.Weights;
import org.heddle.settings.ValueKind;
import org.jspecify.annotations.Nullable;

/** Reads {@code <queue>} and everything inside it. */
final class QueueReader {
    private static final int LONGEST_NAME = 255;
    /** The dot separates the parts of a path; the others cannot stand in the names of Hadoop's queue metrics. */
    private static final String FORBIDDEN = ".,=:*?\"";

    private final KnownNames names;
    private final Problems problems;
    private final LimitReader limits;
    private final LabelReader labels;
    /** Limits and lists need not agree with those above. */
    private final boolean lenient;

    QueueReader(KnownNames names, Problems problems, boolean lenient) {
        this.names = names;
        this.problems = problems;
        this.limits = new LimitReader(names, problems);
        this.labels = new LabelReader(problems, limits);
        this.lenient = lenient;
    }

    QueueSpec readRoot(ConfigNode element) {
        String name = element.attribute("name");
        if (!name.isEmpty() && !name.equals(ConfigSchema.ROOT_QUEUE)) {
            problems.add(element.line(), "<queue name>", name, "must be root for the outermost queue");
        }
        return read(element, new Place(QueueSpec.root(), null));
    }

    /** A queue while it is read. */
    static final class Place {
        /** The queue above; null for the root. */
        final @Nullable Place above;
        /** At first what it has if the file says nothing. */
        QueueSpec queue;

        Place(QueueSpec queue, @Nullable Place above) {
            this.queue = queue;
            this.above = above;
        }

        <T> void set(QueueSetting<T> setting, T value) {
            queue = queue.with(setting, value);
        }

        /** The smallest value on the way from the root. */
        <T> T smallest(QueueSetting<T> setting) {
            T own = queue.get(setting);
            return above == null ? own : setting.smaller(own, above.smallest(setting));
        }

        /** Path of the next queue above that admits everyone; empty if there is none. */
        String openAbove(QueueSetting<AccessList> list) {
            if (above == null) {
                return "";
            }
            return above.queue.get(list).everyone() ? above.queue.path() : above.openAbove(list);
        }
    }

    private QueueSpec read(ConfigNode element, Place here) {
        Set<String> inherited = here.queue.get(QueueSettings.NODE_LABELS);
        QueueSettings.ALL.forEach(setting -> read(element, setting, here));
        here.set(QueueSettings.WEIGHT, weights(element));
        here.set(QueueSettings.PRIORITIES, priorities(element));
        here.set(QueueSettings.USER_WEIGHTS, userWeights(element));
        checkLabels(element, here, inherited);
        here.set(QueueSettings.LABEL_CAPACITIES, labels.read(element, here));
        Optional<Plan> plan = element.child(PlanSchema.PLAN).map(inside -> PlanReader.read(inside, problems));
        here.set(QueueSettings.PLAN, plan);
        List<QueueSpec> children = children(element, here);
        QueueSpec queue =
                here.queue.withParent(isParent(element) || plan.isPresent()).withChildren(children);
        if (!queue.isLeaf()) {
            refuseLeafSettings(element);
        }
        if (queue.isPlan() && (!children.isEmpty() || here.above == null)) {
            problems.add(
                    element.line(),
                    element.tag() + " name",
                    element.attribute("name"),
                    "must have no queues inside and not be root, because of its <plan>: reservations become the queues"
                            + " inside it");
        }
        return queue;
    }

    /** The settings of queues that are created for applications. */
    QueueSpec readTemplate(ConfigNode element) {
        Place template = new Place(NewQueues.DEFAULTS, null);
        QueueSettings.ALL.stream()
                .filter(setting -> setting.is(Trait.FOR_NEW_QUEUES))
                .forEach(setting -> read(element, setting, template));
        return template.queue;
    }

    /** Reads a setting into its queue; those of the form {@code OWN} are read one by one. */
    private <T> void read(ConfigNode element, QueueSetting<T> setting, Place here) {
        switch (setting.form()) {
            case TEXT, ORDER -> here.set(setting, value(element, setting, here));
            case AMOUNTS -> {
                QueueSetting<Amounts> amounts = setting.as(Amounts.class);
                Amounts most = Objects.requireNonNullElse(most(amounts, here), Amounts.UNLIMITED);
                here.set(amounts, limits.read(element, ConfigSchema.of(setting), most, owner(setting)));
            }
            case PEOPLE -> here.set(setting.as(AccessList.class), access(element, setting.as(AccessList.class), here));
            case OWN -> {}
        }
    }

    private <T> T value(ConfigNode element, QueueSetting<T> setting, Place here) {
        ElementSchema.Valued<T> rule = ConfigSchema.valuedOf(setting);
        T most = most(setting, here);
        ConfigNode child = element.child(rule.element()).orElse(null);
        if (child == null) {
            T usual = here.queue.get(setting);
            return setting.is(Trait.INHERITED) && most != null ? setting.smaller(usual, most) : usual;
        }
        T value = problems.value(element, rule);
        if (setting.form() == QueueSetting.Form.ORDER && !names.orders().contains(value)) {
            problems.add(
                    child.line(), child.tag(), value.toString(), KnownNames.choices(value.toString(), names.orders()));
        }
        if (most != null && !setting.smaller(value, most).equals(value)) {
            String limit = owner(setting) + ", " + (most instanceof Long millis ? millis / 1000 + " s" : most);
            problems.add(
                    child.line(),
                    child.tag(),
                    child.text(),
                    "must not " + (most instanceof Long ? "be longer than" : "exceed") + " the limit of " + limit);
        }
        return value;
    }

    /** The largest value that a setting may have; null if any. */
    private <T> @Nullable T most(QueueSetting<T> setting, Place here) {
        QueueSetting<T> limit = setting.limit();
        Place where = setting.equals(limit) ? here.above : here;
        boolean checked = !lenient || setting.is(Trait.INHERITED);
        return checked && limit != null && where != null ? where.smallest(limit) : null;
    }

    /** The owner of the limit, for messages. */
    private static String owner(QueueSetting<?> setting) {
        return setting.equals(setting.limit()) ? "the queues above" : "the queue";
    }

    private void checkLabels(ConfigNode element, Place here, Set<String> most) {
        QueueSpec queue = here.queue;
        Set<String> accessible = queue.get(QueueSettings.NODE_LABELS);
        if (!most.contains("*") && !most.containsAll(accessible)) {
            element.child(ConfigSchema.of(QueueSettings.NODE_LABELS))
                    .ifPresent(child -> problems.add(
                            child.line(),
                            child.tag(),
                            child.text(),
                            "must name only labels of the queues above: " + String.join(", ", most)));
        }
        String usual = queue.get(QueueSettings.DEFAULT_NODE_LABEL);
        if (!new Partitions(accessible, usual, Map.of()).allows(usual)) {
            element.child(ConfigSchema.of(QueueSettings.DEFAULT_NODE_LABEL))
                    .ifPresent(child ->
                            problems.add(child.line(), child.tag(), usual, "must be one of the queue's <node-labels>"));
        }
    }

    private boolean isParent(ConfigNode element) {
        String type = element.attribute("type");
        if (!type.isEmpty() && !type.equals("parent")) {
            problems.add(element.line(), element.tag() + " type", type, "must be parent, or absent");
        }
        return type.equals("parent");
    }

    private List<QueueSpec> children(ConfigNode element, Place here) {
        List<QueueSpec> children = new ArrayList<>();
        Map<String, Integer> lines = new HashMap<>();
        for (ConfigNode child : element.children(ConfigSchema.QUEUE)) {
            String name = child.attribute("name");
            checkName(child, name);
            Integer twin = lines.putIfAbsent(name, child.line());
            if (twin != null && !name.isEmpty()) {
                problems.add(
                        child.line(),
                        "<queue name>",
                        name,
                        "is taken by the queue on line " + twin + "; two queues under "
                                + here.queue.path()
                                + " need different names");
            }
            children.add(read(child, new Place(here.queue.inside(name), here)));
        }
        return children;
    }

    private void checkName(ConfigNode queue, String name) {
        boolean legal = name.length() <= LONGEST_NAME
                && name.codePoints()
                        .noneMatch(c -> FORBIDDEN.indexOf(c) >= 0
                                || Character.isISOControl(c)
                                || Character.isWhitespace(c)
                                || Character.isSpaceChar(c)
                                || !Character.isDefined(c));
        if (!legal) {
            problems.add(
                    queue.line(),
                    "<queue name>",
                    name,
                    "must have none of " + FORBIDDEN + " and no blanks or control characters, and at most "
                            + LONGEST_NAME + " letters; write nested queues as nested elements");
        }
    }

    private void refuseLeafSettings(ConfigNode parent) {
        QueueSettings.ALL.stream()
                .filter(setting -> setting.is(Trait.LEAF_ONLY))
                .flatMap(setting -> parent.children(ConfigSchema.of(setting)).stream())
                .forEach(misplaced -> problems.add(
                        misplaced.line(),
                        misplaced.tag(),
                        misplaced.attribute("name"),
                        "is for leaf queues, and this queue has queues inside; move it to the leaves"));
    }

    private Weights weights(ConfigNode owner) {
        double base = 1;
        boolean given = false;
        Map<String, Double> byResource = new HashMap<>();
        for (ConfigNode element : owner.children(ConfigSchema.WEIGHT)) {
            double weight = problems.value(element, ValueKind.WEIGHT, 1.0);
            if (element.attributes().containsKey("resource")) {
                String resource = problems.resource(element, "resource", names);
                if (byResource.put(resource, weight) != null) {
                    problems.addDuplicate(element, "resource", resource);
                }
            } else if (given) {
                problems.add(element.line(), element.tag(), element.text(), "is given a second time; remove one");
            } else {
                base = weight;
                given = true;
            }
        }
        return new Weights(base, byResource);
    }

    /**
     * An access list. If it names users while a queue above admits everyone, it is refused, because it looks like a
     * restriction and is none.
     */
    private AccessList access(ConfigNode queue, QueueSetting<AccessList> setting, Place here) {
        ConfigNode element = queue.child(ConfigSchema.of(setting)).orElse(null);
        if (element == null) {
            return here.queue.get(setting);
        }
        Set<String> users = names(element, "users");
        Set<String> groups = names(element, "groups");
        if (users.contains("*") || groups.contains("*")) {
            if (users.size() + groups.size() > 1) {
                problems.add(
                        element.line(),
                        element.tag(),
                        String.join(",", users) + " " + String.join(",", groups),
                        "must not name others beside *, which is everyone");
            }
            return AccessList.EVERYONE;
        }
        String openAbove = here.openAbove(setting);
        if (!openAbove.isEmpty() && !lenient) {
            problems.add(
                    element.line(),
                    element.tag(),
                    here.queue.path(),
                    "has no effect, because " + openAbove + " admits everyone and access is inherited; write "
                            + element.tag().replace(">", "/>") + " in " + openAbove + " or remove this one");
        }
        return new AccessList(false, users, groups);
    }

    static Set<String> names(ConfigNode element, String attribute) {
        Set<String> names = new HashSet<>(List.of(element.attribute(attribute).split("[\\s,]+")));
        names.remove("");
        return names;
    }

    private List<PriorityLimit> priorities(ConfigNode element) {
        List<PriorityLimit> priorities = new ArrayList<>();
        for (ConfigNode one : element.children(ConfigSchema.MAX_APPLICATION_PRIORITY)) {
            Set<String> users = names(one, "users");
            Set<String> groups = names(one, "groups");
            boolean everyone = users.contains("*") || groups.contains("*") || (users.isEmpty() && groups.isEmpty());
            int most = problems.value(one, ValueKind.count(0), 0);
            priorities.add(new PriorityLimit(
                    everyone ? AccessList.EVERYONE : new AccessList(false, users, groups),
                    most,
                    usualPriority(one, most)));
        }
        return priorities;
    }

    private int usualPriority(ConfigNode element, int most) {
        String text = element.attribute("default");
        try {
            int usual = text.isEmpty() ? 0 : ValueKind.count(0).parse(text);
            if (usual <= most) {
                return usual;
            }
            problems.add(
                    element.line(), element.tag() + " default", text, "must not exceed the highest priority, " + most);
        } catch (IllegalArgumentException e) {
            problems.add(element.line(), element.tag() + " default", text, String.valueOf(e.getMessage()));
        }
        return 0;
    }

    private Map<String, Weights> userWeights(ConfigNode element) {
        Map<String, Weights> weights = new HashMap<>();
        for (ConfigNode user : element.children(ConfigSchema.USER)) {
            String name = user.attribute("name");
            if (weights.put(name, weights(user)) != null) {
                problems.addDuplicate(user, "name", name);
            }
        }
        return weights;
    }
}
