// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.xml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.Problem;
import org.heddle.scheduler.config.schema.ElementSchema;
import org.heddle.settings.ValueKind;

/** Collects the errors of one file, so that an administrator sees all of them at once. */
public final class Problems {
    private final String file;
    private final List<Problem> found = new ArrayList<>();
    private final Set<Problem> warnings = new LinkedHashSet<>();

    public Problems(String file) {
        this.file = file;
    }

    public void add(int line, String element, String value, String wayOut) {
        found.add(new Problem(file, line, element, value, wayOut));
    }

    /** Adds a warning: the file can be used, but the administrator must know something. */
    public void warn(int line, String element, String value, String what) {
        warnings.add(new Problem(file, line, element, value, what));
    }

    /** One sentence each, lines in order. */
    public List<String> warnings() {
        return warnings.stream()
                .sorted(Comparator.comparingInt(Problem::line))
                .map(Problem::sentence)
                .toList();
    }

    /** The value of an element's text, or {@code fallback} and a problem if it is not of this kind. */
    public <T> T value(ConfigNode element, ValueKind<T> kind, T fallback) {
        try {
            return kind.parse(element.text());
        } catch (IllegalArgumentException e) {
            add(element.line(), element.tag(), element.text(), String.valueOf(e.getMessage()));
            return fallback;
        }
    }

    /** The value of the child that {@code rule} describes, or its default. */
    public <T> T value(ConfigNode parent, ElementSchema.Valued<T> rule) {
        return parent.child(rule.element())
                .map(child -> value(child, rule.kind(), rule.fallback()))
                .orElse(rule.fallback());
    }

    /** The resource type that an attribute names; a problem if the cluster has no such type. */
    public String resource(ConfigNode element, String attribute, KnownNames names) {
        String name = element.attribute(attribute);
        if (!name.isEmpty() && !names.resources().containsKey(name)) {
            add(
                    element.line(),
                    element.tag() + " " + attribute,
                    name,
                    "is not a resource type of this cluster: "
                            + KnownNames.choices(name, names.resources().keySet()));
        }
        return name;
    }

    public void addDuplicate(ConfigNode element, String attribute, String value) {
        add(element.line(), element.tag() + " " + attribute, value, "is given a second time; remove one");
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    /** All errors, in the order of the lines. */
    public ConfigurationException exception() {
        return new ConfigurationException(
                found.stream().sorted(Comparator.comparingInt(Problem::line)).toList());
    }
}
