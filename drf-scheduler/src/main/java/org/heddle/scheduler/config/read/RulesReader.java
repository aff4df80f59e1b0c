// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.read;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.schema.AllocationSchema;
import org.heddle.scheduler.config.schema.ConfigSchema;
import org.heddle.scheduler.config.schema.ResourceAmount;
import org.heddle.scheduler.config.xml.ConfigNode;
import org.heddle.scheduler.config.xml.Problems;
import org.heddle.scheduler.model.AllocationMode;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.ClusterRules;
import org.heddle.scheduler.model.MinimumOffer;
import org.heddle.scheduler.model.NewQueues;
import org.heddle.settings.ValueKind;

/** Reads the settings of the whole cluster in {@code heddle-scheduler.xml}. */
final class RulesReader {
    private final KnownNames names;
    private final Problems problems;
    private final LimitReader limits;

    RulesReader(KnownNames names, Problems problems) {
        this.names = names;
        this.problems = problems;
        this.limits = new LimitReader(names, problems);
    }

    ClusterRules read(ConfigNode root, ClusterRules.Compatibility compatibility) {
        ConfigNode users = root.child(ConfigSchema.USER_LIMITS).orElse(ConfigNode.absent("", root.line()));
        return new ClusterRules(
                compatibility,
                root.child(ConfigSchema.NEW_QUEUES).map(this::newQueues).orElse(null),
                limitsOfUsers(users),
                problems.value(users, ConfigSchema.DEFAULT_USER_LIMIT),
                problems.value(root, ConfigSchema.MEMORY_ONLY),
                problems.value(root, ConfigSchema.DYNAMIC_MAX_ASSIGN),
                increments(root),
                problems.value(root, ConfigSchema.SIZE_BASED_WEIGHT),
                root.child(ConfigSchema.MINIMUM_OFFER).map(this::minimumOffer).orElse(MinimumOffer.OFF),
                new AllocationMode(
                        problems.value(root, AllocationSchema.ALLOCATION),
                        problems.value(root, AllocationSchema.NODE_CHOICE)),
                problems.value(root, ConfigSchema.USAGE_HALF_LIFE));
    }

    private NewQueues newQueues(ConfigNode element) {
        return new NewQueues(new QueueReader(names, problems, false).readTemplate(element), Set.of());
    }

    private Map<String, Integer> limitsOfUsers(ConfigNode users) {
        Map<String, Integer> most = new HashMap<>();
        for (ConfigNode user : users.children(ConfigSchema.ONE_USER)) {
            String name = user.attribute("name");
            if (most.put(name, problems.value(user, ValueKind.count(0), Integer.MAX_VALUE)) != null) {
                problems.addDuplicate(user, "name", name);
            }
        }
        return most;
    }

    private Map<String, Long> increments(ConfigNode root) {
        Map<String, Long> steps = new HashMap<>();
        for (ConfigNode list : root.children(ConfigSchema.INCREMENT_ALLOCATION)) {
            for (ConfigNode element : list.children(ConfigSchema.INCREMENT)) {
                String resource = problems.resource(element, "name", names);
                ResourceAmount step = limits.amount(element, resource);
                if (step == null) {
                    continue;
                }
                if (step.units() < 1) {
                    problems.add(
                            element.line(), element.tag(), element.text(), "must be " + ConfigSchema.INCREMENT.text());
                }
                if (steps.put(resource, step.units()) != null) {
                    problems.addDuplicate(element, "name", resource);
                }
            }
        }
        return steps;
    }

    private MinimumOffer minimumOffer(ConfigNode element) {
        Amounts size = limits.ofOne(element, Amounts.UNLIMITED, "");
        String written = element.attribute("mode");
        List<String> modes = List.of("off", "automatic", "set");
        if (!written.isEmpty() && !modes.contains(written)) {
            problems.add(element.line(), element.tag() + " mode", written, KnownNames.choices(written, modes));
            return MinimumOffer.OFF;
        }
        MinimumOffer.Mode mode = size.isUnlimited() ? MinimumOffer.Mode.OFF : MinimumOffer.Mode.SET;
        if (!written.isEmpty()) {
            mode = MinimumOffer.Mode.valueOf(written.toUpperCase(Locale.ROOT));
        }
        if (mode == MinimumOffer.Mode.SET && size.isUnlimited()) {
            problems.add(
                    element.line(),
                    element.tag(),
                    written,
                    "needs the size: put <resource name=\"memory-mb\">2 GiB</resource> inside");
        } else if (mode != MinimumOffer.Mode.SET && !size.isUnlimited()) {
            problems.add(
                    element.line(),
                    element.tag(),
                    written,
                    "must not have resources inside: they are for mode=\"set\"");
        }
        String part = element.attribute("largest-part");
        double largest = MinimumOffer.OFF.largestPart();
        if (!part.isEmpty()) {
            try {
                largest = ValueKind.POSITIVE_FRACTION.parse(part);
            } catch (IllegalArgumentException e) {
                problems.add(element.line(), element.tag() + " largest-part", part, String.valueOf(e.getMessage()));
            }
        }
        return new MinimumOffer(mode, size, largest);
    }
}
