// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.snapshot;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The metrics of the scheduler, in the order of docs/metrics.md, which says the same of each. */
public enum Metric {
    NODES(Type.GAUGE, "nodes", "Nodes that take containers"),
    CAPACITY(Type.GAUGE, "the resource's unit; memory in MiB", "Capacity of the cluster, for each resource"),
    PENDING(
            Type.GAUGE,
            "the resource's unit; memory in MiB",
            "What applications ask for and have not got yet, for each node label and resource"),
    PENDING_CONTAINERS(Type.GAUGE, "containers", "The number of these containers, for each node label"),
    RESERVED_NODES(Type.GAUGE, "nodes", "Nodes held for one large request"),
    JAIN_INDEX(Type.GAUGE, "0 to 1", "How even the weighted shares of the users with waiting requests are"),
    CONFIGURATION_REFUSED(Type.GAUGE, "0 or 1", "A newer queue file is refused"),
    ERRORS_CONTAINED(Type.COUNTER, "errors", "Exceptions inside the scheduler that were caught"),
    APPLICATIONS(Type.GAUGE, "applications", "Applications that the scheduler knows"),
    CONTAINERS_ALLOCATED(Type.COUNTER, "containers", "Allocated since the start"),
    NODE_HEARTBEATS(Type.COUNTER, "heartbeats", "Heartbeats of nodes that were handled"),
    NODE_HEARTBEAT_MICROS(Type.COUNTER, "microseconds", "Time for which these held the scheduler's lock"),
    ALLOCATE_CALLS(Type.COUNTER, "calls", "Heartbeats of ApplicationMasters that were answered"),
    ALLOCATE_CALL_MICROS(Type.COUNTER, "microseconds", "Time that these took, waiting included"),
    ALLOCATION_DELAY_SECONDS(
            Type.HISTOGRAM, "seconds", "From the request for a container to its allocation, for each container"),
    PREEMPTION_CONTAINERS_ANNOUNCED(
            Type.COUNTER, "containers", "ApplicationMasters were told that these will be killed"),
    PREEMPTION_CONTAINERS_KILLED(Type.COUNTER, "containers", "Killed at the end of the grace period"),
    PREEMPTION_CONTAINERS_GIVEN_BACK(Type.COUNTER, "containers", "Ended by themselves within the grace period"),
    PREEMPTION_CONTAINERS_CALLED_OFF(Type.COUNTER, "containers", "The preemption was not needed any more"),
    PREEMPTION_CONTAINERS_PROPOSED(Type.COUNTER, "containers", "What dry-run would have preempted"),
    QUEUE_DOMINANT_SHARE(Type.GAUGE, "0 to 1", "Part of the cluster that it has of its dominant resource"),
    QUEUE_FAIR_SHARE(Type.GAUGE, "0 to 1", "Dominant share that would be fair now"),
    QUEUE_DEMAND_SHARE(Type.GAUGE, "above 0", "Dominant share if all its requests were met"),
    QUEUE_WEIGHT(Type.GAUGE, "", "Weight against its siblings, with past usage"),
    QUEUE_RUNNING_CONTAINERS(Type.GAUGE, "containers", "Containers that it has"),
    QUEUE_PENDING_CONTAINERS(Type.GAUGE, "containers", "Containers that it asks for"),
    QUEUE_USAGE(Type.GAUGE, "the resource's unit", "What it has, for each resource");

    /** Prometheus' types. */
    public enum Type {
        GAUGE,
        COUNTER,
        HISTOGRAM;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Type type;
    private final String unit;
    private final String meaning;

    Metric(Type type, String unit, String meaning) {
        this.type = type;
        this.unit = unit;
        this.meaning = meaning;
    }

    /** The one that is counted under this name; null if there is none. */
    public static @Nullable Metric ofCount(String name) {
        for (Metric metric : values()) {
            if (metric.name().equals(name.replace('-', '_').toUpperCase(Locale.ROOT))) {
                return metric;
            }
        }
        return null;
    }

    /** As in Prometheus. */
    public String inPrometheus() {
        return "heddle_" + name().toLowerCase(Locale.ROOT);
    }

    public Type type() {
        return type;
    }

    /** What it is, and in which unit. */
    public String help() {
        return unit.isEmpty() ? meaning : meaning + " (" + unit + ")";
    }
}
