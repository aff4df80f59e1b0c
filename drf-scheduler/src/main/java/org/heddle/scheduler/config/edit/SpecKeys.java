// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.edit;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.heddle.scheduler.config.schema.ConfigSchema;
import org.heddle.scheduler.config.schema.ElementSchema;
import org.heddle.scheduler.config.schema.PlanSchema;
import org.heddle.scheduler.config.xml.ConfigNode;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the file as keys and values, for YARN's {@code /ws/v1/cluster/scheduler-conf} and {@code yarn
 * schedconf}.
 *
 * <p>A key consists of the names of elements, separated by dots: {@code scheduling-delays.node-locality}. If an
 * attribute distinguishes elements of one name, its value follows: {@code max-resources.memory-mb}, {@code
 * weight.vcores}, {@code user.ada.weight}. Attributes are named like elements: {@code submit.users}. An element without
 * content has the value {@code true}: {@code plan}. A listing puts the path of the queue and a colon before the key:
 * {@code root.science:weight}.
 */
final class SpecKeys {
    static final String PRESENT = "true";
    /** Separates the values of several elements with one key: an amount and a percentage. */
    static final String SEPARATOR = ", ";

    /**
     * One step of a key: an element, or an attribute at the end.
     *
     * @param element its rule; for an attribute the rule of the element that carries it
     * @param selector the attribute that distinguishes it from others of its name, and its value; null if it needs none
     * @param attribute name of the attribute that the key ends with; null for an element
     */
    record Step(
            ElementSchema element,
            @Nullable String selector,
            @Nullable String selected,
            @Nullable String attribute) {}

    private SpecKeys() {}

    /** The steps of a key inside an element of this rule; null if there is no such key. */
    static @Nullable List<Step> steps(ElementSchema inside, String key) {
        for (ElementSchema.Attribute attribute : inside.attributes()) {
            if (attribute.name().equals(key) && !isIdentity(inside, key)) {
                return List.of(new Step(inside, null, null, key));
            }
        }
        ElementSchema list = listed(inside);
        if (list != null && !key.isEmpty()) {
            return List.of(new Step(list, "name", key, null));
        }
        for (ElementSchema child : ConfigSchema.CHILDREN.getOrDefault(inside, List.of())) {
            if (!isKeyed(child)) {
                continue;
            }
            if (key.equals(child.name()) && !needsName(child)) {
                return List.of(new Step(child, null, null, null));
            }
            if (key.startsWith(child.name() + ".")) {
                List<Step> rest = below(child, key.substring(child.name().length() + 1));
                if (rest != null) {
                    return rest;
                }
            }
        }
        return null;
    }

    private static @Nullable List<Step> below(ElementSchema child, String rest) {
        if (child.text() != null) {
            if (child.attributes().isEmpty() || rest.isEmpty()) {
                return null;
            }
            return List.of(new Step(child, child.attributes().get(0).name(), rest, null));
        }
        if (!needsName(child)) {
            return prepended(new Step(child, null, null, null), steps(child, rest));
        }
        for (int dot = rest.lastIndexOf('.'); dot > 0; dot = rest.lastIndexOf('.', dot - 1)) {
            List<Step> deeper = steps(child, rest.substring(dot + 1));
            if (deeper != null) {
                return prepended(new Step(child, "name", rest.substring(0, dot), null), deeper);
            }
        }
        return null;
    }

    private static @Nullable List<Step> prepended(Step first, @Nullable List<Step> rest) {
        if (rest == null) {
            return null;
        }
        List<Step> all = new ArrayList<>(List.of(first));
        all.addAll(rest);
        return all;
    }

