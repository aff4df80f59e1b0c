// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.capacity;

import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.heddle.scheduler.config.KnownNames;
import org.jspecify.annotations.Nullable;

/** Says of each property that nothing here reads why it has no effect. */
final class CapacityLeftovers {
    private static final String SMALLEST =
            "the smallest container is that of yarn.scheduler.minimum-allocation-mb and -vcores in yarn-site.xml";
    private static final String AT_ONCE = "containers are allocated as soon as they are requested";
    private static final String CREATED =
            "a queue that is created has the defaults, and a part of the parent as large as its"
                    + " siblings; configure the queues that need other settings";

    /** Properties of a queue without a counterpart, and why; a name with a dot at its end is for all that begin so. */
    private static final Map<String, String> OF_QUEUES = new LinkedHashMap<>();
    /** Properties of the cluster. */
    private static final Map<String, String> OF_CLUSTER = new LinkedHashMap<>();
    /** Values that say what happens here anyway. */
    private static final Map<String, Set<String>> AS_HERE = Map.of(
            "node-locality-delay", Set.of("40"),
            "rack-locality-additional-delay", Set.of("-1"),
            "per-node-heartbeat.maximum-offswitch-assignments", Set.of("1"),
            "schedule-asynchronously.enable", Set.of("true"),
            "application.fail-fast", Set.of("false"),
            "workflow-priority-mappings", Set.of(""),
            "workflow-priority-mappings-override.enable", Set.of("false"),
            "user-metrics.enable", Set.of("true"),
            "lazy-preemption-enabled", Set.of("false"));

    static {
        OF_QUEUES.put("acl_administer_jobs", "YARN has not read it since Hadoop 2");
        OF_QUEUES.put("acl_submit_jobs", "YARN has not read it since Hadoop 2; write acl_submit_applications");
        OF_QUEUES.put("minimum-allocation-mb", SMALLEST);
        OF_QUEUES.put("minimum-allocation-vcores", SMALLEST);
        OF_QUEUES.put("acl_list_reservations", "everyone may use the reservations of a queue here");
        OF_QUEUES.put("acl_administer_reservations", "everyone may use the reservations of a queue here");
        OF_QUEUES.put("acl_submit_reservations", "everyone may use the reservations of a queue here");
        OF_QUEUES.put("ordering-policy.", "applications share by what they hold and by their priority alone");
        OF_QUEUES.put(
                "intra-queue-preemption.",
                "preemption within queues is off (intra-queue-preemption.enabled of the monitor)");
        OF_QUEUES.put("multi-node-sorting.policy", AT_ONCE + ", on the least loaded node with room");
        OF_QUEUES.put("leaf-queue-template.", CREATED);
        OF_QUEUES.put("auto-queue-creation-v2.", CREATED);
        OF_QUEUES.put("auto-create-child-queue.", CREATED);
        for (String reservation : List.of(
                "reservation-window",
                "average-capacity",
                "instantaneous-max-capacity",
                "reservation-policy",
                "reservation-agent",
                "reservation-planner",
                "reservation-enforcement-window",
                "reservation-move-on-expiry",
                "show-reservations-as-queues")) {
            OF_QUEUES.put(
                    reservation, "reservations have YARN's defaults here; <plan> of a heddle-scheduler.xml has others");
        }
        OF_CLUSTER.put(
                "node-locality-delay",
                "a request waits a second for a node that it names, whatever the number of heartbeats");
        OF_CLUSTER.put("rack-locality-additional-delay", "a request waits five seconds for a rack that it names");
        OF_CLUSTER.put("rack-locality-full-reset", "waits for locality are counted in time");
        OF_CLUSTER.put(
                "per-node-heartbeat.maximum-offswitch-assignments",
                "requests that name no node are spread over the nodes, not over heartbeats");
        OF_CLUSTER.put("schedule-asynchronously.", AT_ONCE);
        OF_CLUSTER.put("multi-node-", AT_ONCE + ", on the least loaded node with room");
        OF_CLUSTER.put(
                "application.fail-fast", "an application whose queue is gone after a restart goes to root.recovered");
        OF_CLUSTER.put("workflow-priority-mappings", "the priority of an application is what its user gives it");
        OF_CLUSTER.put("user-metrics.enable", "metrics of users are always there");
        OF_CLUSTER.put("lazy-preemption-enabled", "containers are preempted when their room is needed, not before");
        OF_CLUSTER.put(
                "reservations-continue-look-all-nodes", "a request looks at all nodes while a node is reserved for it");
        OF_CLUSTER.put(
                "skip-allocate-on-nodes-with-reserved-containers",
                "what a reserved node has left over is given to others only if they end before it is needed");
        OF_CLUSTER.put("ordering-policy.", "a queue below its capacity is served first, whatever its priority");
        OF_CLUSTER.put(
                "mapping-rule-json", "the rules are read from queue-mappings; mapping-rule-format=json changes it");
        OF_CLUSTER.put(
                "queue-mappings", "the rules are read from mapping-rule-json, because mapping-rule-format is json");
        OF_CLUSTER.put("auto-queue-creation-v2.", CREATED);
        OF_CLUSTER.put("queue-management-policy.", CREATED);
        OF_CLUSTER.put("queue.auto.", CREATED);
    }

