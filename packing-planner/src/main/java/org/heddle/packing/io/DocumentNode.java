// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.io;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value with its path. It collects all violations instead of stopping at the first one: a wrong value is read as
 * a harmless default, and the caller throws at the end.
 */
final class DocumentNode {
    private final String path;
    private final JsonNode json;
    private final List<String> violations;
    private final List<String> warnings;

    private DocumentNode(String path, JsonNode json, List<String> violations, List<String> warnings) {
        this.path = path;
        this.json = json;
        this.violations = violations;
        this.warnings = warnings;
    }

    static DocumentNode root(JsonNode json) {
        return new DocumentNode("", json, new ArrayList<>(), new ArrayList<>());
    }

    List<String> violations() {
        return violations;
    }

    List<String> warnings() {
        return warnings;
    }

    String path() {
        return path.isEmpty() ? "(top)" : path;
    }

    void refuse(String why) {
        violations.add(path() + ": " + why);
    }

    boolean isPresent() {
        return !json.isMissingNode() && !json.isNull();
    }

    boolean isObject() {
        return json.isObject();
    }

    DocumentNode get(String name) {
        return child(path.isEmpty() ? name : path + "." + name, json.path(name));
    }

    private DocumentNode child(String at, JsonNode value) {
        return new DocumentNode(at, value, violations, warnings);
    }

    /** The members of an array; if it is not an array, a violation and an empty list. */
    List<DocumentNode> items() {
        List<DocumentNode> items = new ArrayList<>();
        if (!json.isArray()) {
            refuse("must be an array, is " + shown());
            return items;
        }
        for (int i = 0; i < json.size(); i++) {
            items.add(child(path + "[" + i + "]", json.get(i)));
        }
        return items;
    }

    /** Must be an object. Each unknown field is a warning only, so that a file may contain notes. */
    boolean object(Set<String> known) {
        if (!json.isObject()) {
            refuse("must be an object, is " + shown());
            return false;
        }
        for (Iterator<String> names = json.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!known.contains(name)) {
                warnings.add(get(name).path() + ": unknown field, ignored (known: "
                        + String.join(", ", known.stream().sorted().toList()) + ")");
            }
        }
        return true;
    }

    String text(String rule) {
        if (json.isTextual() && !json.textValue().isBlank()) {
            return json.textValue();
        }
        refuse("must be " + rule + ", is " + shown());
        return "";
    }

    /** A text that is printed in messages and charts. */
    String name() {
        String text = text("a text");
        if (text.chars().anyMatch(Character::isISOControl)) {
            refuse("must be a text without line breaks and control characters, is " + shown());
        }
        return text;
    }

    @Nullable
    String optionalText(String rule) {
        return isPresent() ? text(rule) : null;
    }

    boolean flag() {
        if (isPresent() && !json.isBoolean()) {
            refuse("must be true or false, is " + shown());
        }
        return json.asBoolean(false);
    }

    int whole(int least, int most, String rule) {
        if (json.isNumber() && json.canConvertToExactIntegral() && json.canConvertToInt()) {
            int value = json.intValue();
            if (value >= least && value <= most) {
                return value;
            }
        }
        boolean large = json.isNumber() && json.doubleValue() > most;
        refuse("must be " + rule + (large ? atMost(rule, String.valueOf(most)) : "") + ", is " + shown());
        return least;
    }

    /** A finite number within [least, most]; bounds are excluded where {@code open}. */
    double number(double least, boolean open, double most, String rule) {
        double value = json.isNumber() ? json.doubleValue() : Double.NaN;
        if ((open ? value > least : value >= least) && value <= most && Double.isFinite(value)) {
            return value;
        }
        boolean large = value > most && least < most;
        refuse("must be " + rule + (large ? atMost(rule, shortest(most)) : "") + ", is " + shown());
        return open ? Math.nextUp(least) : least;
    }

    /** Names the largest value, unless the rule has done so. */
    private static String atMost(String rule, String most) {
        return rule.matches(".*\\bto (\\w+ = )?" + most + "\\b.*") ? "" : ", at most " + most;
    }

    /** 1e12, not 1.0E12. */
    private static String shortest(double value) {
        return Double.toString(value).replaceAll("\\.0(?=E|$)", "").replace('E', 'e');
    }

    double number() {
        return number(Double.NEGATIVE_INFINITY, true, Double.MAX_VALUE, "a finite number");
    }

    Map<String, String> textMap() {
        Map<String, String> map = new HashMap<>();
        if (!isPresent()) {
            return map;
        }
        if (!json.isObject()) {
            refuse("must be an object of texts, is " + shown());
            return map;
        }
        json.fieldNames().forEachRemaining(name -> {
            JsonNode value = json.get(name);
            if (value.isValueNode() && !value.isNull()) {
                map.put(name, value.asText());
            } else {
                get(name).refuse("must be a text, number or boolean");
            }
        });
        return map;
    }

    private String shown() {
        if (json instanceof MissingNode) {
            return "missing";
        }
        if (json.isNumber() && Double.isInfinite(json.doubleValue())) {
            return "too large for a number";
        }
        String text = json.toString();
        return text.length() > 60 ? text.substring(0, 57) + "..." : text;
    }
}