    /** The keys that an element of this rule may have, as an administrator may write them. */
    static List<String> known(ElementSchema inside) {
        List<String> keys = new ArrayList<>();
        inside.attributes().stream()
                .map(ElementSchema.Attribute::name)
                .filter(name -> !isIdentity(inside, name))
                .forEach(keys::add);
        ElementSchema list = listed(inside);
        if (list != null) {
            keys.add("RESOURCE");
            return keys;
        }
        for (ElementSchema child : ConfigSchema.CHILDREN.getOrDefault(inside, List.of())) {
            if (!isKeyed(child)) {
                continue;
            }
            String name = needsName(child) ? child.name() + ".NAME" : child.name();
            boolean container = child.text() == null;
            if (!container || (child.attributes().isEmpty() && !ConfigSchema.CHILDREN.containsKey(child))) {
                keys.add(name);
            } else if (child.equals(PlanSchema.PLAN)) {
                keys.add(name);
                known(child).forEach(key -> keys.add(name + "." + key));
            } else {
                known(child).forEach(key -> keys.add(name + "." + key));
            }
        }
        return keys;
    }

    /** All settings of a file by keys, and its queues; placement steps are an ordered list and have no keys. */
    static SortedMap<String, String> listing(ConfigNode file) {
        SortedMap<String, String> all = new TreeMap<>();
        collect(file, ConfigSchema.FILE, "", all);
        for (ConfigNode queue : file.children(ConfigSchema.QUEUE)) {
            collectQueue(queue, queue.attribute("name"), all);
        }
        return all;
    }

    private static void collectQueue(ConfigNode queue, String path, SortedMap<String, String> all) {
        all.put(path, "queue");
        collect(queue, ConfigSchema.QUEUE, path + ":", all);
        for (ConfigNode child : queue.children(ConfigSchema.QUEUE)) {
            collectQueue(child, path + "." + child.attribute("name"), all);
        }
    }

    private static void collect(ConfigNode element, ElementSchema rule, String prefix, SortedMap<String, String> all) {
        element.attributes().forEach((name, value) -> {
            if (!isIdentity(rule, name)) {
                all.put(prefix + name, value.strip());
            }
        });
        boolean isList = listed(rule) != null;
        for (ElementSchema childRule : ConfigSchema.CHILDREN.getOrDefault(rule, List.of())) {
            if (!isKeyed(childRule)) {
                continue;
            }
            for (ConfigNode child : element.children(childRule)) {
                String selected;
                if (childRule.attributes().isEmpty()) {
                    selected = "";
                } else {
                    selected = child.attribute(childRule.attributes().get(0).name());
                }
                if (childRule.text() != null) {
                    String key;
                    if (isList) {
                        key = selected;
                    } else {
                        key = childRule.name() + (selected.isEmpty() ? "" : "." + selected);
                    }
                    all.merge(prefix + key, child.text(), (one, other) -> one + SEPARATOR + other);
                } else if (needsName(childRule)) {
                    collect(child, childRule, prefix + childRule.name() + "." + selected + ".", all);
                } else {
                    if (child.children().isEmpty() && child.attributes().isEmpty()) {
                        all.put(prefix + childRule.name(), PRESENT);
                    }
                    collect(child, childRule, prefix + childRule.name() + ".", all);
                }
            }
        }
    }

    /** Whether a key can name it: queues are named by paths, and placement is an ordered list. */
    private static boolean isKeyed(ElementSchema rule) {
        return !rule.equals(ConfigSchema.QUEUE) && !rule.equals(ConfigSchema.PLACEMENT);
    }

    private static boolean needsName(ElementSchema rule) {
        return rule.repeats() && rule.attributes().stream().anyMatch(ElementSchema.Attribute::required);
    }

    private static boolean isIdentity(ElementSchema rule, String attribute) {
        return (rule.repeats() && attribute.equals("name"))
                || (rule.equals(ConfigSchema.FILE) && attribute.equals("version"));
    }

    /** What is listed inside, told apart by name, if that is all that there is: amounts of resources. */
    private static @Nullable ElementSchema listed(ElementSchema rule) {
        List<ElementSchema> children = ConfigSchema.CHILDREN.getOrDefault(rule, List.of());
        if (children.size() == 1
                && needsName(children.get(0))
                && children.get(0).text() != null) {
            return children.get(0);
        }
        return null;
    }
}
