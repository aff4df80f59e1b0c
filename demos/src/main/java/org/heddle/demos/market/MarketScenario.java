// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.market;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.heddle.testkit.NodeSpec;

/**
 * Who bids what and when. Half-way alice raises her rate fourfold; carol's budget lasts for seven tenths of the run at
 * her entitlement. Slots are declared, not real: tasks rest most of the time.
 *
 * @param seconds how long the streams run
 */
record MarketScenario(int seconds) {
    static final List<String> USERS = List.of("alice", "bob", "carol");
    static final String RAISER = "alice";
    static final String SPENDER = "carol";
    static final String CLUSTER = "demo";

    /**
     * Nodes for tasks join when everybody asks for some, lest the first takes all; masters have nodes of their own, on
     * which no task fits.
     */
    static final int WORKERS = 3;

    static final int FRONTS = 2;
    static final int PLACES = 3;
    static final long TASK_MB = 2048;
    static final long MASTER_MB = 512;
    /** One runs, the next waits already: a user always asks for something. */
    static final int LANES = 2;

    static final int MAPS = 16;
    static final double MAP_SECONDS = 8;
    static final int MAP_KILOBYTES = 64;

    static final long INTERVAL_MILLIS = 4_000;
    /** Rates are for a slot and minute. */
    static final long RATE_UNIT_MILLIS = 60_000;

    static final double RATE = 2;
    static final double RAISED = 4 * RATE;

    /** Time until a changed entitlement is visible, because running tasks are not killed. */
    static final double SETTLE_SECONDS = 24;

    /** Time until a user that asks for tasks again has its slots, because tasks of others must end first. */
    static final double AGAIN_SECONDS = MAP_SECONDS;

    double raiseAt() {
        return seconds / 2.0;
    }

    static double slots() {
        return (WORKERS * workerMb() + FRONTS * frontMb()) / (double) TASK_MB;
    }

    static long workerMb() {
        return PLACES * TASK_MB;
    }

    static long frontMb() {
        return PLACES * MASTER_MB;
    }

    /** Their names are addresses, which clients outside this JVM can resolve. */
    static List<NodeSpec> workers() {
        return IntStream.rangeClosed(1, WORKERS)
                .mapToObj(number -> new NodeSpec(
                        "127.0.72." + number, "/default-rack", Map.of("memory-mb", workerMb(), "vcores", 16L)))
                .toList();
    }

    /**
     * The cost of carol's entitlement in the first half of the run and in two fifths of the second half, when her
     * entitlement is smaller.
     */
    double spenderBudget() {
        double first = slots() / 3 * RATE * seconds / 2;
        double second = slots() * RATE / (RAISED + 2 * RATE) * RATE * seconds / 5;
        return Math.round(100 * (first + second) / 60) / 100.0;
    }

    /** The budgets of the other users last for the whole run. */
    double budgetOf(String user) {
        return switch (user) {
            case SPENDER -> spenderBudget();
            case RAISER -> seconds;
            default -> seconds / 5.0;
        };
    }

    Map<String, String> properties(String masterKey, String directory) {
        String market = "yarn.scheduler.heddle.market.";
        String jvm = " -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xss512k";
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put(market + "trial", "true");
        properties.put(market + "http.insecure-role", "viewer"); // whoever looks at the demo has no key
        properties.put(market + "cluster-id", CLUSTER);
        properties.put(market + "interval-ms", String.valueOf(INTERVAL_MILLIS));
        properties.put(market + "rate-unit-ms", String.valueOf(RATE_UNIT_MILLIS));
        properties.put(market + "standard-slot", "memory-mb=" + TASK_MB);
        properties.put(market + "store.directory", directory);
        properties.put(market + "http.master-key", masterKey);
        properties.put("mapreduce.map.memory.mb", String.valueOf(TASK_MB));
        properties.put("mapreduce.map.java.opts", "-Xmx80m" + jvm);
        properties.put("yarn.app.mapreduce.am.resource.mb", String.valueOf(MASTER_MB));
        properties.put("yarn.app.mapreduce.am.command-opts", "-Xmx160m" + jvm);
        properties.put("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "500");
        properties.put("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "500");
        properties.put("mapreduce.map.speculative", "false");
        // MapReduce's ApplicationMaster fails a job with tasks that fit on no node. Within this time after the start
        // they are told what is
        // configured as the largest container instead of what the nodes that have joined so far can hold.
        properties.put("yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms", "600000");
        return properties;
    }
}
