// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.read;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.schema.ConfigSchema;
import org.heddle.scheduler.config.schema.ElementSchema;
import org.heddle.scheduler.config.xml.ConfigNode;
import org.heddle.scheduler.config.xml.Problems;

/** Finds unknown, repeated and missing elements and attributes. */
final class SchemaValidator {
    private final Problems problems;

    SchemaValidator(Problems problems) {
        this.problems = problems;
    }

    void check(ConfigNode element, ElementSchema rule) {
        checkAttributes(element, rule);
        List<ElementSchema> allowed = ConfigSchema.CHILDREN.getOrDefault(rule, List.of());
        if (rule.text() == null && !element.text().isEmpty()) {
            String attributes = rule.attributes().stream()
                    .map(attribute -> attribute.name() + "=\"..\"")
                    .collect(Collectors.joining(", "));
            String wayOut = attributes.isEmpty() || !allowed.isEmpty() ? "remove it" : "write " + attributes;
            problems.add(element.line(), element.tag(), element.text(), "takes no text; " + wayOut);
        }
        Map<String, Integer> seen = new HashMap<>();
        for (ConfigNode child : element.children()) {
            ElementSchema childRule = allowed.stream()
                    .filter(candidate -> candidate.name().equals(child.name()))
                    .findFirst()
                    .orElse(null);
            if (childRule == null) {
                problems.add(child.line(), child.tag(), "", unknown(child, element, allowed));
                continue;
            }
            Integer first = seen.putIfAbsent(child.name(), child.line());
            if (first != null && !childRule.repeats()) {
                problems.add(
                        child.line(),
                        child.tag(),
                        "",
                        "stands here a second time (first on line " + first + "); remove one");
            }
            check(child, childRule);
        }
    }

    private String unknown(ConfigNode child, ConfigNode element, List<ElementSchema> allowed) {
        if (allowed.isEmpty()) {
            return "nothing may stand inside " + element.tag() + "; remove it";
        }
        return "is not known inside " + element.tag() + ": "
                + KnownNames.choices(
                        child.name(), allowed.stream().map(ElementSchema::name).toList());
    }

    private static String unknown(String attribute, List<String> known) {
        if (known.isEmpty()) {
            return "takes no attributes; remove it";
        }
        return "is not a known attribute: " + KnownNames.choices(attribute, known);
    }

    private void checkAttributes(ConfigNode element, ElementSchema rule) {
        List<String> known =
                rule.attributes().stream().map(ElementSchema.Attribute::name).toList();
        for (Map.Entry<String, String> attribute : element.attributes().entrySet()) {
            if (!known.contains(attribute.getKey())) {
                problems.add(
                        element.line(),
                        element.tag() + " " + attribute.getKey(),
                        attribute.getValue(),
                        unknown(attribute.getKey(), known));
            }
        }
        for (ElementSchema.Attribute attribute : rule.attributes()) {
            if (attribute.required() && element.attribute(attribute.name()).isEmpty()) {
                problems.add(
                        element.line(),
                        element.tag(),
                        "",
                        "needs the attribute " + attribute.name() + "=\"...\" (" + attribute.doc() + ")");
            }
        }
    }
}
