// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.soak;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.heddle.testkit.ProcessCluster;
import org.heddle.testkit.ProcessDaemon;

/** What each daemon holds now, as Linux and the daemon's JVM say, and what each queue of the market holds. */
final class Probe {
    /**
     * A daemon at a time. A daemon that was started again has another process.
     *
     * @param active whether it was the active ResourceManager, which holds more than a standby
     * @param heapMb in use after a collection of garbage that the probe asks for
     */
    record Reading(double second, String daemon, long pid, boolean active, double heapMb, int threads, int files) {}

    /** Shares of the memory in use at a time, by queue, 0 to 1. */
    record Shares(double second, Map<String, Double> ofQueues) {}

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String HEAP = "\nTotal ";

    private final ProcessCluster cluster;
    private final List<Reading> readings = new ArrayList<>();
    private final List<Shares> shares = new ArrayList<>();

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
            if (pid > 0) {
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
        if (active != null) {
            try {
                shares.add(
                        new Shares(second, shares(cluster.managerUri(active, "/ws/v1/cluster/apps?states=RUNNING"))));
            } catch (IOException e) {
                System.err.println("no shares at " + second + " s: " + e.getMessage()); // it takes over just now
            }
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

    private Map<String, Double> shares(URI apps) throws IOException {
        Map<String, Double> memory = new LinkedHashMap<>();
        double sum = 0;
        for (JsonNode app : JSON.readTree(cluster.get(apps)).path("apps").path("app")) {
            double mb = Math.max(0, app.path("allocatedMB").asDouble());
            memory.merge(app.path("queue").asText(), mb, Double::sum);
            sum += mb;
        }
        double all = Math.max(1, sum);
        memory.replaceAll((queue, mb) -> mb / all);
        return memory;
    }
}
