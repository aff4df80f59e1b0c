// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.kerby.kerberos.kerb.client.KrbClient;
import org.heddle.market.cli.HeddleMarket;
import org.heddle.market.http.MarketWebFixture;
import org.heddle.market.http.UnfinishedRequests;
import org.heddle.market.http.config.WebKeys;
import org.heddle.market.security.RequestSigner;
import org.heddle.scheduler.cli.Heddle;
import org.heddle.testkit.Await;
import org.heddle.testkit.attack.SlowClients;
import org.heddle.testkit.machine.SystemPackage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A ResourceManager with Kerberos and with protection against cross-site requests, and a KDC: a ticket
 * authenticates its user, a key needs no ticket, and a caller without either gets only the price.
 */
class KerberosIT {
    private static final String ACCOUNTS = "/heddle/market/v1/accounts";

    @TempDir
    static Path directory;

    private static MiniKdc kdc;
    private static MarketWebFixture server;
    private static Path keytab;

    @BeforeAll
    static void start() throws Exception {
        Properties settings = MiniKdc.createConf();
        kdc = new MiniKdc(
                settings, Files.createDirectory(directory.resolve("kdc")).toFile());
        kdc.start();
        keytab = directory.resolve("all.keytab");
        kdc.createPrincipal(keytab.toFile(), "rm/localhost", "HTTP/localhost", "alice", "root");
        Map<String, String> properties = new HashMap<>();
        properties.put("hadoop.security.authentication", "kerberos");
        properties.put(YarnConfiguration.RM_PRINCIPAL, principal("rm/localhost"));
        properties.put(YarnConfiguration.RM_KEYTAB, keytab.toString());
        properties.put(YarnConfiguration.RM_WEBAPP_SPNEGO_USER_NAME_KEY, principal("HTTP/localhost"));
        properties.put(YarnConfiguration.RM_WEBAPP_SPNEGO_KEYTAB_FILE_KEY, keytab.toString());
        properties.put("hadoop.http.filter.initializers", "org.apache.hadoop.security.AuthenticationFilterInitializer");
        properties.put("hadoop.http.authentication.type", "kerberos");
        properties.put("hadoop.http.authentication.kerberos.principal", principal("HTTP/localhost"));
        properties.put("hadoop.http.authentication.kerberos.keytab", keytab.toString());
        properties.put("yarn.resourcemanager.webapp.rest-csrf.enabled", "true");
        properties.put(WebKeys.ADMINS.name(), "root");
        for (String address : MarketWebFixture.ADDRESSES) {
            properties.put(address, "localhost:0");
        }
        Configuration secure = new Configuration();
        properties.forEach(secure::set);
        UserGroupInformation.setConfiguration(secure);
        UserGroupInformation.loginUserFromKeytab(principal("rm/localhost"), keytab.toString());
        server = new MarketWebFixture(properties);
    }

    @AfterAll
    static void stop() throws Exception {
        if (server != null) {
            server.close();
        }
        kdc.stop();
        UserGroupInformation.reset();
        UserGroupInformation.setConfiguration(new Configuration());
    }

    private static String principal(String name) {
        return name + "@" + kdc.getRealm();
    }

    /** What kinit does. */
    private static Path ticketOf(String user) throws Exception {
        KrbClient client = new KrbClient(new File(System.getProperty("java.security.krb5.conf")).getParentFile());
        client.setKdcHost("localhost");
        client.setKdcTcpPort(kdc.getPort());
        client.setAllowUdp(false);
        // In milliseconds; otherwise it waits a second for each answer, shorter than a pause of a busy machine.
        client.setTimeout(
                Math.toIntExact(Await.stretched(Duration.ofSeconds(30)).toMillis()));
        client.init();
        Path cache = directory.resolve(user + ".cache");
        client.storeTicket(client.requestTgt(principal(user), keytab.toFile()), cache.toFile());
        return cache;
    }

    private record Outcome(int code, String said) {}

    /** Runs heddle market in its own process with a user's ticket. */
    private static Outcome command(Path ticket, String... arguments) throws Exception {
        return command(ticket, HeddleMarket.class, "--url", arguments);
    }

