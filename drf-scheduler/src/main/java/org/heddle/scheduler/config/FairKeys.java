// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config;

import java.util.List;
import org.heddle.settings.ConfigKey;
import org.heddle.settings.ValueKind;

/** FairScheduler's keys in {@code yarn-site.xml}; they count if a {@code fair-scheduler.xml} is in force. */
public final class FairKeys {
    /** Prefix of FairScheduler's own keys. */
    public static final String PREFIX = "yarn.scheduler.fair.";

    public static final String DEFAULT_FILE = "fair-scheduler.xml";

    private static final ValueKind<Boolean> TRUTH = new ValueKind<>("true or false", text -> switch (text) {
        case "true", "TRUE", "True" -> true;
        case "false", "FALSE", "False" -> false;
        default -> throw new IllegalArgumentException();
    });
    private static final ValueKind<Double> THRESHOLD =
            new ValueKind<>("-1 (off), or a part from 0 to 1", FairKeys::threshold);
    private static final ValueKind<Integer> COUNT_OR_NONE =
            new ValueKind<>("-1 (no limit) or a whole number", Integer::valueOf);
    private static final ValueKind<Long> WAIT_OR_NONE =
            new ValueKind<>("-1 (off) or a whole number of milliseconds", Long::valueOf);

    public static final ConfigKey<String> ALLOCATION_FILE = new ConfigKey<>(
            PREFIX + "allocation.file",
            new ValueKind<>(
                    "the name of a resource on the class path, an absolute path or a URI of a file system that Hadoop knows",
                    ValueKind.NAME::parse),
            DEFAULT_FILE,
            "FairScheduler's allocation file. It is read where " + SchedulerKeys.PREFIX
                    + "configuration.file is not set and no " + SpecLocation.DEFAULT_NAME + " is on the class path.");

