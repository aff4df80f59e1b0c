// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.takeover;

import java.util.Arrays;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.heddle.drf.DrfScheduler;
import org.heddle.testkit.ProcessCluster;

/**
 * A scheduler with one queue, default, and otherwise its own defaults. Those of the race (Contestant) have other
 * queues, which are properties of CapacityScheduler; in a daemon the capacity-scheduler.xml on the class path is
 * stronger.
 */
enum ComparedScheduler {
    HEDDLE(DrfScheduler.class) {
        @Override
        ProcessCluster.Builder configure(ProcessCluster.Builder plan) {
            return plan.queuesFile(
                            "yarn.scheduler.heddle.configuration.file",
                            "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"default\"/></queue>"
                                    + "</heddle-scheduler>")
                    // its default is a directory of one ResourceManager; a pair needs one that both see
                    .property("yarn.scheduler.heddle.usage.directory", "hdfs:///heddle/usage");
        }
    },
    FAIR(FairScheduler.class) {
        @Override
        ProcessCluster.Builder configure(ProcessCluster.Builder plan) {
            // Its own policy takes a job in "default" for one that names no queue, and puts it into the queue of its
            // user.
            return plan.queuesFile(
                    "yarn.scheduler.fair.allocation.file",
                    "<allocations><queue name=\"default\"/><queuePlacementPolicy><rule name=\"specified\"/>"
                            + "<rule name=\"default\"/></queuePlacementPolicy></allocations>");
        }
    },
    /** With the file that Hadoop ships, which is on the class path. */
    CAPACITY(CapacityScheduler.class) {
        @Override
        ProcessCluster.Builder configure(ProcessCluster.Builder plan) {
            return plan;
        }
    };

    static final String QUEUE = "default";

    private final Class<?> type;

    ComparedScheduler(Class<?> type) {
        this.type = type;
    }

    /** Sets what its queue needs. */
    abstract ProcessCluster.Builder configure(ProcessCluster.Builder plan);

    /** A cluster with this scheduler, not yet started. */
    ProcessCluster.Builder cluster() {
        return configure(ProcessCluster.builder().scheduler(type.getName()));
    }

    /** The scheduler of this name. */
    static ComparedScheduler named(String name) {
        return Arrays.stream(values())
                .filter(one -> one.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "scheduler " + name + " is unknown; use one of " + Arrays.toString(values())));
    }

    @Override
    public String toString() {
        return type.getSimpleName();
    }
}
