// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.heddle.drf.DrfScheduler;

/** A scheduler and how it is told of one queue for each user, one more for a newcomer, and equal shares. */
enum Contestant {
    FLOOR("floor") {
        @Override
        void configure(Configuration conf, int queues, Path directory) {
            conf.set(YarnConfiguration.RM_SCHEDULER, FloorScheduler.class.getName());
        }
    },
    HEDDLE("heddle") {
        @Override
        void configure(Configuration conf, int queues, Path directory) throws IOException {
            conf.set(YarnConfiguration.RM_SCHEDULER, DrfScheduler.class.getName());
            String xml = IntStream.range(0, queues)
                    .mapToObj(user ->
                            "<queue name=\"" + Workload.queue(user) + "\"><max-am-share>100%</max-am-share></queue>")
                    .collect(Collectors.joining(
                            "",
                            "<heddle-scheduler version=\"1\"><queue name=\"root\">",
                            "</queue></heddle-scheduler>"));
            Path file = Files.writeString(directory.resolve("heddle-scheduler.xml"), xml);
            conf.set("yarn.scheduler.heddle.configuration.file", file.toString());
        }
    },
    FAIR("fair") {
        @Override
        void configure(Configuration conf, int queues, Path directory) throws IOException {
            conf.set(YarnConfiguration.RM_SCHEDULER, FairScheduler.class.getName());
            String xml = IntStream.range(0, queues)
                    .mapToObj(user -> "<queue name=\"" + Workload.queue(user) + "\"/>")
                    .collect(Collectors.joining(
                            "",
                            "<allocations><defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>"
                                    + "<queueMaxAMShareDefault>-1.0</queueMaxAMShareDefault>"
                                    + "<queue name=\"root\"><schedulingPolicy>drf</schedulingPolicy>",
                            "</queue></allocations>"));
            Path file = Files.writeString(directory.resolve("fair-scheduler.xml"), xml);
            conf.set("yarn.scheduler.fair.allocation.file", file.toString());
            conf.set("yarn.scheduler.fair.assignmultiple", "true");
            conf.set("yarn.scheduler.fair.dynamic.max.assign", "false");
        }
    },
    CAPACITY("capacity") {
        @Override
        void configure(Configuration conf, int queues, Path directory) {
            capacity(conf, queues, false);
        }
    },
    CAPACITY_ASYNC("capacity-async") {
        @Override
        void configure(Configuration conf, int queues, Path directory) {
            capacity(conf, queues, true);
        }
    },
    FIFO("fifo") {
        @Override
        void configure(Configuration conf, int queues, Path directory) {
            conf.set(YarnConfiguration.RM_SCHEDULER, FifoScheduler.class.getName());
        }
    };

    private final String name;

    Contestant(String name) {
        this.name = name;
    }

    /** Sets the scheduler's class, and what its queues need; files go into a directory of its own. */
    abstract void configure(Configuration conf, int queues, Path directory) throws IOException;

    static Contestant named(String name) {
        for (Contestant one : values()) {
            if (one.name.equals(name)) {
                return one;
            }
        }
        throw new IllegalArgumentException("scheduler " + name + " is unknown; use one of "
                + IntStream.range(0, values().length)
                        .mapToObj(i -> values()[i].name)
                        .toList());
    }

    /** Where a user's applications go. */
    String queue(int user) {
        return this == FIFO || this == FLOOR ? "default" : "root." + Workload.queue(user);
    }

    @Override
    public String toString() {
        return name;
    }

    private static void capacity(Configuration conf, int queues, boolean async) {
        String prefix = "yarn.scheduler.capacity.";
        conf.set(YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class.getName());
        conf.set(prefix + "resource-calculator", DominantResourceCalculator.class.getName());
        conf.set(prefix + "schedule-asynchronously.enable", String.valueOf(async));
        conf.set(prefix + "maximum-am-resource-percent", "1.0");
        conf.set(prefix + "per-node-heartbeat.maximum-offswitch-assignments", "100");
        conf.set(
                prefix + "root.queues",
                IntStream.range(0, queues).mapToObj(Workload::queue).collect(Collectors.joining(",")));
        for (int user = 0; user < queues; user++) {
            String queue = prefix + "root." + Workload.queue(user) + ".";
            conf.set(queue + "capacity", "1w");
            conf.set(queue + "user-limit-factor", "1000");
            conf.set(queue + "maximum-am-resource-percent", "1.0");
        }
    }
}
