// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.mesos.v1.Protos.TaskState;
import org.heddle.offers.client.Bridges;
import org.heddle.offers.example.ShellBatch;
import org.heddle.offers.fixture.NetworkHosts;
import org.heddle.offers.fixture.Program;
import org.heddle.offers.fixture.PublishedClients;
import org.heddle.offers.http.Credentials;
import org.heddle.testkit.Await;
import org.heddle.testkit.logs.LogTail;
import org.heddle.testkit.machine.ContainerProcesses;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four hosts with addresses and loopback interfaces of their own: the ResourceManager with the bridge, two
 * NodeManagers, and published clients, which support no TLS. Each program is a process of its own.
 */
@Tag("soak")
class SeparateHostsIT {
    private static final String SECRET = "a-long-enough-secret";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path home;

    private final Map<String, Process> processes = new LinkedHashMap<>();
    private NetworkHosts hosts;
    private String master;

    @BeforeEach
    void start() throws Exception {
        hosts = NetworkHosts.make("master", "node1", "node2", "client");
        master = hosts.address("master");
        daemon("master", "ResourceManager", "resourcemanager.ResourceManager");
        for (String node : List.of("node1", "node2")) {
            daemon(node, node, "nodemanager.NodeManager");
        }
        Await.until("two nodes", Duration.ofMinutes(2), () -> metrics().contains("\"activeNodes\":2"), this::tails);
    }

    @AfterEach
    void stop() throws Exception {
        processes.values().forEach(process -> process.descendants().forEach(ProcessHandle::destroyForcibly));
        processes.values().forEach(process -> process.destroyForcibly().onExit().join());
        ContainerProcesses.end(home);
        if (hosts != null) {
            hosts.close();
        }
    }

    @Test
    void frameworksOfAnotherHostRunTasksOnNodesThatReachTheBridge() throws Exception {
        // 1. An address that no node reaches is refused.
        Process refused = bridge("refused", "heddle.bridge.agent.address=127.0.0.1:0");
        assertThat(Await.exit("the refused bridge", PATIENCE, refused)).isEqualTo(1);
        assertThat(log("refused"))
                .contains("Agents on 2 of 2 nodes")
                .contains("cannot reach the bridge at 127.0.0.1:")
                .contains("set heddle.bridge.agent.address to an address");

        // 2. A port for frameworks without TLS needs http.plain, and says what that means.
        Path principals = Files.writeString(
                home.resolve("principals"),
                "heddle-credentials 1\n" + Credentials.line("analytics", SECRET.toCharArray(), "*") + "\n");
        Files.setPosixFilePermissions(principals, PosixFilePermissions.fromString("rw-------"));
        String[] open = {
            "heddle.bridge.http.address=0.0.0.0:5050",
            "heddle.bridge.hostname=" + master,
            "heddle.bridge.auth.file=" + principals,
            "heddle.bridge.http.plain=true"
        };
        bridge("bridge", open);
        awaitBridge("bridge");
        assertThat(console().body())
                .contains("Frameworks send their secrets without encryption")
                .doesNotContain("cannot reach the bridge");
        assertThat(get("/master/state", "", "").statusCode()).isEqualTo(401);
        assertThat(get("/master/state", SECRET, "http://evil.example").statusCode())
                .isEqualTo(403);

        // 3. Published clients on a host of their own.
        PublishedClients clients =
                new PublishedClients(home.resolve("clients"), command -> hosts.on("client", command));
        assertThat(clients.rxJava(
                        URI.create("http://analytics:" + SECRET + "@" + master + ":5050/api/v1/scheduler"), 4))
                .contains("DONE");
        clients.installNode();
        assertThat(clients.nodeCommands(master, 5050, "analytics:" + SECRET, 4)).contains("DONE");
        assertThat(clients.nodeCustom(master, 5050, "analytics:" + SECRET, 4)).contains("DONE");

        // 4. Agents of a killed bridge come back to the next one, which has the same key.
        CompletableFuture<Map<String, TaskState>> failed = CompletableFuture.supplyAsync(() -> batch("sleep 8"));
        Await.until(
                "the task to run",
                PATIENCE,
                () -> get("/tasks", SECRET, "").body().contains("TASK_RUNNING"),
                this::tails);
        Process killed = Objects.requireNonNull(processes.remove("bridge"));
        killed.destroyForcibly().onExit().join();
        bridge("bridge-again", open);
        assertThat(Await.result("the task of the killed bridge", PATIENCE, failed))
                .isEmpty();
    }