    private static Outcome command(Path ticket, Class<?> program, String urlOption, String... arguments)
            throws Exception {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.security.krb5.conf=" + System.getProperty("java.security.krb5.conf"),
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        line.addAll(List.of(arguments));
        line.add(urlOption);
        line.add("http://localhost:" + server.uri("").getPort());
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().put("KRB5CCNAME", ticket.toString());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(Await.exit("the command", Duration.ofSeconds(60), process), said);
    }

    @Test
    void whyAnApplicationWaitsIsToldToWhoHasATicket() throws Exception {
        String unknown = "application_1_0001";
        Outcome known = command(ticketOf("alice"), Heddle.class, "--rm", "why", unknown);
        assertThat(known.said()).contains("heddle why: there is no application").contains(unknown);
        Outcome nobody = command(directory.resolve("no.cache"), Heddle.class, "--rm", "why", unknown);
        assertThat(nobody.said())
                .contains(" requires Kerberos, and there is no Kerberos ticket; run kinit")
                .doesNotContain("\tat ");
        assertThat(List.of(known.code(), nobody.code())).containsExactly(1, 1);
    }

    /** The line of docs/runbooks.md for Prometheus, which cannot negotiate. The ticket is there already. */
    @Test
    void theTimerOfTheRunbookFetchesTheMetrics() throws Exception {
        SystemPackage.require("curl");
        assertThat(server.get("/heddle/metrics").statusCode()).isEqualTo(401);
        Path metrics = directory.resolve("heddle.prom");
        assertThat(timer("http://localhost:" + server.uri("").getPort())).isZero();
        assertThat(metrics).content().contains("# TYPE heddle_").contains("heddle_errors_contained");

        HttpServer standby = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        standby.createContext("/", exchange -> {
            byte[] sentence = "This is standby RM.".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders()
                    .set("Location", server.uri("/heddle/metrics").toString());
            exchange.sendResponseHeaders(307, sentence.length);
            exchange.getResponseBody().write(sentence);
            exchange.close();
        });
        standby.start();
        try {
            timer("http://localhost:" + standby.getAddress().getPort());
            assertThat(metrics).as("of a standby").doesNotExist();
        } finally {
            standby.stop(0);
        }
    }

    private int timer(String manager) throws Exception {
        String line = Files.readString(Path.of("..", "docs", "runbooks.md"))
                .lines()
                .map(String::strip)
                .filter(each -> each.startsWith("* * * * * metrics "))
                .findFirst()
                .orElseThrow()
                .substring("* * * * * metrics ".length())
                .replace("/var/lib/node_exporter", directory.toString())
                .replace("kinit -kt /etc/security/keytabs/metrics.keytab metrics", "true")
                .replace("http://rm1.example.org:8088", manager);
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", line).redirectErrorStream(true);
        builder.environment().put("KRB5_CONFIG", System.getProperty("java.security.krb5.conf"));
        builder.environment().put("KRB5CCNAME", ticketOf("alice").toString());
        return Await.exit("the timer's line", Duration.ofSeconds(60), builder.start());
    }

