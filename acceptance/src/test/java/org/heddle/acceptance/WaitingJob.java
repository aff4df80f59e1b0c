// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.heddle.testkit.Await;

/** Hadoop's Streaming with two maps that wait until they are told to go on: a job that runs as long as a test needs. */
final class WaitingJob implements AutoCloseable {
    private final Cluster cluster;
    private final String name;
    private final Path go;
    private final Daemon client;

    WaitingJob(Cluster cluster, String name, String queue, String... options) throws IOException {
        this.cluster = cluster;
        this.name = name;
        Path work = Files.createDirectories(cluster.directory().resolve(name));
        go = work.resolve("go");
        Path mapper = Files.writeString(
                work.resolve("mapper.sh"),
                "while [ ! -e " + go + " ]; do sleep 0.2; echo reporter:status:waiting >&2; done\ntr a-z A-Z\n");
        Path lines = Files.writeString(work.resolve("lines.txt"), "warp\nweft\n");
        cluster.client("hadoop", "fs", "-put", lines, "/" + name + ".txt")
                .as("alice")
                .run()
                .orFail();
        client = cluster.client(
                        "hadoop",
                        "jar",
                        HadoopHome.only(cluster.home().path().resolve("share/hadoop/tools/lib"), "hadoop-streaming"),
                        "-D",
                        "mapreduce.job.queuename=" + queue,
                        "-D",
                        "mapreduce.job.name=" + name,
                        "-D",
                        "mapreduce.job.reduces=0")
                .and((Object[]) options)
                .and("-inputformat", "org.apache.hadoop.mapred.lib.NLineInputFormat")
                .and("-input", "/" + name + ".txt", "-output", "/" + name + "-out", "-mapper", "bash " + mapper)
                .as("alice")
                .start(name, work.resolve("client.log"));
    }

    /** Waits until its master and both maps run; returns what the ResourceManager says of it. */
    JsonNode awaitRunning() {
        return Await.value(
                name + " to run with three containers",
                SharedCluster.PATIENCE,
                () -> {
                    JsonNode app = report();
                    return app.path("runningContainers").asInt() == 3 ? app : null;
                },
                () -> said() + client.tail() + cluster.tails());
    }

    private String said() {
        try {
            return "the ResourceManager says " + report() + '\n';
        } catch (IOException e) {
            return "the ResourceManager says nothing: " + e.getMessage() + '\n';
        }
    }

    /** What the active ResourceManager says of it. */
    JsonNode report() throws IOException {
        for (JsonNode app : cluster.rest("/ws/v1/cluster/apps").at("/apps/app")) {
            if (app.path("name").asText().equals(name)) {
                return app;
            }
        }
        return Rest.parse("{}");
    }

    void letGo() throws IOException {
        Files.createFile(go);
    }

    /** Lets it end, and waits for that. Returns what the client printed. */
    String finish() throws IOException {
        if (!Files.exists(go)) {
            letGo();
        }
        Await.until(name + "'s client to end", SharedCluster.PATIENCE, () -> !client.isAlive(), client::tail);
        return client.output();
    }

    String result() throws IOException {
        return cluster.client("hadoop", "fs", "-cat", "/" + name + "-out/part-*")
                .as("alice")
                .run()
                .orFail()
                .out();
    }

    @Override
    public void close() {
        client.close();
    }
}
