// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.read;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.schema.ConfigSchema;
import org.heddle.scheduler.config.schema.ElementSchema;
import org.heddle.scheduler.config.schema.PlanSchema;
import org.heddle.scheduler.config.xml.ConfigNode;
import org.heddle.scheduler.config.xml.Problems;
import org.heddle.scheduler.model.AccessList;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.Lifetime;
import org.heddle.scheduler.model.Partitions;
import org.heddle.scheduler.model.Plan;
import org.heddle.scheduler.model.PriorityLimit;
import org.heddle.scheduler.model.QueuePreemptionSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.QueueTraits;
import org.heddle.scheduler.model.Weights;
import org.heddle.settings.ValueKind;

/** Reads {@code <queue>} and everything inside it. */
final class QueueReader {
    private static final int LONGEST_NAME = 255;
    /** The dot separates the parts of a path; the others cannot stand in the names of Hadoop's queue metrics. */
    private static final String FORBIDDEN = ".,=:*?\"";

    private static final List<ElementSchema> LEAF_ONLY = List.of(
            ConfigSchema.USER_ORDER.element(),
            ConfigSchema.DIVIDE_BY.element(),
            ConfigSchema.MAX_RESOURCES_PER_USER,
            ConfigSchema.MAX_RESOURCES_PER_APPLICATION,
            ConfigSchema.MAX_RUNNING_APPS_PER_USER.element(),
            ConfigSchema.MAX_AM_SHARE.element(),
            ConfigSchema.MAX_APPLICATION_PRIORITY,
            ConfigSchema.USER);

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
        return read(element, ConfigSchema.ROOT_QUEUE, Inherited.ROOT);
    }

    private QueueSpec read(ConfigNode element, String path, Inherited above) {
        Amounts max = limits.read(element, ConfigSchema.MAX_RESOURCES, above.limit(), "the queues above");
        Amounts within = lenient ? Amounts.UNLIMITED : Inherited.tighter(above.limit(), max);
        int maxApps =
                maxRunningApps(element, ConfigSchema.MAX_RUNNING_APPS, above.maxRunningApps(), "the queues above");
        AccessList submit = access(element, ConfigSchema.SUBMIT, path, above.openToSubmit());
        AccessList administer = access(element, ConfigSchema.ADMINISTER, path, above.openToAdminister());
        Lifetime lifetime = lifetime(element, above.lifetime());
        Partitions partitions = partitions(element, above.partitions());
        QueuePreemptionSettings protection = protection(element, within, above.protection());
        Inherited here = new Inherited(
                path,
                within,
                Math.min(maxApps, above.maxRunningApps()),
                submit.everyone() ? path : above.openToSubmit(),
                administer.everyone() ? path : above.openToAdminister(),
                lifetime,
                LabelReader.inside(partitions, above.partitions()),
                protection);
        List<QueueSpec> children = children(element, here);
        boolean plan = element.child(PlanSchema.PLAN).isPresent();
        refuseLeafSettingsOfParents(element, !children.isEmpty() || isParent(element) || plan);
        if (plan && (!children.isEmpty() || path.equals(ConfigSchema.ROOT_QUEUE))) {
            problems.add(
                    element.line(),
                    element.tag() + " name",
                    element.attribute("name"),
                    "must have no queues inside and not be root, because of its <plan>: reservations become the queues"
                            + " inside it");
        }
        return new QueueSpec(
                path,
                weights(element),
                problems.order(element, ConfigSchema.ORDER, names),
                problems.order(element, ConfigSchema.USER_ORDER, names),
                max,
                limits.read(element, ConfigSchema.MAX_RESOURCES_PER_USER, within, "the queue"),
                maxApps,
                maxRunningApps(element, ConfigSchema.MAX_RUNNING_APPS_PER_USER, here.maxRunningApps(), "the queue"),
                problems.value(element, ConfigSchema.MAX_AM_SHARE),
                submit,
                administer,
                userWeights(element),
                traits(element, within),
                lifetime,
                partitions,
                protection,
                children);
    }

    private Lifetime lifetime(ConfigNode element, Lifetime above) {
        long most = inherited(element, ConfigSchema.MAX_APPLICATION_LIFETIME, above.mostMillis());
        long usual = inherited(element, ConfigSchema.DEFAULT_APPLICATION_LIFETIME, Math.min(above.usualMillis(), most));
        refuseLonger(element, ConfigSchema.MAX_APPLICATION_LIFETIME, most, above.mostMillis(), "the queues above");
        refuseLonger(element, ConfigSchema.DEFAULT_APPLICATION_LIFETIME, usual, most, "the queue");
        return new Lifetime(most, usual);
    }

    private void refuseLonger(ConfigNode queue, ElementSchema.Valued<Long> rule, long millis, long most, String owner) {
        if (millis > most) {
            queue.child(rule.element())
                    .ifPresent(child -> problems.add(
                            child.line(),
                            child.tag(),
                            child.text(),
                            "must not be longer than the limit of " + owner + ", " + most / 1000 + " s"));
        }
    }

    private Partitions partitions(ConfigNode element, Partitions above) {
        Set<String> accessible = inherited(element, ConfigSchema.NODE_LABELS, above.accessible());
        if (!above.accessible().contains("*") && !above.accessible().containsAll(accessible)) {
            element.child(ConfigSchema.NODE_LABELS.element())
                    .ifPresent(child -> problems.add(
                            child.line(),
                            child.tag(),
                            child.text(),
                            "must name only labels of the queues above: " + String.join(", ", above.accessible())));
        }
        String usual = inherited(element, ConfigSchema.DEFAULT_NODE_LABEL, above.usual());
        Partitions partitions = new Partitions(accessible, usual, Map.of());
        if (!partitions.allows(usual)) {
            element.child(ConfigSchema.DEFAULT_NODE_LABEL.element())
                    .ifPresent(child ->
                            problems.add(child.line(), child.tag(), usual, "must be one of the queue's <node-labels>"));
        }
        return new Partitions(accessible, usual, labels.read(element, partitions, above));
    }

    /** A guarantee is not inherited; the other preemption settings are inherited from the queue above. */
    private QueuePreemptionSettings protection(ConfigNode element, Amounts within, QueuePreemptionSettings above) {
        return new QueuePreemptionSettings(
                limits.read(element, ConfigSchema.GUARANTEED_RESOURCES, within, "the queue"),
                inherited(element, ConfigSchema.ALLOW_PREEMPTION_FROM, above.revocable()),
                inherited(element, ConfigSchema.GUARANTEE_PREEMPTION_TIMEOUT, above.belowGuaranteeMillis()),
                inherited(element, ConfigSchema.FAIR_SHARE_PREEMPTION_TIMEOUT, above.belowShareMillis()),
                inherited(element, ConfigSchema.FAIR_SHARE_PREEMPTION_THRESHOLD, above.threshold()),
                inherited(element, ConfigSchema.FAIR_SHARE_PREEMPTION_TARGET, above.restored()));
    }

    private <T> T inherited(ConfigNode element, ElementSchema.Valued<T> rule, T above) {
        return element.child(rule.element()).isPresent() ? problems.value(element, rule) : above;
    }

    private QueueTraits traits(ConfigNode element, Amounts within) {
        Plan plan = element.child(PlanSchema.PLAN)
                .map(inside -> PlanReader.read(inside, problems))
                .orElse(null);
        boolean parent = isParent(element) || plan != null;
        QueueTraits.Division division = problems.value(element, ConfigSchema.DIVIDE_BY);
        return new QueueTraits(
                parent,
                problems.value(element, ConfigSchema.STOPPED),
                problems.value(element, ConfigSchema.MAX_APPLICATIONS),
                problems.value(element, ConfigSchema.PRIORITY),
                priorities(element),
                division,
                limits.read(element, ConfigSchema.MAX_RESOURCES_PER_APPLICATION, within, "the queue"),
                limits.read(element, ConfigSchema.MAX_CONTAINER, Amounts.UNLIMITED, ""),
                limits.read(element, ConfigSchema.MAX_CHILD_RESOURCES, Amounts.UNLIMITED, ""),
                plan);
    }

    private boolean isParent(ConfigNode element) {
        String type = element.attribute("type");
        if (!type.isEmpty() && !type.equals("parent")) {
            problems.add(element.line(), element.tag() + " type", type, "must be parent, or absent");
        }
        return type.equals("parent");
    }

    private List<QueueSpec> children(ConfigNode element, Inherited here) {
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
                        "is taken by the queue on line " + twin + "; two queues under " + here.path()
                                + " need different names");
            }
            children.add(read(child, here.path() + "." + name, here));
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

    private void refuseLeafSettingsOfParents(ConfigNode element, boolean parent) {
        if (!parent) {
            return;
        }
        for (ElementSchema rule : LEAF_ONLY) {
            for (ConfigNode misplaced : element.children(rule)) {
                problems.add(
                        misplaced.line(),
                        misplaced.tag(),
                        misplaced.attribute("name"),
                        "is for leaf queues, and this queue has queues inside; move it to the leaves");
            }
        }
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

    private int maxRunningApps(ConfigNode element, ElementSchema.Valued<Integer> rule, int enclosing, String owner) {
        int apps = problems.value(element, rule);
        if (apps > enclosing && !lenient) {
            element.child(rule.element())
                    .ifPresent(limit -> problems.add(
                            limit.line(),
                            limit.tag(),
                            limit.text(),
                            "must not exceed the limit of " + owner + ", " + enclosing));
        }
        return apps;
    }

    /**
     * An access list. If it names users while a queue above admits everyone, it is refused, because it looks like a
     * restriction and is none.
     */
    private AccessList access(ConfigNode queue, ElementSchema rule, String path, String openAbove) {
        ConfigNode element = queue.child(rule).orElse(null);
        if (element == null) {
            boolean open = rule.equals(ConfigSchema.SUBMIT) && path.equals(ConfigSchema.ROOT_QUEUE);
            return open ? AccessList.EVERYONE : AccessList.NOBODY;
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
        if (!openAbove.isEmpty() && !lenient) {
            problems.add(
                    element.line(),
                    element.tag(),
                    path,
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
