// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.read;

import java.util.HashMap;
import java.util.Map;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.schema.ConfigSchema;
import org.heddle.scheduler.config.schema.ElementSchema;
import org.heddle.scheduler.config.schema.ResourceAmount;
import org.heddle.scheduler.config.xml.ConfigNode;
import org.heddle.scheduler.config.xml.Problems;
import org.heddle.scheduler.model.Amounts;
import org.jspecify.annotations.Nullable;

/** Reads {@code <max-resources>} and similar elements, and compares them with the limits of the queues above. */
final class LimitReader {
    private final KnownNames names;
    private final Problems problems;

    LimitReader(KnownNames names, Problems problems) {
        this.names = names;
        this.problems = problems;
    }

    /**
     * The limits in {@code queue}'s element {@code rule}; amounts are compared with amounts, and parts with
     * parts.
     *
     * @param enclosing limits that must not be exceeded
     * @param owner the owner of the enclosing limits, for the message: "the queue", "the queues above"
     */
    Amounts read(ConfigNode queue, ElementSchema rule, Amounts enclosing, String owner) {
        Map<String, Long> absolute = new HashMap<>();
        Map<String, Double> fraction = new HashMap<>();
        for (ConfigNode list : queue.children(rule)) {
            read(list, enclosing, owner, absolute, fraction);
        }
        return new Amounts(absolute, fraction);
    }

    /** The limits that stand in one element. */
    Amounts ofOne(ConfigNode list, Amounts enclosing, String owner) {
        Map<String, Long> absolute = new HashMap<>();
        Map<String, Double> fraction = new HashMap<>();
        read(list, enclosing, owner, absolute, fraction);
        return new Amounts(absolute, fraction);
    }

    private void read(
            ConfigNode list,
            Amounts enclosing,
            String owner,
            Map<String, Long> absolute,
            Map<String, Double> fraction) {
        for (ConfigNode element : list.children(ConfigSchema.RESOURCE_LIMIT)) {
            String resource = problems.resource(element, "name", names);
            ResourceAmount amount = amount(element, resource);
            if (amount == null) {
                continue;
            }
            boolean twice;
            if (amount.relative()) {
                twice = fraction.put(resource, amount.part()) != null;
                double most = enclosing.fraction().getOrDefault(resource, 1.0);
                refuse(amount.part() > most, list, element, owner, most * 100 + "%");
            } else {
                twice = absolute.put(resource, amount.units()) != null;
                long most = enclosing.absolute().getOrDefault(resource, Long.MAX_VALUE);
                refuse(amount.units() > most, list, element, owner, Long.toString(most));
            }
            if (twice) {
                problems.addDuplicate(element, "name", resource);
            }
        }
    }

    private void refuse(boolean exceeds, ConfigNode list, ConfigNode element, String owner, String most) {
        if (exceeds) {
            problems.add(
                    element.line(),
                    list.tag() + " " + element.attribute("name"),
                    element.text(),
                    "must not exceed the limit of " + owner + ", " + most);
        }
    }

    /** An amount or a percentage; null if it is neither, and the problem is noted. */
    @Nullable
    ResourceAmount amount(ConfigNode element, String resource) {
        try {
            return ResourceAmount.parse(element.text(), names.resources().getOrDefault(resource, ""));
        } catch (IllegalArgumentException e) {
            problems.add(element.line(), element.tag(), element.text(), String.valueOf(e.getMessage()));
            return null;
        }
    }
}
