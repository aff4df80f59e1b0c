// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.capacity;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.scheduler.config.Json;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.capacity.CapacityPlacement.Fallback;
import org.heddle.scheduler.model.PlacementCondition;
import org.heddle.scheduler.model.PlacementStep;
import org.jspecify.annotations.Nullable;

/** Reads {@code mapping-rule-json}, or the file that {@code mapping-rule-json-file} names. */
final class CapacityJsonRules {
    private static final String INLINE = CapacityProperties.PREFIX + "mapping-rule-json";
    private static final String FILE = CapacityProperties.PREFIX + "mapping-rule-json-file";
    private static final String EVERYONE = "*";

    /** By policy, the queue below {@code parentQueue}. */
    private static final Map<String, String> QUEUES = Map.of(
            "user", "%user",
            "primaryGroup", "%primary_group",
            "secondaryGroup", "%secondary_group",
            "primaryGroupUser", "%primary_group.%user",
            "secondaryGroupUser", "%secondary_group.%user",
            "applicationName", "%application");

    private static final List<String> POLICIES = List.of(
            "specified",
            "reject",
            "defaultQueue",
            "user",
            "primaryGroup",
            "secondaryGroup",
            "primaryGroupUser",
            "secondaryGroupUser",
            "applicationName",
            "setDefaultQueue",
            "custom");
    private static final Map<String, Fallback> FALLBACKS =
            Map.of("skip", Fallback.SKIP, "reject", Fallback.REJECT, "placeDefault", Fallback.DEFAULT);

    private final CapacityProperties properties;
    private final CapacityPlacement placement;
    private String key = INLINE;

    CapacityJsonRules(CapacityProperties properties, CapacityPlacement placement) {
        this.properties = properties;
        this.placement = placement;
    }

    void read() {
        String text = text();
        if (text == null) {
            return;
        }
        Object rules;
        try {
            rules = Json.parse(text).get("rules");
        } catch (JsonProcessingException e) {
            properties.add(key, "is no JSON: " + e.getOriginalMessage());
            return;
        } catch (IOException e) {
            throw new IllegalStateException("a string can be read", e);
        }
        if (!(rules instanceof List<?> list)) {
            properties.add(key, "must be an object with a list of rules: {\"rules\": [..]}");
            return;
        }
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i) instanceof Map<?, ?> rule) {
                rule(rule, "has in rule " + (i + 1) + " ");
            } else {
                properties.add(key, "has rule " + (i + 1) + ", which must be an object with type, matches and policy");
            }
        }
    }

    /** Null where there is none. */
    private @Nullable String text() {
        String inline = properties.get(INLINE);
        String file = properties.get(FILE);
        if (inline != null && !inline.isEmpty()) {
            return inline;
        }
        if (file == null || file.isEmpty()) {
            properties.warn(
                    INLINE, "is not set although mapping-rule-format is json, so that no rule places applications");
            return null;
        }
        key = FILE;
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            properties.add(FILE, "cannot be read on this machine: name a file that the ResourceManager may read");
            return null;
        }
    }

    private void rule(Map<?, ?> rule, String where) {
        String policy = text(rule, "policy");
        PlacementCondition condition = condition(rule, where);
        Fallback fallback = FALLBACKS.get(rule.containsKey("fallbackResult") ? text(rule, "fallbackResult") : "skip");
        if (fallback == null) {
            properties.add(
                    key,
                    where + "a fallbackResult that "
                            + KnownNames.choices(text(rule, "fallbackResult"), FALLBACKS.keySet()));
        } else if (!POLICIES.contains(policy)) {
            properties.add(key, where + "a policy that " + KnownNames.choices(policy, POLICIES));
        } else if (condition != null) {
            place(rule, policy, condition, fallback, where);
        }
    }

    private void place(Map<?, ?> rule, String policy, PlacementCondition condition, Fallback fallback, String where) {
        boolean create = !Boolean.FALSE.equals(rule.get("create"))
                && !text(rule, "create").equals("false");
        switch (policy) {
            case "reject" -> placement.reject(condition);
            case "defaultQueue" -> placement.place(key, condition, "%default", false, fallback);
            case "specified" -> placement.place(key, condition, PlacementStep.SPECIFIED_VARIABLE, create, fallback);
            case "custom", "setDefaultQueue" -> {
                boolean sets = policy.equals("setDefaultQueue");
                String field = sets ? "value" : "customPlacement";
                String queue = text(rule, field);
                if (queue.isEmpty()) {
                    properties.add(key, where + "no " + field + ", which policy " + policy + " needs: name a queue");
                } else if (sets) {
                    placement.setDefault(condition, queue);
                } else {
                    placement.place(key, condition, queue, create, fallback);
                }
            }
            default -> {
                String parent = text(rule, "parentQueue");
                String below = parent.isEmpty() ? "" : parent + ".";
                placement.place(key, condition, below + QUEUES.get(policy), create, fallback);
            }
        }
    }

    /** Null and a problem where it cannot be read. */
    private @Nullable PlacementCondition condition(Map<?, ?> rule, String where) {
        String type = text(rule, "type");
        String matches = text(rule, "matches");
        String variable = type.equals("application") ? PlacementStep.APPLICATION_VARIABLE : PlacementStep.USER_VARIABLE;
        boolean everyone = matches.equals(variable) || (type.equals("user") && matches.equals(EVERYONE));
        if (matches.isEmpty()) {
            properties.add(key, where + "no matches: name a user, a group or an application, or * for every user");
        } else if (!List.of("user", "group", "application").contains(type)) {
            properties.add(
                    key, where + "a type that " + KnownNames.choices(type, List.of("user", "group", "application")));
        } else if (type.equals("group") && matches.equals(EVERYONE)) {
            properties.add(key, where + "* for a group, which CapacityScheduler refuses: write it with type user");
        } else if (!everyone && matches.indexOf('%') >= 0) {
            properties.add(
                    key, where + "matches " + matches + ", a variable, which is not read here: write the name itself");
        } else {
            Set<String> names = everyone ? Set.of() : Set.of(matches);
            return switch (type) {
                case "user" -> placement.condition(names, Set.of(), Set.of());
                case "group" -> placement.condition(Set.of(), names, Set.of());
                default -> placement.condition(Set.of(), Set.of(), names);
            };
        }
        return null;
    }

    private static String text(Map<?, ?> rule, String field) {
        Object value = rule.get(field);
        return value == null ? "" : String.valueOf(value);
    }
}
