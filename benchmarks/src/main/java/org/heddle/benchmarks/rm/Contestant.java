// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.heddle.drf.DrfScheduler;
import org.heddle.whatif.driven.SchedulerDriver;

/** A scheduler and how it is told of one queue for each user, one more for a newcomer, and equal shares. */
public enum Contestant {
    FLOOR("floor", "a scheduler of ours that chooses nothing") {
        @Override
        void configure(Configuration conf, Workload load, Path directory) {
            conf.set(YarnConfiguration.RM_SCHEDULER, BaselineScheduler.class.getName());
        }
    },
    HEDDLE("heddle", "defaults, but no limit for masters") {
        @Override
        void configure(Configuration conf, Workload load, Path directory) throws IOException {
            heddle(conf, load, directory, "");
        }
    },
    HEDDLE_UNACCOUNTED("heddle-unaccounted", "defaults without the accounting of usage, but no limit for masters") {
        @Override
        void configure(Configuration conf, Workload load, Path directory) throws IOException {
            heddle(conf, load, directory, "");
            conf.set(USAGE, "none");
        }
    },
    /** The same as {@link #HEDDLE} by the name that results have from before it was the default. */
    HEDDLE_IMMEDIATE("heddle-immediate", "defaults, which are immediate allocation, but no limit for masters") {
        @Override
        void configure(Configuration conf, Workload load, Path directory) throws IOException {
            heddle(conf, load, directory, "");
        }
    },
    HEDDLE_HEARTBEAT(
            "heddle-heartbeat",
            "defaults with allocation at heartbeats only (the default of the heddle of older results), but no limit"
                    + " for masters") {
        @Override
        void configure(Configuration conf, Workload load, Path directory) throws IOException {
            heddle(conf, load, directory, "<allocation>heartbeat</allocation>");
        }
    },
    FAIR("fair", "policy drf, assignmultiple without a limit, no limit for masters") {
        @Override
        void configure(Configuration conf, Workload load, Path directory) throws IOException {
            fair(conf, load, directory);
        }
    },
    FAIR_CONTINUOUS(
            "fair-continuous",
            "policy drf, assignmultiple without a limit, continuous scheduling, no limit for masters") {
        @Override
        void configure(Configuration conf, Workload load, Path directory) throws IOException {
            fair(conf, load, directory);
            conf.setBoolean("yarn.scheduler.fair.continuous-scheduling-enabled", true);
        }
    },
    FAIR_DEFAULT("fair-default", "policy drf, no limit for masters, else defaults: one container in a heartbeat") {
        @Override
        void configure(Configuration conf, Workload load, Path directory) throws IOException {
            fair(conf, load, directory);
            conf.unset("yarn.scheduler.fair.assignmultiple");
            conf.unset("yarn.scheduler.fair.dynamic.max.assign");
        }
    },
    CAPACITY(
            "capacity",
            "DominantResourceCalculator, synchronous, 100 off-switch assignments in a heartbeat, no limit for"
                    + " masters") {
        @Override
        void configure(Configuration conf, Workload load, Path directory) {
            capacity(conf, load, false);
        }
    },
    CAPACITY_ASYNC(
            "capacity-async",
            "DominantResourceCalculator, asynchronous, 100 off-switch assignments in a heartbeat, no limit for"
                    + " masters") {
        @Override
        void configure(Configuration conf, Workload load, Path directory) {
            capacity(conf, load, true);
        }
    },
    CAPACITY_DEFAULT(
            "capacity-default", "DominantResourceCalculator, no limit for masters, else the defaults of this Hadoop") {
        @Override
        void configure(Configuration conf, Workload load, Path directory) {
            capacity(conf, load, false);
            conf.unset("yarn.scheduler.capacity.schedule-asynchronously.enable");
            conf.unset("yarn.scheduler.capacity.per-node-heartbeat.maximum-offswitch-assignments");
        }
    },
    FIFO("fifo", "defaults; counts memory only") {
        @Override
        void configure(Configuration conf, Workload load, Path directory) {
            conf.set(YarnConfiguration.RM_SCHEDULER, FifoScheduler.class.getName());
        }
    };

    /** Ours in both modes of allocation, and the others with their settings for short waits and with their defaults. */
    public static final List<Contestant> FOR_WAITS = List.of(
            HEDDLE_IMMEDIATE, HEDDLE_HEARTBEAT, FAIR_CONTINUOUS, FAIR_DEFAULT, CAPACITY_ASYNC, CAPACITY_DEFAULT);

    /** The queue of {@link #properties}. */
    public static final String USERS_QUEUE = "root." + Workload.user(0);

    private static final String USAGE = "yarn.scheduler.heddle.usage.directory";

    private final String name;
    private final String settings;

    Contestant(String name, String settings) {
        this.name = name;
        this.settings = settings;
    }

    /** How it is configured, apart from the queues: for the report. */
    public String settings() {
        return settings;
    }

    /** How each of them is configured, in a sentence. */
    public static String settings(List<Contestant> contestants) {
        return contestants.stream().map(one -> one + ": " + one.settings()).collect(Collectors.joining("; "));
    }

    /** Whether a failure of it is a fault of this project. */
    public boolean isOurs() {
        return this == FLOOR || name.startsWith("heddle");
    }