    public static final ConfigKey<Boolean> USER_AS_DEFAULT_QUEUE = new ConfigKey<>(
            PREFIX + "user-as-default-queue",
            TRUTH,
            "true",
            "Where the file has no placement policy: whether an application that names no queue goes to a queue with the"
                    + " name of its user.");
    public static final ConfigKey<Boolean> ALLOW_UNDECLARED_POOLS = new ConfigKey<>(
            PREFIX + "allow-undeclared-pools",
            TRUTH,
            "true",
            "Where the file has no placement policy: whether a queue that is not configured is created when an application"
                    + " names it.");
    public static final ConfigKey<Boolean> PREEMPTION =
            new ConfigKey<>(PREFIX + "preemption", TRUTH, "false", "Whether containers are preempted.");
    public static final ConfigKey<Long> WAIT_BEFORE_KILL = new ConfigKey<>(
            PREFIX + "waitTimeBeforeKill",
            ValueKind.MILLIS,
            "15000",
            "Time between the warning to an ApplicationMaster and the end of its container, in milliseconds.");
    public static final ConfigKey<Double> UTILIZATION_THRESHOLD = new ConfigKey<>(
            PREFIX + "preemption.cluster-utilization-threshold",
            ValueKind.FRACTION,
            "0.8",
            "Containers are preempted only while the used part of the cluster, of the resource with the highest use, is"
                    + " above this.");
    public static final ConfigKey<Boolean> AM_PREEMPTION = new ConfigKey<>(
            PREFIX + "am.preemption",
            TRUTH,
            "true",
            "Whether containers of ApplicationMasters may be preempted; other containers are preempted first.");
    public static final ConfigKey<Boolean> SIZE_BASED_WEIGHT = new ConfigKey<>(
            PREFIX + "sizebasedweight",
            TRUTH,
            "false",
            "Whether the weight of an application is log2(1 + memory that it holds and asks for) instead of 1.");
    public static final ConfigKey<Boolean> ASSIGN_MULTIPLE = new ConfigKey<>(
            PREFIX + "assignmultiple", TRUTH, "false", "Whether one node heartbeat may place more than one container.");
    public static final ConfigKey<Boolean> DYNAMIC_MAX_ASSIGN = new ConfigKey<>(
            PREFIX + "dynamic.max.assign",
            TRUTH,
            "true",
            "With assignmultiple: whether a heartbeat may fill half of the node's free resources.");
    public static final ConfigKey<Integer> MAX_ASSIGN = new ConfigKey<>(
            PREFIX + "max.assign",
            COUNT_OR_NONE,
            "-1",
            "With assignmultiple and without dynamic.max.assign: maximum number of containers that one heartbeat places.");
    public static final ConfigKey<Double> LOCALITY_NODE = new ConfigKey<>(
            PREFIX + "locality.threshold.node",
            THRESHOLD,
            "-1",
            "Part of the cluster's nodes that a request skips while it waits for one of its nodes.");
    public static final ConfigKey<Double> LOCALITY_RACK = new ConfigKey<>(
            PREFIX + "locality.threshold.rack",
            THRESHOLD,
            "-1",
            "Part of the cluster's nodes that it then skips while it waits for one of its racks.");
    public static final ConfigKey<Boolean> CONTINUOUS = new ConfigKey<>(
            PREFIX + "continuous-scheduling-enabled",
            TRUTH,
            "false",
            "Whether containers are allocated as soon as a request arrives, not only at node heartbeats, and whether the two"
                    + " delays below apply.");
    public static final ConfigKey<Long> DELAY_NODE = new ConfigKey<>(
            PREFIX + "locality-delay-node-ms",
            WAIT_OR_NONE,
            "-1",
            "With continuous scheduling: time that a request waits for one of its nodes, in milliseconds.");
    public static final ConfigKey<Long> DELAY_RACK = new ConfigKey<>(
            PREFIX + "locality-delay-rack-ms",
            WAIT_OR_NONE,
            "-1",
            "With continuous scheduling: further time that it waits for one of its racks, in milliseconds.");
    public static final ConfigKey<Double> RESERVABLE_NODES = new ConfigKey<>(
            PREFIX + "reservable-nodes",
            ValueKind.FRACTION,
            "0.05",
            "Part of the nodes that may be reserved at the same time. The limit is for all applications together; in"
                    + " FairScheduler it is for each application.");

    /** The keys with an effect, in the order of the documentation. */
    public static final List<ConfigKey<?>> ALL = List.of(
            ALLOCATION_FILE,
            USER_AS_DEFAULT_QUEUE,
            ALLOW_UNDECLARED_POOLS,
            PREEMPTION,
            WAIT_BEFORE_KILL,
            UTILIZATION_THRESHOLD,
            AM_PREEMPTION,
            SIZE_BASED_WEIGHT,
            ASSIGN_MULTIPLE,
            DYNAMIC_MAX_ASSIGN,
            MAX_ASSIGN,
            LOCALITY_NODE,
            LOCALITY_RACK,
            CONTINUOUS,
            DELAY_NODE,
            DELAY_RACK,
            RESERVABLE_NODES);

    /** A key that has no effect, and why. */
    public record Idle(String name, String why) {}

    /** The keys without an effect. */
    public static final List<Idle> IDLE = List.of(
            new Idle(
                    PREFIX + "update-interval-ms", "shares are kept up to date with every container, not at intervals"),
            new Idle(
                    PREFIX + "waitTimeBeforeNextStarvationCheck",
                    "freed resources are held for the queue that they were freed for, so there is nothing to wait for"),
            new Idle(PREFIX + "continuous-scheduling-sleep-ms", "no thread looks at all nodes again and again"),
            new Idle(
                    "yarn.scheduler.reservation-threshold.increment-multiple",
                    "a node may be reserved for a request of any size that fits on no node for some time"));

    private FairKeys() {}

    private static double threshold(String text) {
        double value = Double.parseDouble(text);
        if (Double.isNaN(value) || value > 1) {
            throw new IllegalArgumentException();
        }
        return value < 0 ? -1 : value;
    }
}
