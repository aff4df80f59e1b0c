// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.capacity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.heddle.scheduler.model.AccessList;
import org.heddle.scheduler.model.PriorityLimit;
import org.jspecify.annotations.Nullable;

/** Reads who may use a queue, and who may give applications which priority. */
final class CapacityAccess {
    static final String SUBMIT = "acl_submit_applications";
    static final String ADMINISTER = "acl_administer_queue";
    static final String PRIORITY = "acl_application_max_priority";
    static final String DEFAULT_PRIORITY = "default-application-priority";

    private static final Pattern GROUP = Pattern.compile("\\[([^\\]]+)]");

    private final CapacityProperties properties;
    private final int highestPriority;

    /** @param highestPriority the highest priority of an application in this cluster */
    CapacityAccess(CapacityProperties properties, int highestPriority) {
        this.properties = properties;
        this.highestPriority = highestPriority;
    }

    /**
     * The list of a queue. Without one everybody may use root, and a queue below what those above allow. A list below a
     * queue that is open to everybody restricts nothing, so it counts as none.
     *
     * @param openAbove path of a queue above that is open to everyone; null if there is none
     */
    AccessList read(CapacityQueue queue, String property, @Nullable String openAbove) {
        String key = queue.key(property);
        String text = properties.raw(key);
        if (text == null) {
            return queue.isRoot() ? AccessList.EVERYONE : AccessList.NOBODY;
        }
        AccessList list = parse(text);
        if (openAbove == null) {
            return list;
        }
        if (!list.everyone()) {
            properties.warn(
                    key,
                    "restricts nothing, as under CapacityScheduler: " + openAbove
                            + " admits everyone, and who may use a queue may use those inside it; set "
                            + CapacityProperties.PREFIX + openAbove + "." + property
                            + " to one blank if the lists below it are to count");
        }
        return AccessList.NOBODY;
    }

    /** "users groups", each with commas between, one blank in the middle: what Hadoop's AccessControlList reads. */
    private static AccessList parse(String text) {
        String[] parts = text.split(" ", 2);
        boolean everyone = Arrays.stream(parts).anyMatch(part -> part.strip().equals("*"));
        if (everyone) {
            return AccessList.EVERYONE;
        }
        return new AccessList(false, names(parts[0]), parts.length > 1 ? names(parts[1]) : Set.of());
    }

    private static Set<String> names(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toSet());
    }

    // ---- priorities ----

    List<PriorityLimit> priorities(CapacityQueue leaf) {
        int usual = Math.min(Math.max(0, properties.count(leaf.key(DEFAULT_PRIORITY), 0)), highestPriority);
        String key = leaf.key(PRIORITY);
        String text = properties.get(key);
        List<PriorityLimit> limits = new ArrayList<>();
        Matcher group = GROUP.matcher(text == null ? "" : text);
        while (group.find()) {
            PriorityLimit limit = group(key, group.group(1), usual);
            if (limit != null) {
                limits.add(limit);
            }
        }
        if (limits.isEmpty() && usual > 0) {
            limits.add(new PriorityLimit(AccessList.EVERYONE, highestPriority, usual));
        }
        return limits;
    }

    /** One of {@code [user=b1,b2 group=g1 max_priority=5 default_priority=2]}. */
    private @Nullable PriorityLimit group(String key, String text, int usualInQueue) {
        Set<String> users = new HashSet<>();
        Set<String> groups = new HashSet<>();
        int most = 0;
        int usual = usualInQueue;
        for (String pair : text.strip().split(" +", -1)) {
            String[] parts = pair.split("=", 2);
            if (parts.length < 2) {
                continue;
            }
            switch (parts[0].strip().toLowerCase(Locale.ROOT)) {
                case "user" -> users.addAll(names(parts[1]));
                case "group" -> groups.addAll(names(parts[1]));
                case "max_priority" -> most = priority(key, parts[1]);
                case "default_priority" -> usual = priority(key, parts[1]);
                default -> {
                    properties.add(
                            key, "names " + parts[0] + "; it may name user, group, max_priority and default_priority");
                    return null;
                }
            }
        }
        AccessList who = users.contains("*") ? AccessList.EVERYONE : new AccessList(false, users, groups);
        return new PriorityLimit(who, most, Math.min(usual, most));
    }

    private int priority(String key, String text) {
        try {
            return Math.min(Math.max(0, Integer.parseInt(text.strip())), highestPriority);
        } catch (NumberFormatException e) {
            properties.add(key, "has a priority " + text + ", which must be a whole number");
            return 0;
        }
    }
}
