// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.soak;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.heddle.testkit.ProcessCluster;
import org.heddle.testkit.ProcessDaemon;

/** What each daemon holds now, as Linux and the daemon's JVM say, and what each queue holds and wants. */
final class Probe {
    /**
     * A daemon at a time. A daemon that was started again has another process.
     *
     * @param active whether it was the active ResourceManager, which holds more than a standby
     * @param heapMb in use after a collection of garbage that the probe asks for
     */
    record Reading(double second, String daemon, long pid, boolean active, double heapMb, int threads, int files) {}

    /** The queues at a time, by name. */
    record Shares(double second, Map<String, Queue> queues) {}

    /**
     * A queue as the scheduler's page shows it.
     *
     * @param share of the cluster, of the resource of which it has most
     * @param demand the share that it would have with all that it asks for
     * @param running containers
     * @param pending containers that it asks for
     */
    record Queue(double share, double demand, int running, int pending) {}

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String HEAP = "\nTotal ";

    private final ProcessCluster cluster;
    private final List<Reading> readings = new ArrayList<>();
    private final List<Shares> shares = new CopyOnWriteArrayList<>();

    Probe(ProcessCluster cluster) {
        this.cluster = cluster;
    }

    List<Reading> readings() {
        return readings;
    }

    List<Shares> shares() {
        return shares;
    }

    void sample(double second) throws IOException, InterruptedException {
        String active = cluster.activeManager();
        for (String name : cluster.daemons()) {
            ProcessDaemon daemon = cluster.daemon(name);
            long pid = daemon.pid();
            boolean takesOver = active == null && name.startsWith("rm"); // neither a standby nor active yet
            if (pid > 0 && !takesOver) {
                try {
                    readings.add(
                            new Reading(second, name, pid, name.equals(active), heapMb(pid), threads(pid), files(pid)));
                } catch (IOException e) {
                    if (daemon.pid() == pid) {
                        throw e;
                    }
                }
            }
        }
    }

    /** Looks at the queues; does nothing while there is no active ResourceManager. */
    void sampleShares(double second) {
        String active = cluster.activeManager();
        if (active == null) {
            return;
        }
        try {
            Map<String, Queue> queues = new LinkedHashMap<>();
            for (JsonNode child : JSON.readTree(cluster.get(cluster.managerUri(active, "/heddle/v1/scheduler")))
                    .path("root")
                    .path("children")) {
                queues.put(
                        child.path("name").asText(),
                        new Queue(
                                child.path("dominantShare").asDouble(),
                                child.path("demandShare").asDouble(),
                                child.path("runningContainers").asInt(),
                                child.path("pendingContainers").asInt()));
            }
            shares.add(new Shares(second, queues));
        } catch (IOException e) {
            System.err.println("no shares at " + second + " s: " + e.getMessage()); // it takes over just now
        }
    }

    /** {@code jcmd PID GC.class_histogram} collects garbage first and counts what is live. */
    private static double heapMb(long pid) throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        String.valueOf(pid),
                        "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!jcmd.waitFor(1, TimeUnit.MINUTES) || !said.contains(HEAP)) {
            throw new IOException("jcmd says nothing of the heap of process " + pid + ": "
                    + said.strip().lines().findFirst().orElse(""));
        }
        String[] total =
                said.substring(said.lastIndexOf(HEAP) + HEAP.length()).strip().split("\\s+", -1);
        return Long.parseLong(total[1]) / 1e6;
    }

    private static int threads(long pid) throws IOException {
        return count(Path.of("/proc", String.valueOf(pid), "task"));
    }

    private static int files(long pid) throws IOException {
        return count(Path.of("/proc", String.valueOf(pid), "fd"));
    }

    private static int count(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return (int) all.count();
        }
    }
}
