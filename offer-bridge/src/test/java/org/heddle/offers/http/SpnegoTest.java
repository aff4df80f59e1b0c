// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.kerby.kerberos.kerb.client.KrbClient;
import org.heddle.testkit.Await;
import org.heddle.testkit.machine.SystemPackage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bridge's port and a KDC: curl with a ticket is let in as its user. */
class SpnegoTest {
    @TempDir
    private static Path directory;

    private static MiniKdc kdc;
    private static Path keytab;
    private static Spnego spnego;

    @BeforeAll
    static void start() throws Exception {
        kdc = new MiniKdc(
                MiniKdc.createConf(),
                Files.createDirectory(directory.resolve("kdc")).toFile());
        kdc.start();
        keytab = directory.resolve("all.keytab");
        kdc.createPrincipal(keytab.toFile(), "HTTP/localhost", "alice", "mallory");
        spnego = Spnego.open(
                "HTTP/localhost@" + kdc.getRealm(),
                keytab,
                client -> client.startsWith("mallory@") ? null : client.substring(0, client.indexOf('@')));
    }

    @AfterAll
    static void stop() {
        kdc.stop();
    }

    @Test
    void aTicketIsEnough() throws Exception {
        try (ApiServer server = new ApiServer()) {
            Credentials credentials = Credentials.ofTickets(spnego);
            URI address = open(server, credentials);
            HttpResponse<String> refused = get(address, "");
            assertThat(refused.statusCode()).isEqualTo(401);
            assertThat(refused.headers().allValues("WWW-Authenticate"))
                    .containsExactly("Negotiate", "Basic realm=\"heddle-bridge\"");
            for (String wrong :
                    List.of("Negotiate", "Negotiate ", "Negotiate YII=", "Negotiate ::", "Basic YWxpY2U6eA==")) {
                assertThat(get(address, wrong).statusCode()).as(wrong).isEqualTo(401);
            }
            assertThat(curl(address, "alice")).isEqualTo("alice 200");
            assertThat(curl(address, "mallory")).endsWith(" 401");
            assertThat(curl(address, "nobody")).endsWith(" 401");
            assertThat(credentials.mayRunAs("alice", "alice")).isTrue();
            assertThat(credentials.mayRunAs("alice", "bob")).isFalse();
            assertThat(credentials.view("alice")).isEqualTo("alice");
        }
    }

    @Test
    void theFileGivesUsersWithTicketsMoreRights() throws Exception {
        Path file = Files.writeString(
                directory.resolve("principals"), "heddle-credentials 1\nalice kerberos *\nbob kerberos etl\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Credentials credentials = Credentials.read(file).withTickets(spnego);
        assertThat(credentials.mayRunAs("alice", "anybody")).isTrue();
        assertThat(credentials.view("alice")).isEmpty();
        assertThat(credentials.mayRunAs("bob", "etl")).isTrue();
        assertThat(credentials.mayRunAs("bob", "bob")).isFalse();
        assertThat(credentials.mayRunAs("carol", "carol")).isTrue();
    }

    private static URI open(ApiServer server, Credentials credentials) throws Exception {
        InetSocketAddress address = server.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new ApiServer.Limits(1024, 100, 25, 30_000, 600_000),
                null,
                () -> new ApiServer.Route(new RequestGuard(credentials, "localhost"), new SaysWhoCalls()));
        return URI.create("http://localhost:" + address.getPort() + "/console/data");
    }

    private static final class SaysWhoCalls extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            Responses.send(
                    context,
                    HttpResponseStatus.OK,
                    String.valueOf(
                            context.channel().attr(RequestGuard.PRINCIPAL).get()));
        }
    }

    private static HttpResponse<String> get(URI address, String authorization) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(address);
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Returns the body and the status. */
    private static String curl(URI address, String user) throws Exception {
        String curl = SystemPackage.require("curl").toString();
        assumeTrue(run(List.of(curl, "--version"), "nobody").contains("SPNEGO"), "the curl on PATH knows no SPNEGO");
        return run(
                List.of(
                        curl,
                        "--silent",
                        "--negotiate",
                        "--user",
                        ":",
                        "--write-out",
                        " %{http_code}",
                        address.toString()),
                user);
    }

    private static String run(List<String> command, String user) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("KRB5_CONFIG", System.getProperty("java.security.krb5.conf"));
        builder.environment().put("KRB5CCNAME", ticket(user).toString());
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    /** What kinit does; nobody has no ticket. */
    private static Path ticket(String user) throws Exception {
        Path cache = directory.resolve(user + ".cache");
        if (!user.equals("nobody") && !Files.exists(cache)) {
            KrbClient client = new KrbClient(new File(System.getProperty("java.security.krb5.conf")).getParentFile());
            client.setKdcHost("localhost");
            client.setKdcTcpPort(kdc.getPort());
            client.setAllowUdp(false);
            // In milliseconds; otherwise it waits a second for each answer, shorter than a pause of a busy machine.
            client.setTimeout(
                    Math.toIntExact(Await.stretched(Duration.ofSeconds(30)).toMillis()));
            client.init();
            client.storeTicket(client.requestTgt(user + "@" + kdc.getRealm(), keytab.toFile()), cache.toFile());
        }
        return cache;
    }
}
