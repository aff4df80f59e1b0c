// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config;

import java.util.List;
import org.heddle.scheduler.model.ConfigKey;
import org.heddle.scheduler.model.ValueKind;

/** FairScheduler's keys in {@code yarn-site.xml}, which count where a {@code fair-scheduler.xml} is in force. */
public final class FairKeys {
    /** What FairScheduler's own keys start with. */
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
                    text -> {
                        if (text.isEmpty()) {
                            throw new IllegalArgumentException();
                        }
                        return text;
                    }),
            DEFAULT_FILE,
            "FairScheduler's allocation file. Read where " + SchedulerKeys.PREFIX
                    + "configuration.file is not set and no " + SpecLocation.DEFAULT_NAME + " is on the class path.");

    public static final ConfigKey<Boolean> USER_AS_DEFAULT_QUEUE = new ConfigKey<>(
            PREFIX + "user-as-default-queue",
            TRUTH,
            "true",
            "Where the file has no placement policy: an application that names no queue goes to one named after its user.");
    public static final ConfigKey<Boolean> ALLOW_UNDECLARED_POOLS = new ConfigKey<>(
            PREFIX + "allow-undeclared-pools",
            TRUTH,
            "true",
            "Where the file has no placement policy: queues that are not configured are made when somebody asks for them.");
    public static final ConfigKey<Boolean> PREEMPTION =
            new ConfigKey<>(PREFIX + "preemption", TRUTH, "false", "Whether containers are revoked.");
    public static final ConfigKey<Long> WAIT_BEFORE_KILL = new ConfigKey<>(
            PREFIX + "waitTimeBeforeKill",
            ValueKind.MILLIS,
            "15000",
            "Time between telling an ApplicationMaster and killing its container.");
    public static final ConfigKey<Double> UTILIZATION_THRESHOLD = new ConfigKey<>(
            PREFIX + "preemption.cluster-utilization-threshold",
            ValueKind.FRACTION,
            "0.8",
            "Part of the cluster, of the resource most in use, above which containers are revoked.");
    public static final ConfigKey<Boolean> AM_PREEMPTION = new ConfigKey<>(
            PREFIX + "am.preemption",
            TRUTH,
            "true",
            "Whether ApplicationMasters' containers may be revoked; the others are first.");
    public static final ConfigKey<Boolean> SIZE_BASED_WEIGHT = new ConfigKey<>(
            PREFIX + "sizebasedweight",
            TRUTH,
            "false",
            "Applications weigh log2(1 + memory that they hold and ask for) in place of 1.");
    public static final ConfigKey<Boolean> ASSIGN_MULTIPLE = new ConfigKey<>(
            PREFIX + "assignmultiple", TRUTH, "false", "Whether one node heartbeat may place more than one container.");
    public static final ConfigKey<Boolean> DYNAMIC_MAX_ASSIGN = new ConfigKey<>(
            PREFIX + "dynamic.max.assign",
            TRUTH,
            "true",
            "With assignmultiple: a heartbeat fills up to half of the node's free room.");
    public static final ConfigKey<Integer> MAX_ASSIGN = new ConfigKey<>(
            PREFIX + "max.assign",
            COUNT_OR_NONE,
            "-1",
            "With assignmultiple and without dynamic.max.assign: most containers placed by one heartbeat.");
    public static final ConfigKey<Double> LOCALITY_NODE = new ConfigKey<>(
            PREFIX + "locality.threshold.node",
            THRESHOLD,
            "-1",
            "Part of the cluster's nodes that an ask passes over while it waits for one of its own.");
    public static final ConfigKey<Double> LOCALITY_RACK = new ConfigKey<>(
            PREFIX + "locality.threshold.rack",
            THRESHOLD,
            "-1",
            "The same, after that, while it waits for one of its racks.");
    public static final ConfigKey<Boolean> CONTINUOUS = new ConfigKey<>(
            PREFIX + "continuous-scheduling-enabled",
            TRUTH,
            "false",
            "Only whether the two delays below count: containers are placed on heartbeats in any case.");
    public static final ConfigKey<Long> DELAY_NODE = new ConfigKey<>(
            PREFIX + "locality-delay-node-ms",
            WAIT_OR_NONE,
            "-1",
            "With continuous scheduling: how long an ask waits for one of its nodes.");
    public static final ConfigKey<Long> DELAY_RACK = new ConfigKey<>(
            PREFIX + "locality-delay-rack-ms",
            WAIT_OR_NONE,
            "-1",
            "With continuous scheduling: how much longer it waits for one of its racks.");
    public static final ConfigKey<Double> RESERVABLE_NODES = new ConfigKey<>(
            PREFIX + "reservable-nodes",
            ValueKind.FRACTION,
            "0.05",
            "Part of the nodes that may be reserved at once (by all together; FairScheduler: by each application).");

    /** Those with an effect, in the order of the documentation. */
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

    /** Those without an effect. */
    public static final List<Idle> IDLE = List.of(
            new Idle(
                    PREFIX + "update-interval-ms",
                    "shares are kept up to date with every container, not worked out at intervals"),
            new Idle(
                    PREFIX + "waitTimeBeforeNextStarvationCheck",
                    "what has been freed is held for whom it was freed, so there is nothing to wait for"),
            new Idle(PREFIX + "continuous-scheduling-sleep-ms", "containers are placed on node heartbeats only"),
            new Idle(
                    "yarn.scheduler.reservation-threshold.increment-multiple",
                    "any ask that fits nowhere for a while may have a node reserved, whatever its size"));

    private FairKeys() {}

    private static double threshold(String text) {
        double value = Double.parseDouble(text);
        if (Double.isNaN(value) || value > 1) {
            throw new IllegalArgumentException();
        }
        return value < 0 ? -1 : value;
    }
}