    @Test
    void withoutTicketAndKeyThereAreOnlyThePriceAndAnEmptyPage() throws Exception {
        for (String path : List.of(ACCOUNTS, "/scheduler?infos", "/heddle/market/tables", "/heddle/market/v1/status")) {
            HttpResponse<String> answer = server.get(path);
            assertThat(answer.statusCode()).as(path).isEqualTo(401);
            assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Negotiate");
            assertThat(server.get(path + (path.contains("?") ? "&" : "?") + "user.name=root")
                            .statusCode())
                    .isEqualTo(401);
        }
        assertThat(server.get("/scheduler?price").statusCode()).isEqualTo(200);
        assertThat(server.get("/heddle/market/v1/price").statusCode()).isEqualTo(200);
        // The browser signs with a key, so the page must load before it knows who looks at it; it holds no figure.
        HttpResponse<String> page = server.get("/heddle/market/");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).doesNotContain("alice").doesNotContain("bob");
    }

    @Test
    void aKeyNeedsNoTicket() throws Exception {
        assertThat(server.sign(server.operator(), "GET", ACCOUNTS, "").statusCode())
                .isEqualTo(200);
        assertThat(server.sign(server.operator(), "PUT", ACCOUNTS + "/bob/rate", "{\"rate\":\"2\"}")
                        .statusCode())
                .isEqualTo(200);
        RequestSigner thief = new RequestSigner("spruce", "heddle.operator/1", new byte[32], server.random);
        HttpResponse<String> refused = server.sign(thief, "GET", ACCOUNTS, "");
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.body()).contains("wrong-signature");
    }

    @Test
    void aTicketIsEnoughAndGetsOneAKey() throws Exception {
        Path alice = ticketOf("alice");
        Path key = directory.resolve("alice.key");

        Outcome info = command(alice, "info", "--negotiate");
        assertThat(info.said()).contains("alice").doesNotContain("bob");
        assertThat(command(alice, "bid", "alice", "3", "--negotiate").said()).contains("alice bids 3");
        assertThat(command(alice, "bid", "bob", "3", "--negotiate").said()).contains("alice may not do this with bob");
        Outcome made = command(alice, "keys", "create", "--negotiate", "--save", key.toString());
        assertThat(made.code()).as(made.said()).isZero();
        Path nobody = directory.resolve("no.cache");
        assertThat(command(nobody, "bid", "alice", "4", "--key-file", key.toString())
                        .said())
                .contains("alice bids 4");
        assertThat(command(nobody, "info", "--negotiate").said()).contains("there is no Kerberos ticket; run kinit");
        // The work of earlier applications is read from YARN, with the ticket too.
        String[] quote = {"quote", "alice", "1", "--like", "nightly", "--key-file", key.toString()};
        assertThat(command(alice, quote).said()).contains("remembers no application with the name or tag 'nightly'");
        assertThat(command(nobody, quote).said()).contains("there is no Kerberos ticket; run kinit");
        assertThat(command(ticketOf("root"), "pay", "alice", "10", "--negotiate")
                        .said())
                .contains("10 paid into alice");
    }

    /** Neither ours nor Hadoop's part of the web server waits for the body of a caller who has no ticket and no key. */
    @Test
    void whoHasNoTicketHoldsNothing() throws Exception {
        Map<String, Integer> strangers = new HashMap<>(UnfinishedRequests.ofStrangers(server, 401));
        for (String path : List.of("/ws/v1/cluster/apps", "/ws/v1/cluster/scheduler-conf/validate", "/heddle/")) {
            strangers.put(UnfinishedRequests.request("POST", path, "X-XSRF-Header: x\r\n"), 401);
        }
        Path alice = ticketOf("alice");
        try (SlowClients clients = new SlowClients(server.uri("").getPort())) {
            UnfinishedRequests.areAnsweredAtOnce(clients, strangers);
            Outcome known = command(alice, Heddle.class, "--rm", "why", "application_1_0001");
            assertThat(known.said()).contains("heddle why: there is no application");
            assertThat(command(alice, "info", "--negotiate").said()).contains("alice");
        }
    }

    /** Hadoop's own protection stands before the servlet and does not stand in the way of signatures. */
    @Test
    void aBrowsersCrossSiteRequestIsStopped() throws Exception {
        HttpRequest.Builder change = HttpRequest.newBuilder(server.uri(ACCOUNTS + "/alice/rate"))
                .header("User-Agent", "Mozilla/5.0")
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString("{\"rate\":\"1\"}"));
        assertThat(server.send(change.build()).statusCode()).isIn(400, 401);
        server.fields(
                        server.operator(),
                        "PUT",
                        ACCOUNTS + "/alice/rate",
                        "{\"rate\":\"1\"}",
                        System.currentTimeMillis())
                .forEach((name, value) -> {
                    if (!name.equals("Content-Type")) {
                        change.header(name, value);
                    }
                });
        assertThat(server.send(change.build()).statusCode()).isEqualTo(200);
    }
}
