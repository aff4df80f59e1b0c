// SPDX-License-Identifier: Apache-2.0
package org.heddle.engines;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.heddle.acceptance.Cluster;
import org.heddle.acceptance.Command;
import org.heddle.acceptance.SourceTree;

/**
 * A Flink session on YARN and jobs sent to it, by Flink's own command line. JobManager and TaskManagers have one core
 * and less than 512 MB; a TaskManager has one slot. Flink meets the cluster's own Hadoop.
 */
final class Flink {
    private static final List<String> EXPORTED =
            List.of("java.base/sun.net.util", "java.rmi/sun.rmi.registry", "java.security.jgss/sun.security.krb5");
    private static final List<String> OPENED = List.of(
            "java.lang",
            "java.lang.reflect",
            "java.net",
            "java.io",
            "java.nio",
            "java.text",
            "java.time",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "java.util.concurrent.locks",
            "sun.nio.ch");
    private static final Pattern JOB = Pattern.compile("JobID ([0-9a-f]{32})");

    private final Cluster cluster;
    private final Path settings;
    private final String jars;
    private final List<String> opened = new ArrayList<>();
    private String session = "";

    /** @param more lines for Flink's config.yaml */
    Flink(Cluster cluster, String... more) throws IOException {
        this.cluster = cluster;
        EXPORTED.forEach(part -> opened.add("--add-exports=" + part + "=ALL-UNNAMED"));
        OPENED.forEach(part -> opened.add("--add-opens=java.base/" + part + "=ALL-UNNAMED"));
        settings = SourceTree.newDirectory("flink-conf");
        List<String> lines = new ArrayList<>(List.of(
                "jobmanager.memory.heap.size: 160m",
                "jobmanager.memory.off-heap.size: 64m",
                "jobmanager.memory.jvm-metaspace.size: 192m",
                "jobmanager.memory.jvm-overhead.min: 64m",
                "jobmanager.memory.jvm-overhead.max: 64m",
                "taskmanager.memory.framework.heap.size: 96m",
                "taskmanager.memory.framework.off-heap.size: 64m",
                "taskmanager.memory.task.heap.size: 64m",
                "taskmanager.memory.managed.size: 0m",
                "taskmanager.memory.network.min: 32m",
                "taskmanager.memory.network.max: 32m",
                "taskmanager.memory.jvm-metaspace.size: 128m",
                "taskmanager.memory.jvm-overhead.min: 64m",
                "taskmanager.memory.jvm-overhead.max: 64m",
                "taskmanager.numberOfTaskSlots: 1",
                "resourcemanager.taskmanager-timeout: 4000",
                "env.java.opts.all: -XX:+UseSerialGC -XX:TieredStopAtLevel=1 " + String.join(" ", opened)));
        lines.addAll(List.of(more));
        Files.write(settings.resolve("config.yaml"), lines);
        // No wildcard: Flink finds the jar that it sends to the containers by its own class path.
        try (Stream<Path> all = Files.list(Path.of(Engines.jars("flink")).getParent())) {
            jars = all.findFirst().orElseThrow().toString();
        }
    }

    private Command client(String user, String main, Object... arguments) throws IOException {
        String hadoop =
                cluster.client("hadoop", "classpath").run().orFail().out().strip();
        return Engines.java(cluster, jars + ":" + hadoop, opened, main)
                .as(user)
                .with("FLINK_CONF_DIR", settings)
                .and(arguments);
    }

    /** Starts a session, which stays. */
    void open(String user, String name, String queue) throws IOException {
        client(user, "org.apache.flink.yarn.cli.FlinkYarnSessionCli", "-d", "-qu", queue, "-nm", name)
                .run()
                .orFail();
        session = Application.await(cluster, name, "runs", app -> app.state().equals("RUNNING"))
                .id();
    }

    private Command job(String user, String action, Object... arguments) throws IOException {
        return client(user, "org.apache.flink.client.cli.CliFrontend", action, "-t", "yarn-session")
                .and("-Dyarn.application.id=" + session)
                .and(arguments);
    }

    /** Starts a job that does not end by itself, and returns its id. */
    String submit(String user, String name, int parallelism) throws IOException {
        String out = job(user, "run", "-d", "-p", parallelism)
                .and("-c", "org.heddle.engines.flink.FlinkWork", Engines.job("flink"), name)
                .run()
                .orFail()
                .out();
        Matcher id = JOB.matcher(out);
        if (!id.find()) {
            throw new AssertionError("Flink told no job's id: " + out);
        }
        return id.group(1);
    }

    /** What Flink says of its jobs. */
    String jobs(String user) throws IOException {
        return job(user, "list").run().orFail().out();
    }

    void cancel(String user, String job) throws IOException {
        job(user, "cancel", job).run().orFail();
    }

    /** Ends the session in Flink's own way. */
    void stop(String user) throws IOException {
        client(user, "org.apache.flink.yarn.cli.FlinkYarnSessionCli", "-id", session)
                .given("stop\n")
                .run()
                .orFail();
    }
}