    private Map<String, TaskState> batch(String command) {
        try {
            return ShellBatch.run(
                    Bridges.at(URI.create("http://" + master + ":5050")).as("analytics", SECRET),
                    System.getProperty("user.name"),
                    List.of(command));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    // ---- programs on hosts ----

    private void daemon(String host, String name, String main) throws IOException {
        Configuration site = new Configuration(false);
        String address = hosts.address(host);
        site.set("yarn.resourcemanager.hostname", master);
        site.set("yarn.scheduler.capacity.root.queues", "default");
        site.set("yarn.scheduler.capacity.root.default.capacity", "100");
        site.set("yarn.scheduler.capacity.maximum-am-resource-percent", "1.0");
        site.set("yarn.scheduler.minimum-allocation-mb", "64");
        site.set("yarn.nodemanager.hostname", address);
        site.set("yarn.nodemanager.resource.memory-mb", "2048");
        site.set("yarn.nodemanager.resource.cpu-vcores", "4");
        site.set("yarn.nodemanager.vmem-check-enabled", "false");
        site.set("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
        site.set("yarn.nodemanager.local-dirs", home.resolve(host + "-local").toString());
        site.set("yarn.nodemanager.log-dirs", home.resolve(host + "-logs").toString());
        site.set("hadoop.tmp.dir", home.resolve(host + "-tmp").toString());
        Path conf = Files.createDirectories(home.resolve("conf-" + name));
        try (OutputStream out = Files.newOutputStream(conf.resolve("yarn-site.xml"))) {
            site.writeXml(out);
        }
        start(name, host, conf, List.of("-Dhadoop.log.dir=" + conf, "org.apache.hadoop.yarn.server." + main));
    }

    private Process bridge(String name, String... definitions) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "org.heddle.offers.Main",
                "--print-addresses",
                home.resolve(name + ".addresses").toString()));
        List<String> all = new ArrayList<>(List.of(definitions));
        all.add("heddle.bridge.state.dir=" + home.resolve("state"));
        all.add("heddle.bridge.staging.dir=" + home.resolve("staging").toUri());
        all.forEach(definition -> arguments.addAll(List.of("-D", definition)));
        return start(name, "master", home.resolve("conf-ResourceManager"), arguments);
    }

    private Process start(String name, String host, Path conf, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Program.java(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.net.preferIPv4Stack=true",
                "-cp",
                conf + ":" + System.getProperty("java.class.path")));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(hosts.on(host, command))
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(home.resolve(name + ".log").toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        processes.put(name, process);
        return process;
    }

    private void awaitBridge(String name) {
        Await.until(
                "the bridge",
                PATIENCE,
                () -> {
                    assertThat(Objects.requireNonNull(processes.get(name)).isAlive())
                            .as(log(name))
                            .isTrue();
                    return Files.exists(home.resolve(name + ".addresses"));
                },
                this::tails);
    }

    private String log(String name) throws IOException {
        return Files.readString(home.resolve(name + ".log"));
    }

    private String tails() {
        StringBuilder text = new StringBuilder();
        processes
                .keySet()
                .forEach(name -> text.append(name).append(":\n").append(LogTail.of(home.resolve(name + ".log"), 20)));
        return text.toString();
    }

    // ---- questions ----

    private String metrics() throws IOException, InterruptedException {
        try {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://" + master + ":8088/ws/v1/cluster/metrics"))
                                    .timeout(PATIENCE)
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            return "";
        }
    }

    private HttpResponse<String> console() throws IOException, InterruptedException {
        return get("/console/data", SECRET, "");
    }

    private HttpResponse<String> get(String path, String secret, String origin)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + master + ":5050" + path));
        if (!secret.isEmpty()) {
            byte[] pair = ("analytics:" + secret).getBytes(StandardCharsets.UTF_8);
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair));
        }
        if (!origin.isEmpty()) {
            request.header("Origin", origin);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
