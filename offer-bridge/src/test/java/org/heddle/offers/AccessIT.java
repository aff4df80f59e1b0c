// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.heddle.offers.client.Bridges;
import org.heddle.offers.client.HttpSchedulerDriver;
import org.heddle.offers.client.Scheduler;
import org.heddle.offers.client.SchedulerDriver;
import org.heddle.offers.example.ShellBatch;
import org.heddle.offers.fixture.Program;
import org.heddle.offers.fixture.WireClient;
import org.heddle.offers.http.Credentials;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A bridge that others may reach: on all addresses, with TLS on both ports, principals, and the users they may run as.
 */
class AccessIT {
    private static final String SECRET = "a long enough secret";
    private static final String USER = System.getProperty("user.name");

    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .nodes(1, Map.of("memory-mb", 4096L, "vcores", 4L))
            .users("alice")
            .property("hadoop.proxyuser." + USER + ".hosts", "*")
            .property("hadoop.proxyuser." + USER + ".groups", "*")
            .property("yarn.scheduler.capacity.maximum-am-resource-percent", "1.0")
            .build();

    @Test
    void onlyPrincipalsMayRunAnything(@TempDir Path directory) throws Exception {
        Path keyStore = directory.resolve("bridge.p12");
        Program.run(
                directory,
                Duration.ofSeconds(60),
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "bridge",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        keyStore.toString(),
                        "-storepass",
                        "changeit"));
        Path password = Files.writeString(directory.resolve("password"), "changeit\n");
        Path principals = Files.writeString(
                directory.resolve("principals"),
                "heddle-credentials 1\n" + Credentials.line("analytics", SECRET.toCharArray(), USER + ",alice") + "\n"
                        + Credentials.line("other", SECRET.toCharArray(), "nobody") + "\n"
                        + Credentials.line("operator", SECRET.toCharArray(), "*") + "\n");
        Files.setPosixFilePermissions(principals, PosixFilePermissions.fromString("rw-------"));
        Configuration conf = new Configuration(cluster.configuration());
        conf.set("heddle.bridge.http.address", "0.0.0.0:0");
        conf.set("heddle.bridge.agent.address", "0.0.0.0:0");
        conf.set("heddle.bridge.state.dir", directory.resolve("state").toString());
        conf.set(
                "heddle.bridge.staging.dir",
                directory.resolve("staging").toUri().toString());
        assertThatThrownBy(() -> BridgeSettingsReader.read(conf)).hasMessageContaining("needs heddle.bridge.auth.file");
        conf.set("heddle.bridge.auth.file", principals.toString());
        conf.set("heddle.bridge.tls.keystore", keyStore.toString());
        conf.set("heddle.bridge.tls.password.file", password.toString());
        conf.set("heddle.bridge.users.proxy", "true");
        conf.set("heddle.bridge.executor.tokens", "true");
        try (Bridge bridge = Bridge.start(BridgeSettingsReader.read(conf), conf)) {
            Site site = new Site(
                    URI.create("https://localhost:" + bridge.httpAddress().getPort()), trust(keyStore));
            Bridges bridges = Bridges.at(site.address).trusting(site.trust);
            assertThat(site.get("/health", "").statusCode()).isEqualTo(200);
            assertThat(site.get("/master/state", "").statusCode()).isEqualTo(401);
            assertThatThrownBy(() -> ShellBatch.run(bridges, USER, List.of("true")))
                    .hasMessageContaining("401");
            assertThatThrownBy(() -> ShellBatch.run(bridges.as("analytics", "guessed"), USER, List.of("true")))
                    .hasMessageContaining("401");
            assertThatThrownBy(() -> ShellBatch.run(bridges.as("other", SECRET), USER, List.of("true")))
                    .hasMessageContaining("may not run frameworks as user '" + USER + "'");
            Bridges proven = bridges.as("analytics", SECRET);
            assertThat(ShellBatch.run(proven, "alice", List.of("exit 0", "exit 3")))
                    .containsOnlyKeys("exit 3");
            assertThat(cluster.resourceManager().getRMContext().getRMApps().values())
                    .extracting(app -> app.getUser())
                    .containsExactly("alice");
            assertThat(greetingOfAnExecutor(proven, site)).isEqualTo("hello");
        }
        conf.unset("heddle.bridge.tls.keystore");
        conf.unset("heddle.bridge.tls.password.file");
        conf.set("heddle.bridge.http.plain", "true");
        conf.set("heddle.bridge.state.dir", directory.resolve("plain").toString());
        try (Bridge bridge = Bridge.start(BridgeSettingsReader.read(conf), conf)) {
            Site site = new Site(
                    URI.create("http://localhost:" + bridge.httpAddress().getPort()), trust(keyStore));
            assertThat(site.get("/console/data", "").statusCode()).isEqualTo(401);
            assertThat(site.get("/console/data", "operator").body())
                    .contains("Frameworks send their secrets without encryption")
                    .contains("set heddle.bridge.tls.keystore instead");
            assertThat(site.get("/metrics", "operator").body()).contains("heddle_bridge_warnings 1\n");
            Bridges proven = Bridges.at(site.address).as("analytics", SECRET);
            assertThat(ShellBatch.run(proven, USER, List.of("true"))).isEmpty();
        }
    }

    /**
     * The executor must have shown the token that it was started with; while it runs, its principal's pages show it.
     */
    private static String greetingOfAnExecutor(Bridges bridges, Site site) throws Exception {
        CompletableFuture<String> greeting = new CompletableFuture<>();
        Scheduler scheduler = new Scheduler() {
            @Override
            public void registered(SchedulerDriver driver, FrameworkID frameworkId, boolean again) {}

            @Override
            public void resourceOffers(SchedulerDriver driver, List<Offer> offers) {
                driver.launchTasks(
                        List.of(offers.get(0).getId()), List.of(ClientLibraryIT.greeting(offers.get(0), "hello")));
                driver.suppressOffers();
            }

            @Override
            public void statusUpdate(SchedulerDriver driver, TaskStatus status) {}

            @Override
            public void frameworkMessage(SchedulerDriver driver, ExecutorID executorId, AgentID agentId, byte[] data) {
                greeting.complete(new String(data, StandardCharsets.UTF_8));
            }
        };
        try (SchedulerDriver driver =
                new HttpSchedulerDriver(scheduler, WireClient.info("greeter").build(), bridges)) {
            driver.start();
            String heard = Await.result("the executor's greeting", Duration.ofSeconds(60), greeting);
            assertShownToItsOwnPrincipalOnly(site);
            return heard;
        }
    }

    private static void assertShownToItsOwnPrincipalOnly(Site site) throws Exception {
        for (String page : List.of("/master/state", "/frameworks", "/console/data")) {
            assertThat(site.get(page, "analytics").body()).as(page).contains("greeter");
            assertThat(site.get(page, "operator").body()).as(page).contains("greeter");
            assertThat(site.get(page, "other").body()).as(page).doesNotContain("greeter");
        }
        assertThat(site.frameworks("analytics")).contains("greeter");
        assertThat(site.frameworks("operator")).contains("greeter");
        assertThat(site.frameworks("other")).contains("GET_FRAMEWORKS").doesNotContain("greeter");

        JsonNode task = new ObjectMapper()
                .readTree(site.get("/tasks", "analytics").body())
                .at("/tasks/0");
        assertThat(task.path("id").asText()).isEqualTo("hello");
        for (String path : List.of(
                "/share?framework_id=" + task.path("framework_id").asText(),
                "/files/browse?path=" + task.path("sandbox").asText())) {
            assertThat(site.get(path, "analytics").statusCode()).as(path).isEqualTo(200);
            assertThat(site.get(path, "operator").statusCode()).as(path).isEqualTo(200);
            assertThat(site.get(path, "other").statusCode()).as(path).isEqualTo(404);
        }
    }

    private static SSLContext trust(Path keyStore) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keyStore)) {
            store.load(in, "changeit".toCharArray());
        }
        KeyStore certificates = KeyStore.getInstance("PKCS12");
        certificates.load(null, null);
        certificates.setCertificateEntry("bridge", store.getCertificate("bridge"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(certificates);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    /** The bridge's pages as somebody's browser gets them; nobody is the empty principal. */
    private record Site(URI address, SSLContext trust) {
        HttpResponse<String> get(String path, String principal) throws Exception {
            return send(principal, HttpRequest.newBuilder(address.resolve(path)));
        }

        String frameworks(String principal) throws Exception {
            return send(
                            principal,
                            HttpRequest.newBuilder(address.resolve("/api/v1"))
                                    .header("Content-Type", "application/json")
                                    .POST(HttpRequest.BodyPublishers.ofString("{\"type\":\"GET_FRAMEWORKS\"}")))
                    .body();
        }

        private HttpResponse<String> send(String principal, HttpRequest.Builder request) throws Exception {
            if (!principal.isEmpty()) {
                byte[] credentials = (principal + ":" + SECRET).getBytes(StandardCharsets.UTF_8);
                request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials));
            }
            return HttpClient.newBuilder()
                    .sslContext(trust)
                    .build()
                    .send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }
}