    /** Properties of queues that are read, but not for every queue. */
    private static final Map<String, String> READ_ELSEWHERE = Map.ofEntries(
            Map.entry("user-limit-factor", "is for queues without queues inside"),
            Map.entry("minimum-user-limit-percent", "is for queues without queues inside"),
            Map.entry("maximum-applications", "is for queues without queues inside"),
            Map.entry("maximum-am-resource-percent", "is for queues without queues inside, and not for single labels"),
            Map.entry("acl_application_max_priority", "is for queues without queues inside"),
            Map.entry("default-application-priority", "is for queues without queues inside"),
            Map.entry("reservable", "is for queues without queues inside"));

    private final CapacityProperties properties;
    private final Set<String> paths;
    private final Set<String> known = new HashSet<>(OF_QUEUES.keySet());

    CapacityLeftovers(CapacityProperties properties, CapacityQueue root) {
        this.properties = properties;
        this.paths = root.all().map(queue -> queue.path).collect(Collectors.toSet());
        known.addAll(READ_ELSEWHERE.keySet());
        known.addAll(List.of(
                "capacity",
                "maximum-capacity",
                "queues",
                "state",
                "priority",
                "ordering-policy",
                "disable_preemption",
                "max-parallel-apps",
                "accessible-node-labels",
                "default-node-label-expression",
                "maximum-allocation",
                "maximum-allocation-mb",
                "maximum-allocation-vcores",
                "maximum-application-lifetime",
                "default-application-lifetime",
                "allow-zero-capacity-sum",
                "auto-create-child-queue.enabled",
                "auto-queue-creation-v2.enabled",
                CapacityAccess.SUBMIT,
                CapacityAccess.ADMINISTER));
        known.removeIf(name -> name.endsWith("."));
    }

    /** Warns of each property that is set and was not read. */
    void report() {
        for (String key : properties.unused()) {
            String name = key.substring(CapacityProperties.PREFIX.length());
            if (name.startsWith("root.")) {
                ofQueue(key, name);
            } else {
                ofCluster(key, name);
            }
        }
    }

    private void ofCluster(String key, String name) {
        String why = reason(OF_CLUSTER, name);
        if (isAsHere(key, name)) {
            return;
        }
        int dot = name.indexOf('.');
        if (why == null && dot > 0 && known.contains(name.substring(name.lastIndexOf('.') + 1))) {
            properties.warn(key, "has no effect, because the path of a queue begins with root: write root." + name);
        } else if (why == null) {
            properties.warn(
                    key, "is no property of CapacityScheduler, and has no effect" + guess(name, OF_CLUSTER.keySet()));
        } else {
            properties.warn(key, "has no effect: " + why);
        }
    }

    private boolean isAsHere(String key, String name) {
        return AS_HERE.getOrDefault(name, Set.of()).contains(String.valueOf(properties.get(key)));
    }

    private void ofQueue(String key, String name) {
        String path = name;
        while (!paths.contains(path)) {
            path = path.substring(0, path.lastIndexOf('.'));
        }
        String property = name.substring(path.length() + 1);
        String why = reason(OF_QUEUES, property);
        String elsewhere = READ_ELSEWHERE.get(property.substring(property.lastIndexOf('.') + 1));
        String suffix = known.stream()
                .filter(each -> property.endsWith("." + each))
                .max(Comparator.comparingInt(String::length))
                .orElse(null);
        if (isAsHere(key, property)) {
            return;
        }
        if (why != null) {
            properties.warn(key, "has no effect: " + why);
        } else if (elsewhere != null && (property.indexOf('.') < 0 || property.startsWith(CapacityTree.LABELS))) {
            properties.warn(key, "has no effect in " + path + ": it " + elsewhere);
        } else if (suffix != null && !property.startsWith("user-settings.")) {
            String missing = path + "." + property.substring(0, property.length() - suffix.length() - 1);
            properties.warn(
                    key,
                    "has no effect, because there is no queue " + missing + ": it "
                            + KnownNames.choices(missing, paths));
        } else {
            properties.warn(key, "is no property of a queue, and has no effect" + guess(property, known));
        }
    }

    private static String guess(String name, Set<String> known) {
        String near = KnownNames.nearest(name, known);
        return near == null ? ": remove it" : ": did you mean " + near + "?";
    }

    private static @Nullable String reason(Map<String, String> reasons, String name) {
        String exact = reasons.get(name);
        if (exact != null) {
            return exact;
        }
        return reasons.entrySet().stream()
                .filter(each -> name.startsWith(each.getKey())
                        && (each.getKey().endsWith(".")
                                || name.substring(each.getKey().length()).startsWith("-")
                                || each.getKey().endsWith("-")))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }
}
