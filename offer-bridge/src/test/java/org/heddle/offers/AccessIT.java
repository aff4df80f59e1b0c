// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hadoop.conf.Configuration;
import org.heddle.offers.client.Bridges;
import org.heddle.offers.example.ShellBatch;
import org.heddle.offers.http.Credentials;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A bridge that others may reach: on all addresses, with TLS on both ports, principals, and the users they may run as. */
class AccessIT {
    private static final String SECRET = "a long enough secret";
    private static final String USER = System.getProperty("user.name");

    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .nodes(1, Map.of("memory-mb", 2048L, "vcores", 4L))
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
                "heddle-credentials 1\n" + Credentials.line("analytics", SECRET.toCharArray(), USER) + "\n"
                        + Credentials.line("other", SECRET.toCharArray(), "nobody") + "\n");
        Files.setPosixFilePermissions(principals, PosixFilePermissions.fromString("rw-------"));
        Configuration conf = new Configuration(cluster.configuration());
        conf.set("heddle.bridge.http.address", "0.0.0.0:0");
        conf.set("heddle.bridge.agent.address", "127.0.0.1:0");
        conf.set("heddle.bridge.state.dir", directory.resolve("state").toString());
        conf.set(
                "heddle.bridge.staging.dir",
                directory.resolve("staging").toUri().toString());
        assertThatThrownBy(() -> BridgeKeys.read(conf)).hasMessageContaining("needs heddle.bridge.auth.file");
        conf.set("heddle.bridge.auth.file", principals.toString());
        conf.set("heddle.bridge.tls.keystore", keyStore.toString());
        conf.set("heddle.bridge.tls.password.file", password.toString());
        try (Bridge bridge = Bridge.start(BridgeKeys.read(conf), conf)) {
            URI address = URI.create("https://localhost:" + bridge.httpAddress().getPort());
            SSLContext trust = trust(keyStore);
            Bridges bridges = Bridges.at(address).trusting(trust);
            assertThat(status(address.resolve("/health"), trust)).isEqualTo(200);
            assertThat(status(address.resolve("/master/state"), trust)).isEqualTo(401);
            assertThatThrownBy(() -> ShellBatch.run(bridges, List.of("true"))).hasMessageContaining("401");
            assertThatThrownBy(() -> ShellBatch.run(bridges.as("analytics", "guessed"), List.of("true")))
                    .hasMessageContaining("401");
            assertThatThrownBy(() -> ShellBatch.run(bridges.as("other", SECRET), List.of("true")))
                    .hasMessageContaining("may not run frameworks as user '" + USER + "'");
            assertThat(ShellBatch.run(bridges.as("analytics", SECRET), List.of("exit 0", "exit 3")))
                    .containsOnlyKeys("exit 3");
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

    private static int status(URI address, SSLContext trust) throws Exception {
        return HttpClient.newBuilder()
                .sslContext(trust)
                .build()
                .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
