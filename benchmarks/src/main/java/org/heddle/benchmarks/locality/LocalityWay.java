// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.locality;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.scheduler.QueueFiles;
import org.heddle.whatif.scheduler.ReplayConfiguration;
import org.heddle.whatif.scheduler.SchedulerKind;

/**
 * A scheduler on a virtual clock, with what tells it how long to wait for a node.
 *
 * @param elements of {@code <heddle-scheduler>}; empty for another scheduler
 * @param site keys of yarn-site.xml; of {@code capacity-scheduler.xml} for CapacityScheduler
 */
record LocalityWay(SchedulerKind kind, String elements, Map<String, String> site) {
    private static final String FAIR = "yarn.scheduler.fair.";
    private static final String CAPACITY = "yarn.scheduler.capacity.";

    /** Ours with its defaults. */
    static LocalityWay heddle() {
        return new LocalityWay(SchedulerKind.HEDDLE, "", Map.of());
    }

    /** Ours which waits so long for a node and then for a rack, whether or not there is room. */
    static LocalityWay heddle(String wait) {
        return new LocalityWay(
                SchedulerKind.HEDDLE,
                "<scheduling-delays><node-locality>" + wait + "</node-locality><rack-locality>" + wait
                        + "</rack-locality></scheduling-delays>",
                Map.of());
    }

    /** FairScheduler with Hadoop's defaults: one container in a heartbeat, and no wait. */
    static LocalityWay fairDefault() {
        return new LocalityWay(SchedulerKind.FAIR, "", Map.of());
    }

    /**
     * FairScheduler with as many containers in a heartbeat as fit.
     *
     * @param threshold the part of the nodes that a request passes for its node and then for its rack; -1 for none
     */
    static LocalityWay fair(String threshold) {
        return fairDefault()
                .with(FAIR + "assignmultiple", "true")
                .with(FAIR + "dynamic.max.assign", "false")
                .with(FAIR + "locality.threshold.node", threshold)
                .with(
                        FAIR + "locality.threshold.rack",
                        threshold); // it waits for nodes only if it waits for racks, too
    }

    /** CapacityScheduler with Hadoop's defaults: one container off its rack in a heartbeat, and a wait for 40 nodes. */
    static LocalityWay capacityDefault() {
        return new LocalityWay(SchedulerKind.CAPACITY, "", Map.of());
    }

    /**
     * CapacityScheduler with as many containers in a heartbeat as fit.
     *
     * @param delay how many nodes a request passes; -1 for none
     */
    static LocalityWay capacity(String delay) {
        return capacityDefault()
                .with(CAPACITY + "per-node-heartbeat.maximum-offswitch-assignments", "100")
                .with(CAPACITY + "node-locality-delay", delay);
    }

    private LocalityWay with(String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(site);
        more.put(key, value);
        return new LocalityWay(kind, elements, more);
    }

    /**
     * Of a ResourceManager with this scheduler.
     *
     * @param queues below the root, with equal shares
     * @param node the largest one
     * @param scratch a directory for files
     */
    Configuration configuration(List<String> queues, Size node, Path scratch) throws IOException {
        Path directory = Files.createTempDirectory(scratch, "locality");
        String tree = queues.stream()
                .map(queue -> "<queue name=\"" + queue + "\"/>")
                .collect(Collectors.joining("", "<queue name=\"root\">", "</queue>"));
        List<Path> files = new ArrayList<>();
        files.add(Files.writeString(
                directory.resolve("fair-scheduler.xml"),
                "<allocations><defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>"
                        + "<queueMaxAMShareDefault>-1.0</queueMaxAMShareDefault>" + tree + "</allocations>"));
        if (kind == SchedulerKind.HEDDLE) {
            files.add(Files.writeString(
                    directory.resolve("heddle-scheduler.xml"),
                    "<heddle-scheduler version=\"1\">" + elements + tree + "</heddle-scheduler>"));
        }
        Configuration keys = new Configuration(false);
        site.forEach(keys::set);
        Configuration conf = new ReplayConfiguration(new QueueFiles(files), keys, List.of(node), directory)
                .of(kind)
                .conf();
        site.forEach(conf::set); // what Hadoop's converter wrote is weaker
        return conf;
    }
}
