// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.fair;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.schema.ConfigSchema;
import org.heddle.scheduler.config.xml.ConfigNode;
import org.heddle.scheduler.config.xml.Problems;
import org.heddle.scheduler.model.PlacementStep;
import org.heddle.scheduler.model.PlacementStep.Kind;
import org.heddle.scheduler.model.PlacementStep.Missing;
import org.jspecify.annotations.Nullable;

/** Reads {@code <queuePlacementPolicy>}, or makes the policy from FairScheduler's keys. */
final class FairPlacementReader {
    private static final String DEFAULT_QUEUE = ConfigSchema.ROOT_QUEUE + ".default";
    private static final String NESTED = "nestedUserQueue";
    private static final Map<String, Kind> KINDS = Map.of(
            "user",
            Kind.USER,
            "primaryGroup",
            Kind.PRIMARY_GROUP,
            "secondaryGroupExistingQueue",
            Kind.SECONDARY_GROUP,
            "specified",
            Kind.SPECIFIED,
            NESTED,
            Kind.USER,
            "default",
            Kind.FIXED,
            "reject",
            Kind.REJECT);

    private final Problems problems;

    FairPlacementReader(Problems problems) {
        this.problems = problems;
    }

    static List<PlacementStep> fromKeys(boolean undeclared, boolean userAsDefault) {
        Missing missing = undeclared ? Missing.CREATE : Missing.PASS;
        List<PlacementStep> steps = new ArrayList<>();
        steps.add(step(Kind.SPECIFIED, missing, "", null));
        if (userAsDefault) {
            steps.add(step(Kind.USER, missing, "", null));
        }
        if (!userAsDefault || !undeclared) {
            steps.add(step(Kind.FIXED, Missing.CREATE, DEFAULT_QUEUE, null));
        }
        return steps;
    }

    private static PlacementStep step(Kind kind, Missing missing, String queue, @Nullable PlacementStep under) {
        return new PlacementStep(kind, ConfigSchema.ROOT_QUEUE, queue, missing, under);
    }

    List<PlacementStep> read(ConfigNode policy) {
        List<PlacementStep> steps = new ArrayList<>();
        ConfigNode answersAlways = null;
        for (ConfigNode rule : rules(policy)) {
            if (answersAlways != null) {
                problems.add(
                        rule.line(),
                        rule.tag() + " name",
                        rule.attribute("name"),
                        "is never reached, because " + answersAlways.attribute("name") + " on line "
                                + answersAlways.line() + " answers always; remove it or move it up");
            }
            PlacementStep step = read(rule, true);
            if (step != null) {
                steps.add(step);
                answersAlways = step.answersAlways() ? rule : answersAlways;
            }
        }
        if (answersAlways == null && problems.isEmpty()) {
            String problem = "has no rule inside; give some or remove it";
            if (!steps.isEmpty()) {
                problem = "has rules that may all pass an application over; end with <rule name=\"default\"/> or"
                        + " <rule name=\"reject\"/>";
            }
            problems.add(policy.line(), policy.tag(), "", problem);
        }
        return steps;
    }

    private List<ConfigNode> rules(ConfigNode element) {
        List<ConfigNode> rules = new ArrayList<>();
        for (ConfigNode child : element.children()) {
            if (child.name().equalsIgnoreCase("rule")) {
                rules.add(child);
            } else {
                problems.warn(child.line(), child.tag(), "", FairQueueReader.unknown(child, List.of("rule")));
            }
        }
        return rules;
    }

    private @Nullable PlacementStep read(ConfigNode rule, boolean outermost) {
        String name = rule.attributes().getOrDefault("name", "");
        Kind kind = KINDS.get(name);
        if (kind == null) {
            problems.add(rule.line(), rule.tag() + " name", name, KnownNames.choices(name, KINDS.keySet()));
            return null;
        }
        List<ConfigNode> parents = rules(rule);
        if (outermost) {
            checkParents(rule, name, kind, parents);
        }
        PlacementStep under = outermost && !parents.isEmpty() ? read(parents.get(parents.size() - 1), false) : null;
        String create = rule.attributes().getOrDefault("create", "");
        boolean creates = create.isEmpty() || create.equalsIgnoreCase("true");
        if (!create.isEmpty() && !creates && !create.equalsIgnoreCase("false")) {
            problems.warn(rule.line(), rule.tag() + " create", create, "counts as false, as under FairScheduler");
        }
        Missing missing =
                creates && kind != Kind.SECONDARY_GROUP && kind != Kind.REJECT ? Missing.CREATE : Missing.PASS;
        return step(kind, missing, kind == Kind.FIXED ? queue(rule) : "", under);
    }

    private void checkParents(ConfigNode rule, String name, Kind kind, List<ConfigNode> parents) {
        if (parents.isEmpty()) {
            if (name.equals(NESTED)) {
                problems.add(
                        rule.line(), rule.tag() + " name", name, "needs a <rule> inside that finds the queue above");
            }
            return;
        }
        ConfigNode parent = parents.get(parents.size() - 1);
        if (parents.size() > 1) {
            problems.warn(
                    rule.line(),
                    rule.tag() + " name",
                    name,
                    "has several rules inside; only the last one counts, as under FairScheduler");
        }
        String parentName = parent.attributes().getOrDefault("name", "");
        if (kind == Kind.SPECIFIED || kind == Kind.FIXED || kind == Kind.REJECT) {
            problems.add(rule.line(), rule.tag() + " name", name, "takes no rule inside; remove it");
        } else if (parentName.equals("reject") || parentName.equals(NESTED)) {
            problems.add(
                    parent.line(), parent.tag() + " name", parentName, "must not stand inside another rule; remove it");
        } else if (KINDS.get(parentName) == kind) {
            problems.add(
                    parent.line(),
                    parent.tag() + " name",
                    parentName,
                    "is of the same kind as the rule around it; use another one");
        }
    }

    /** The queue of a default rule, with root in front. */
    private String queue(ConfigNode rule) {
        String name = rule.attributes().getOrDefault("queue", "");
        boolean valid = name.equals(FairQueueReader.trim(name)) && !name.startsWith(".") && !name.endsWith(".");
        if (!valid) {
            problems.warn(
                    rule.line(),
                    rule.tag() + " queue",
                    name,
                    "is no name of a queue, so " + DEFAULT_QUEUE + " counts, as under FairScheduler");
        }
        return !valid || name.isEmpty() ? DEFAULT_QUEUE : underRoot(name);
    }

    /** A path with root in front, whether it was written or not. */
    static String underRoot(String name) {
        if (name.equals(ConfigSchema.ROOT_QUEUE) || name.startsWith(ConfigSchema.ROOT_QUEUE + ".")) {
            return name;
        }
        return ConfigSchema.ROOT_QUEUE + "." + name;
    }
}
