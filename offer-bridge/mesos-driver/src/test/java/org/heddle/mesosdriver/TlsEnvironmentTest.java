// SPDX-License-Identifier: Apache-2.0
package org.heddle.mesosdriver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.apache.mesos.Protos.FrameworkInfo;
import org.apache.mesos.scheduler.Protos.Call;
import org.heddle.offers.client.protocol.HttpTransport;
import org.heddle.offers.client.protocol.SchedulerConnection;
import org.heddle.offers.client.protocol.SchedulerListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS by the environment variables of Mesos. */
class TlsEnvironmentTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @Test
    void theCertificateOfTheFileIsTrustedAndNoOther(@TempDir Path directory) throws Exception {
        Path certificate = directory.resolve("ca.pem");
        try (FakeMaster master = FakeMaster.secure(serverContext(directory, certificate))) {
            TlsEnvironment own = new TlsEnvironment(
                    Map.of("LIBPROCESS_SSL_ENABLED", "true", "LIBPROCESS_SSL_CA_FILE", certificate.toString()));
            assertThat(own.isEnabled()).isTrue();
            SchedulerConnection trusting = connection(master, own);
            trusting.start();
            assertThat(master.await(Call.Type.SUBSCRIBE)
                            .getSubscribe()
                            .getFrameworkInfo()
                            .getName())
                    .isEqualTo("name");
            trusting.close();

            TlsEnvironment other = new TlsEnvironment(Map.of("SSL_ENABLED", "1"));
            assertThat(other.isEnabled()).isTrue();
            SchedulerConnection doubting = connection(master, other);
            doubting.start();
            while (doubting.problem().isEmpty()) {
                LockSupport.parkNanos(5_000_000);
            }
            assertThat(doubting.problem()).contains("certification path");
            doubting.close();
        }
        assertThat(new TlsEnvironment(Map.of()).isEnabled()).isFalse();
        assertThatThrownBy(() -> new TlsEnvironment(
                                Map.of("SSL_CA_FILE", directory.resolve("none").toString()))
                        .trust())
                .hasMessageContaining("none");
    }

    private static SchedulerConnection connection(FakeMaster master, TlsEnvironment tls) throws Exception {
        byte[] info =
                FrameworkInfo.newBuilder().setName("name").setUser("").build().toByteArray();
        return new SchedulerConnection(
                MasterUrl.parse(master.address(), tls.isEnabled()),
                new HttpTransport("", tls.trust()),
                info,
                new byte[0],
                new Deaf());
    }

    private static SSLContext serverContext(Path directory, Path certificate) throws Exception {
        Path store = directory.resolve("keys.p12");
        keytool(
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "master",
                "-dname",
                "CN=master",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD));
        keytool(
                "-exportcert",
                "-rfc",
                "-alias",
                "master",
                "-file",
                certificate.toString(),
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD));
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    private static void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    private static final class Deaf implements SchedulerListener {
        @Override
        public void subscribed(byte[] frameworkId, byte[] masterInfo, boolean again) {}

        @Override
        public void disconnected() {}

        @Override
        public void offers(List<byte[]> offers) {}

        @Override
        public void rescinded(byte[] offerId) {}

        @Override
        public void inverseOffers(List<byte[]> offers) {}

        @Override
        public void update(byte[] status) {}

        @Override
        public void message(byte[] executorId, byte[] agentId, byte[] data) {}

        @Override
        public void failure(byte[] agentId, byte[] executorId, int status) {}

        @Override
        public void failed(String message) {}
    }
}
