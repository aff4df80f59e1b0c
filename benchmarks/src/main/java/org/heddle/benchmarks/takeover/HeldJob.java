// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.takeover;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.heddle.testkit.Await;
import org.heddle.testkit.ProcessCluster;
import org.heddle.testkit.jobs.HeldMaps;

/** A MapReduce job that fills a cluster and wants more. Its maps run until they are let go. */
final class HeldJob {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** How the ids of an application's first attempt and of that attempt's first container end: the master's. */
    private static final String FIRST = "_000001";

    private final ProcessCluster cluster;
    private final Path held;
    private final String application;

    /** Submits it. */
    HeldJob(ProcessCluster cluster, int maps) throws IOException, InterruptedException, ClassNotFoundException {
        this.cluster = cluster;
        this.held = cluster.home().resolve("held");
        Configuration conf = cluster.configuration();
        conf.set("mapreduce.job.queuename", ComparedScheduler.QUEUE);
        Job job = HeldMaps.job(conf, "held", maps, held);
        job.submit();
        application = job.getJobID().toString().replace("job_", "");
    }

    /** Waits until it has so many containers, the master's among them, and all of them run; returns their ids. */
    Set<String> awaitRunning(int containers) {
        return Await.value(
                "the job to fill the cluster",
                PATIENCE,
                () -> {
                    requireNotFailed();
                    Set<String> all = containers();
                    return all.size() == containers && running() == containers ? all : null;
                },
                cluster::tails);
    }

    private void requireNotFailed() throws IOException {
        JsonNode app = ofActiveManager("").path("app");
        if (app.path("finalStatus").asText().equals("FAILED")) {
            throw new AssertionError(
                    "the job failed: " + app.path("diagnostics").asText());
        }
    }

    /** The ids of its containers, as the active ResourceManager knows them. */
    Set<String> containers() throws IOException {
        JsonNode known = ofActiveManager("/appattempts/appattempt_" + application + FIRST + "/containers");
        return new TreeSet<>(known.findValuesAsText("containerId")); // some of Hadoop's lists of one are no lists
    }

    /** @param path below that of the application */
    private JsonNode ofActiveManager(String path) throws IOException {
        String manager = cluster.activeManager();
        if (manager == null) {
            throw new IOException("no ResourceManager is active");
        }
        return JSON.readTree(
                cluster.get(cluster.managerUri(manager, "/ws/v1/cluster/apps/application_" + application + path)));
    }

    /** How many containers run, as the nodes see it. */
    private long running() throws IOException {
        long running = 0;
        for (String node : cluster.nodes()) {
            List<String> states = JSON.readTree(cluster.get(cluster.nodeUri(node, "/ws/v1/node/containers")))
                    .findValuesAsText("state");
            running += states.stream().filter("RUNNING"::equals).count();
        }
        return running;
    }

    /** Ends some of its maps; returns the containers that go on. */
    Set<String> letGo(Set<String> containers, int maps) throws IOException {
        List<String> ended = containers.stream()
                .filter(id -> !id.endsWith(FIRST))
                .limit(maps)
                .toList();
        HeldMaps.letGo(held, ended);
        return containers.stream().filter(id -> !ended.contains(id)).collect(Collectors.toSet());
    }
}
