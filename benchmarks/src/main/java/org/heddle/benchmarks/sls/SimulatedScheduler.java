// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.sls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;

/** A scheduler with the trace's queues, of equal weights, and without a limit for masters. */
enum SimulatedScheduler {
    HEDDLE {
        @Override
        void configure(Configuration conf, Path directory) throws IOException {
            configureHeddle(conf, directory, "");
        }
    },
    HEDDLE_ANYWHERE {
        @Override
        void configure(Configuration conf, Path directory) throws IOException {
            configureHeddle(
                    conf,
                    directory,
                    "<scheduling-delays><node-locality>0ms</node-locality><rack-locality>0ms</rack-locality>"
                            + "</scheduling-delays>");
        }
    },
    FAIR {
        @Override
        void configure(Configuration conf, Path directory) throws IOException {
            conf.set(YarnConfiguration.RM_SCHEDULER, FairScheduler.class.getName());
            write(
                    conf,
                    "yarn.scheduler.fair.allocation.file",
                    directory.resolve("fair-scheduler.xml"),
                    "<allocations><defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>"
                            + "<queueMaxAMShareDefault>-1.0</queueMaxAMShareDefault>"
                            + ofEachQueue("<queue name=\"%s\"/>")
                            + "</allocations>");
            conf.set("yarn.scheduler.fair.assignmultiple", "true");
            conf.set("yarn.scheduler.fair.dynamic.max.assign", "false");
        }
    },
    CAPACITY {
        @Override
        void configure(Configuration conf, Path directory) {
            String prefix = "yarn.scheduler.capacity.";
            conf.set(YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class.getName());
            conf.set(prefix + "resource-calculator", DominantResourceCalculator.class.getName());
            conf.set(prefix + "maximum-am-resource-percent", "1.0");
            conf.set(prefix + "root.queues", String.join(",", SyntheticTrace.QUEUES));
            for (String queue : SyntheticTrace.QUEUES) {
                conf.set(prefix + "root." + queue + ".capacity", "1w");
                conf.set(prefix + "root." + queue + ".ordering-policy", "fair");
            }
        }
    };

    private static void configureHeddle(Configuration conf, Path directory, String more) throws IOException {
        conf.set(YarnConfiguration.RM_SCHEDULER, HeddleUnderSls.class.getName());
        write(
                conf,
                "yarn.scheduler.heddle.configuration.file",
                directory.resolve("heddle-scheduler.xml"),
                "<heddle-scheduler version=\"1\"><queue name=\"root\">"
                        + ofEachQueue("<queue name=\"%s\"><max-am-share>100%%</max-am-share></queue>") + "</queue>"
                        + more + "</heddle-scheduler>");
        conf.set(
                "yarn.scheduler.heddle.usage.directory",
                directory.resolve("usage").toString());
    }

    /** @throws IllegalArgumentException if there is no such one */
    static SimulatedScheduler named(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** Sets the scheduler's class and queues; files go into the directory. */
    abstract void configure(Configuration conf, Path directory) throws IOException;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String ofEachQueue(String pattern) {
        StringBuilder text = new StringBuilder();
        SyntheticTrace.QUEUES.forEach(queue -> text.append(String.format(pattern, queue)));
        return text.toString();
    }

    private static void write(Configuration conf, String key, Path file, String text) throws IOException {
        conf.set(key, Files.writeString(file, text).toString());
    }
}
