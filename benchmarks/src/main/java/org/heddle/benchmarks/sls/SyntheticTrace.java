// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.sls;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;

/**
 * A trace in the simulator's synthetic format: MapReduce jobs that come over a minute, as many to each queue in the
 * mean. The maps of one queue need most memory, those of another most cores.
 *
 * @param nodes of 8 GB and 8 cores each
 * @param maps of each job; there is a reduce for twenty of them
 * @param seconds length of a map; a reduce takes twice as long
 */
record SyntheticTrace(int nodes, int jobs, int maps, int seconds, long seed) {
    /** Below root. */
    static final List<String> QUEUES = List.of("memory", "cores", "even");

    static final int NODE_MEGABYTES = 8192;
    static final int NODE_VCORES = 8;

    /** Only reservations use it. */
    private static final int JOB_SECONDS = 60;

    String json() {
        return new ObjectMapper()
                .valueToTree(Map.of(
                        "num_nodes",
                        nodes,
                        "nodes_per_rack",
                        20,
                        "num_jobs",
                        jobs,
                        "rand_seed",
                        seed,
                        "workloads",
                        List.of(workload("memory", 2048, 1), workload("cores", 512, 2), workload("even", 1024, 1))))
                .toString();
    }

    private Map<String, Object> workload(String queue, int megabytes, int vcores) {
        return Map.of(
                "workload_name",
                queue,
                "workload_weight",
                1,
                "queue_name",
                "root." + queue,
                "job_classes",
                List.of(Map.of(
                        "class_name",
                        queue,
                        "user_name",
                        "user-" + queue,
                        "class_weight",
                        1,
                        "type",
                        "mapreduce",
                        "deadline_factor",
                        Map.of("val", 10),
                        "duration",
                        Map.of("val", JOB_SECONDS),
                        "reservation",
                        Map.of("val", 0),
                        "tasks",
                        List.of(
                                tasks("map", 20, maps, seconds, megabytes, vcores),
                                tasks("reduce", 10, Math.max(1, maps / 20), 2 * seconds, megabytes, vcores)))),
                "time_distribution",
                List.of(Map.of(
                        "time", 0, "weight", 1))); // hadoop-sls 3.4.3 starts all jobs at once, whatever this says
    }

    private static Map<String, Object> tasks(
            String type, int priority, int count, int seconds, int megabytes, int vcores) {
        return Map.of(
                "type",
                type,
                "priority",
                priority,
                "count",
                Map.of("val", count),
                "time",
                Map.of("val", seconds * 1000),
                "max_memory",
                Map.of("val", megabytes),
                "max_vcores",
                Map.of("val", vcores));
    }
}