    /** Sets the scheduler's class, and what its queues need; files go into a directory of its own. */
    abstract void configure(Configuration conf, Workload load, Path directory) throws IOException;

    /**
     * The configuration of a ResourceManager with this scheduler.
     *
     * @param name the name of its temporary directory begins with this
     */
    public YarnConfiguration configuration(Workload load, String name) throws IOException {
        YarnConfiguration conf = new YarnConfiguration();
        Path directory = Files.createTempDirectory(name);
        configure(conf, load, directory);
        conf.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                directory.resolve("node-attributes").toUri().toString());
        SchedulerDriver.takeFreePorts(conf);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 256);
        conf.setInt(
                YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB,
                largest(load, load::memoryOf, YarnConfiguration.DEFAULT_RM_SCHEDULER_MAXIMUM_ALLOCATION_MB));
        conf.setInt(
                YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_VCORES,
                largest(load, load::vcoresOf, YarnConfiguration.DEFAULT_RM_SCHEDULER_MAXIMUM_ALLOCATION_VCORES));
        conf.set(YarnConfiguration.RESOURCE_TYPES, String.join(",", load.moreTypes()));
        load.moreTypes()
                .forEach(type -> conf.setInt(
                        YarnConfiguration.RESOURCE_TYPES + "." + type + ".maximum-allocation",
                        Workload.MOST_OF_A_TYPE));
        conf.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, 0);
        // These containers are never launched; YARN must not take them back while the other schedulers run.
        conf.setInt(YarnConfiguration.RM_CONTAINER_ALLOC_EXPIRY_INTERVAL_MS, Integer.MAX_VALUE);
        return conf;
    }

    /** The largest need of any user, and at least Hadoop's own limit. */
    private static int largest(Workload load, IntUnaryOperator need, int usual) {
        return Math.max(
                usual, IntStream.rangeClosed(0, load.users()).map(need).max().orElse(usual));
    }

    /**
     * What a cluster needs for this scheduler with one user's queue ({@link #USERS_QUEUE}), and an empty one beside it.
     *
     * @param directory for the scheduler's own files
     */
    public Map<String, String> properties(Path directory) throws IOException {
        Configuration conf = new Configuration(false);
        configure(conf, Workload.of(1, 1, 1, 2, 1, 1), directory);
        Map<String, String> properties = new TreeMap<>();
        conf.forEach(property -> properties.put(property.getKey(), property.getValue()));
        return properties;
    }

    /** The scheduler of this name. */
    public static Contestant named(String name) {
        for (Contestant one : values()) {
            if (one.name.equals(name)) {
                return one;
            }
        }
        throw new IllegalArgumentException("scheduler " + name + " is unknown; use one of "
                + Arrays.stream(values()).map(Contestant::toString).toList());
    }

    /** Where a user's applications go. */
    public String queue(Workload load, int user) {
        return this == FIFO || this == FLOOR ? "default" : "root." + String.join(".", load.path(user));
    }

    @Override
    public String toString() {
        return name;
    }

    private static void heddle(Configuration conf, Workload load, Path directory, String settings) throws IOException {
        conf.set(YarnConfiguration.RM_SCHEDULER, DrfScheduler.class.getName());
        String xml = "<heddle-scheduler version=\"1\">"
                + settings
                + QueueNames.of(load).xml("", "<max-am-share>100%</max-am-share>")
                + "</heddle-scheduler>";
        Path file = Files.writeString(directory.resolve("heddle-scheduler.xml"), xml);
        conf.set("yarn.scheduler.heddle.configuration.file", file.toString());
        conf.set(USAGE, directory.resolve("usage").toString());
    }

    private static void fair(Configuration conf, Workload load, Path directory) throws IOException {
        conf.set(YarnConfiguration.RM_SCHEDULER, FairScheduler.class.getName());
        String xml = "<allocations><defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>"
                + "<queueMaxAMShareDefault>-1.0</queueMaxAMShareDefault>"
                + QueueNames.of(load).xml("<schedulingPolicy>drf</schedulingPolicy>", "")
                + "</allocations>";
        Path file = Files.writeString(directory.resolve("fair-scheduler.xml"), xml);
        conf.set("yarn.scheduler.fair.allocation.file", file.toString());
        conf.set("yarn.scheduler.fair.assignmultiple", "true");
        conf.set("yarn.scheduler.fair.dynamic.max.assign", "false");
    }

    private static void capacity(Configuration conf, Workload load, boolean async) {
        String prefix = "yarn.scheduler.capacity.";
        conf.set(YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class.getName());
        conf.set(prefix + "resource-calculator", DominantResourceCalculator.class.getName());
        conf.set(prefix + "schedule-asynchronously.enable", String.valueOf(async));
        conf.set(prefix + "maximum-am-resource-percent", "1.0");
        conf.set(prefix + "per-node-heartbeat.maximum-offswitch-assignments", "100");
        QueueNames.of(load).forEach("root", (queue, below) -> {
            String ofQueue = prefix + queue + ".";
            if (!below.isEmpty()) {
                conf.set(ofQueue + "queues", String.join(",", below));
            }
            if (!queue.equals("root")) {
                conf.set(ofQueue + "capacity", "1w");
                conf.set(ofQueue + "user-limit-factor", "1000");
                conf.set(ofQueue + "maximum-am-resource-percent", "1.0");
            }
        });
    }
}
