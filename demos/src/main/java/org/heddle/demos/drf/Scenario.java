// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.drf;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.heddle.testkit.NodeSpec;

/**
 * Who competes for what. The cluster is declared larger than the machine: shares are about what is declared.
 *
 * <p>All tasks take the same memory, and each worker has room for a whole number of them: a gap that only one user's
 * tasks fit would fill up with those, whatever is fair. ApplicationMasters run on nodes of their own, too small for
 * tasks. Workers join when every user's jobs ask for tasks: without preemption, the first user that asks on an empty
 * cluster keeps what it gets until its tasks end.
 *
 * @param workers number of nodes for tasks
 * @param workerMemoryMb memory that each declares
 * @param workerVcores vcores that each declares
 * @param fronts number of nodes for masters
 * @param mastersPerFront masters that fit on each
 * @param masterMemoryMb memory of each job's ApplicationMaster, which takes 1 vcore
 * @param queues weight of each queue below root
 * @param tenants the users
 */
record Scenario(
        int workers,
        long workerMemoryMb,
        long workerVcores,
        int fronts,
        int mastersPerFront,
        long masterMemoryMb,
        Map<String, Integer> queues,
        List<Tenant> tenants) {

    /**
     * A user.
     *
     * @param user name
     * @param queue its queue below root
     * @param weight inside that queue
     * @param taskMemoryMb memory of each of its tasks
     * @param taskVcores vcores of each of its tasks
     * @param work what it runs, for people to read
     */
    record Tenant(String user, String queue, int weight, long taskMemoryMb, long taskVcores, String work) {
        String demand() {
            return "<" + taskMemoryMb / 1024 + " GB, " + taskVcores + " vcores>";
        }
    }

    /** Nodes for tasks, unless the user says how many. */
    static final int STANDARD_WORKERS = 3;

    /**
     * Memory-heavy against CPU-heavy inside one queue, and a balanced user in another.
     *
     * @param workers number of nodes for tasks; each has room for 16
     */
    static Scenario standard(int workers) {
        Map<String, Integer> queues = new LinkedHashMap<>();
        queues.put("science", 2);
        queues.put("web", 1);
        int tasksPerWorker = 16;
        return new Scenario(
                workers,
                tasksPerWorker * 2048L,
                64,
                2,
                3,
                512,
                queues,
                List.of(
                        new Tenant("alice", "science", 2, 2048, 1, "word count"),
                        new Tenant("bob", "science", 1, 2048, 5, "grep"),
                        new Tenant("carol", "web", 1, 2048, 4, "generate and sort rows")));
    }

    long memoryMb() {
        return workers * workerMemoryMb + fronts * masterMemoryMb * mastersPerFront;
    }

    long vcores() {
        return workers * workerVcores + (long) fronts * mastersPerFront;
    }

    /** The dominant share that hierarchical DRF gives each user while all of them are backlogged. */
    Map<String, Double> fairShares() {
        FairShares.Member[] branches = queues.entrySet().stream()
                .map(queue -> FairShares.Member.queue(
                        queue.getKey(),
                        queue.getValue(),
                        tenants.stream()
                                .filter(tenant -> tenant.queue.equals(queue.getKey()))
                                .map(tenant -> FairShares.Member.user(
                                        tenant.user,
                                        tenant.weight,
                                        (double) tenant.taskMemoryMb / memoryMb(),
                                        (double) tenant.taskVcores / vcores()))
                                .toArray(FairShares.Member[]::new)))
                .toArray(FairShares.Member[]::new);
        return FairShares.of(FairShares.Member.queue("root", 1, branches));
    }

    String[] users() {
        return tenants.stream().map(Tenant::user).toArray(String[]::new);
    }

    Map<String, Long> front() {
        return Map.of("memory-mb", mastersPerFront * masterMemoryMb, "vcores", (long) mastersPerFront);
    }

    /** The nodes that join later. Their names are addresses, which clients outside this JVM can resolve. */
    List<NodeSpec> workerNodes() {
        return IntStream.rangeClosed(1, workers)
                .mapToObj(number -> new NodeSpec(
                        "127.0.72." + number,
                        "/default-rack",
                        Map.of("memory-mb", workerMemoryMb, "vcores", workerVcores)))
                .toList();
    }

    /**
     * Map tasks of each job of a user: a first job of as many as the user may hold at once, and in the other lane
     * longer ones that keep it backlogged.
     */
    int maps(Tenant tenant, double fairShare, int lane) {
        double perTask = Math.max((double) tenant.taskMemoryMb / memoryMb(), (double) tenant.taskVcores / vcores());
        double held = fairShare / perTask;
        return (int) Math.ceil(held * (lane == 0 ? 1 : 3));
    }

    /** Many small JVMs on few cores, and blocks on several nodes. */
    Map<String, String> properties() {
        String jvm = " -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xss512k";
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("mapreduce.map.java.opts", "-Xmx80m" + jvm);
        properties.put("mapreduce.reduce.java.opts", "-Xmx80m" + jvm);
        properties.put("mapreduce.task.io.sort.mb", "16");
        properties.put("yarn.app.mapreduce.am.command-opts", "-Xmx160m" + jvm);
        properties.put("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "500");
        properties.put("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "500");
        // MapReduce's ApplicationMaster fails a job with tasks that fit on no node. Within this time after the start
        // they are told what is
        // configured as the largest container instead of what the nodes that have joined so far can hold.
        properties.put("yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms", "600000");
        properties.put("dfs.replication", "2");
        properties.put("dfs.blocksize", String.valueOf(4 << 20));
        return properties;
    }
}
