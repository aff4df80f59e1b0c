// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The properties that make a cluster of the fixture small, quick, free of fixed ports and tolerant of full disks.
 * {@link ClusterBuilder#property} wins over each of them.
 */
final class Defaults {
    /** Below the heap, so that a hundred of them fit on a small machine. */
    private static final String CONTAINER_JVM = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xss512k -Xshare:auto";

    private Defaults() {}

    static Map<String, String> yarn(String scheduler) {
        Map<String, String> p = new LinkedHashMap<>();
        p.put("yarn.resourcemanager.scheduler.class", scheduler);
        for (String service : new String[] {
            "address", "scheduler.address", "resource-tracker.address", "admin.address", "webapp.address"
        }) {
            p.put("yarn.resourcemanager." + service, "localhost:0");
        }
        // The ResourceManager writes the port of its web server back only if told that it is embedded.
        p.put("yarn.is.minicluster", "true");
        p.put("yarn.resourcemanager.client.thread-count", "8");
        p.put("yarn.resourcemanager.scheduler.client.thread-count", "8");
        p.put("yarn.resourcemanager.resource-tracker.client.thread-count", "8");
        p.put("yarn.resourcemanager.amlauncher.thread-count", "8");
        p.put("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "250");
        // Asks are granted as asked for, not rounded up, up to any size a node may declare.
        p.put("yarn.scheduler.minimum-allocation-mb", "1");
        p.put("yarn.scheduler.minimum-allocation-vcores", "1");
        p.put("yarn.scheduler.maximum-allocation-mb", String.valueOf(1 << 30));
        p.put("yarn.scheduler.maximum-allocation-vcores", String.valueOf(1 << 20));
        p.put("yarn.resource-types.memory-mb.increment-allocation", "1");
        p.put("yarn.resource-types.vcores.increment-allocation", "1");
        // CapacityScheduler's own default counts memory alone and refuses to start where there are more types.
        p.put(
                "yarn.scheduler.capacity.resource-calculator",
                "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator");
        p.put("yarn.nodemanager.resource.detect-hardware-capabilities", "false");
        p.put("yarn.nodemanager.pmem-check-enabled", "false");
        p.put("yarn.nodemanager.vmem-check-enabled", "false");
        p.put("yarn.nodemanager.container-monitor.enabled", "false");
        p.put("yarn.nodemanager.resource-monitor.interval-ms", "0");
        p.put("yarn.nodemanager.container-manager.thread-count", "8");
        p.put("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
        p.put("yarn.nodemanager.disk-health-checker.min-free-space-per-disk-mb", "0");
        p.put("yarn.nodemanager.process-kill-wait.ms", "2000");
        p.put("yarn.nodemanager.admin-env.JAVA_HOME", System.getProperty("java.home"));
        return p;
    }

    static Map<String, String> hdfs() {
        Map<String, String> p = new LinkedHashMap<>();
        p.put("dfs.replication", "1");
        p.put("dfs.namenode.handler.count", "8");
        p.put("dfs.namenode.resource.du.reserved", "0");
        p.put("dfs.namenode.fs-limits.min-block-size", "1024");
        p.put("dfs.namenode.edits.noeditlogchannelflush", "true");
        p.put("dfs.datanode.du.reserved", "0");
        p.put("mapreduce.client.submit.file.replication", "1");
        return p;
    }

    static Map<String, String> mapReduce() {
        Map<String, String> p = new LinkedHashMap<>();
        p.put("mapreduce.framework.name", "yarn");
        p.put("mapreduce.job.ubertask.enable", "false");
        p.put("yarn.nodemanager.aux-services", "mapreduce_shuffle");
        p.put("yarn.nodemanager.aux-services.mapreduce_shuffle.class", "org.apache.hadoop.mapred.ShuffleHandler");
        p.put("mapreduce.shuffle.port", "0");
        p.put("yarn.app.mapreduce.am.staging-dir", "/mapreduce/staging");
        p.put("mapreduce.jobhistory.intermediate-done-dir", "/mapreduce/history/intermediate");
        p.put("mapreduce.jobhistory.done-dir", "/mapreduce/history/done");
        p.put("mapreduce.jobhistory.address", "localhost:0");
        p.put("mapreduce.jobhistory.webapp.address", "localhost:0");
        p.put("mapreduce.jobhistory.admin.address", "localhost:0");
        p.put("mapreduce.jobhistory.move.interval-ms", "1000");
        p.put("yarn.app.mapreduce.am.resource.mb", "512");
        p.put("yarn.app.mapreduce.am.command-opts", "-Xmx256m " + CONTAINER_JVM);
        p.put("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "250");
        p.put("yarn.app.mapreduce.am.job.task.listener.thread-count", "8");
        p.put("yarn.app.mapreduce.am.containerlauncher.thread-count-limit", "20");
        p.put("mapreduce.map.memory.mb", "512");
        p.put("mapreduce.reduce.memory.mb", "512");
        p.put("mapreduce.map.java.opts", "-Xmx160m " + CONTAINER_JVM);
        p.put("mapreduce.reduce.java.opts", "-Xmx160m " + CONTAINER_JVM);
        p.put("mapreduce.task.io.sort.mb", "16");
        p.put("mapreduce.reduce.shuffle.parallelcopies", "2");
        p.put("mapreduce.client.progressmonitor.pollinterval", "250");
        p.put("mapreduce.client.completion.pollinterval", "250");
        return p;
    }
}
