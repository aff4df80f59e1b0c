// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KeyTab;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code heddle doctor --bridge}: the keys of an offer bridge beside those of its cluster. */
@Tag("pure")
class DoctorBridgeTest {
    private static final String CAPACITY =
            "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler";
    private static final int AES_128 = 17;

    @TempDir
    Path conf;

    private final StringWriter out = new StringWriter();
    private Path bridge;
    private Path keytab;

    @BeforeEach
    void aClusterWithKerberos() throws IOException {
        bridge = conf.resolve("bridge.xml");
        keytab = conf.resolve("bridge.keytab");
        cluster("kerberos", "org.heddle.drf.DrfScheduler");
        keytab("bridge/host.example.org@EXAMPLE.ORG");
        bridge("bridge/host.example.org@EXAMPLE.ORG");
    }

    private void cluster(String authentication, String scheduler) throws IOException {
        site("core-site.xml", CheckTest.property("hadoop.security.authentication", authentication));
        site(
                "yarn-site.xml",
                CheckTest.property("yarn.resourcemanager.scheduler.class", scheduler)
                        + CheckTest.SAFE
                        + CheckTest.property("yarn.resourcemanager.webapp.address", "127.0.0.1:1"));
    }

    private void site(String name, String properties) throws IOException {
        Files.writeString(conf.resolve(name), "<configuration>\n" + properties + "</configuration>");
    }

    private void bridge(String principal) throws IOException {
        site(
                "bridge.xml",
                CheckTest.property("heddle.bridge.kerberos.principal", principal)
                        + CheckTest.property("heddle.bridge.kerberos.keytab", keytab.toString()));
    }

    /** A keytab of version 2 with a key of each principal, and a deleted entry. */
    private void keytab(String... principals) throws IOException {
        try (DataOutputStream file = new DataOutputStream(Files.newOutputStream(keytab))) {
            file.writeShort(0x0502);
            file.writeInt(-6);
            file.write(new byte[6]);
            for (String principal : principals) {
                String[] parts = principal.split("[/@]", -1);
                var bytes = new java.io.ByteArrayOutputStream();
                DataOutputStream entry = new DataOutputStream(bytes);
                entry.writeShort(parts.length - 1);
                text(entry, parts[parts.length - 1]);
                for (int i = 0; i < parts.length - 1; i++) {
                    text(entry, parts[i]);
                }
                entry.writeInt(1); // kind of name
                entry.writeInt(0); // time
                entry.writeByte(1); // version of the key
                entry.writeShort(AES_128);
                entry.writeShort(16);
                entry.write(new byte[16]);
                file.writeInt(bytes.size());
                bytes.writeTo(file);
            }
        }
        Files.setPosixFilePermissions(keytab, PosixFilePermissions.fromString("rw-------"));
    }

    private static void text(DataOutputStream entry, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        entry.writeShort(bytes.length);
        entry.write(bytes);
    }

    /** The section about the bridge. */
    private String doctor() {
        out.getBuffer().setLength(0);
        PrintWriter writer = new PrintWriter(out, true);
        Heddle.run(writer, writer, "doctor", "--conf-dir", conf.toString(), "--bridge", bridge.toString());
        return out.toString().replaceFirst("(?s).*\noffer bridge\n", "").replaceFirst("(?s)\njars\n.*", "\n");
    }

    @Test
    void whatIsRightIsSaid() {
        assertThat(KeyTab.getInstance(keytab.toFile())
                        .getKeys(new KerberosPrincipal("bridge/host.example.org@EXAMPLE.ORG")))
                .as("Java reads the file of this test")
                .hasSize(1);
        assertThat(doctor())
                .contains(
                        "ok           bridge and cluster use Kerberos",
                        "ok           " + keytab + " has a key of bridge/host.example.org@EXAMPLE.ORG")
                .doesNotContain("problem");
    }

    @Test
    void theNameOfThisMachineReplacesHost() throws Exception {
        String host = InetAddress.getLocalHost().getCanonicalHostName().toLowerCase(Locale.ROOT);
        bridge("bridge/_HOST@EXAMPLE.ORG");
        assertThat(doctor())
                .contains(
                        keytab + " has no key of bridge/" + host + "@EXAMPLE.ORG",
                        "it has keys of bridge/host.example.org@EXAMPLE.ORG");
        keytab("HTTP/" + host + "@EXAMPLE.ORG", "bridge/" + host + "@EXAMPLE.ORG");
        assertThat(doctor()).doesNotContain("problem");
    }

    @Test
    void aKeytabThatTheBridgeCannotUseIsNamed() throws Exception {
        Files.setPosixFilePermissions(keytab, PosixFilePermissions.fromString("rw-r-----"));
        assertThat(doctor())
                .contains("can be used by other users than its owner (mode rw-r-----)", "fix: chmod 600 " + keytab);
        Files.writeString(keytab, "something else");
        assertThat(doctor()).contains(keytab + " is not a keytab");
        Files.write(keytab, new byte[] {5, 2, 0, 0, 0, 9, 1});
        assertThat(doctor()).contains(keytab + " is a damaged keytab");
        Files.delete(keytab);
        assertThat(doctor())
                .contains("heddle.bridge.kerberos.keytab = " + keytab + " (bridge.xml line ", "does not exist");
    }

    @Test
    void bridgeAndClusterMustBothUseKerberos() throws Exception {
        cluster("simple", "org.heddle.drf.DrfScheduler");
        assertThat(doctor()).contains("but hadoop.security.authentication is not kerberos: the bridge does not start");
        cluster("kerberos", "org.heddle.drf.DrfScheduler");
        site("bridge.xml", CheckTest.property("heddle.bridge.http.plain", "true"));
        assertThat(doctor())
                .contains("the cluster uses Kerberos (hadoop.security.authentication = kerberos (core-site.xml line ")
                .contains("heddle.bridge.kerberos.principal is not set");
        site("bridge.xml", CheckTest.property("heddle.bridge.spnego.principal", "HTTP/h@R"));
        assertThat(doctor()).contains("needs heddle.bridge.spnego.keytab beside it");
        cluster("simple", "org.heddle.drf.DrfScheduler");
        site("bridge.xml", CheckTest.property("heddle.bridge.http.plain", "true"));
        assertThat(doctor()).contains("neither bridge nor cluster use Kerberos").doesNotContain("problem");
    }

    @Test
    void capacitySchedulersLimitForMastersIsExplained() throws Exception {
        cluster("kerberos", CAPACITY);
        assertThat(doctor())
                .contains("note         yarn.scheduler.capacity.maximum-am-resource-percent = 0.1 (default)")
                .contains("queue root.default lets in one framework for each 10240 MB");
        site(
                "capacity-scheduler.xml",
                CheckTest.property("yarn.scheduler.capacity.root.etl.maximum-am-resource-percent", "0.5")
                        + CheckTest.property("yarn.scheduler.capacity.maximum-am-resource-percent", "1.0"));
        site("bridge.xml", CheckTest.property("heddle.bridge.queues", "*=root.default, etl = root.etl"));
        assertThat(doctor())
                .contains("queue root.default lets frameworks in")
                .contains("root.etl.maximum-am-resource-percent = 0.5 (capacity-scheduler.xml line ")
                .contains("queue root.etl lets in one framework for each 2048 MB");
        cluster("kerberos", "org.heddle.drf.DrfScheduler");
        assertThat(doctor()).doesNotContain("maximum-am-resource-percent");
    }

    @Test
    void ordersThatDoNotShareAreNamedWithTheSetting() throws Exception {
        String shares = CheckTest.property("heddle.bridge.queue.shares", "scheduler");
        // CapacityScheduler
        cluster("simple", CAPACITY);
        site("bridge.xml", CheckTest.property("heddle.bridge.http.plain", "true"));
        assertThat(doctor())
                .contains("note         queue root.default does not share between applications of one user"
                        + " (yarn.scheduler.capacity.root.default.ordering-policy = fifo (default))")
                .contains("set yarn.scheduler.capacity.root.default.ordering-policy to fair");
        site("bridge.xml", shares);
        assertThat(doctor()).contains("problem      queue root.default does not share between frameworks of one user");
        site(
                "capacity-scheduler.xml",
                CheckTest.property("yarn.scheduler.capacity.root.default.ordering-policy", "fair"));
        assertThat(doctor()).contains("ok           queue root.default shares between applications");
        // ours
        cluster("simple", "org.heddle.drf.DrfScheduler");
        assertThat(doctor()).contains("queue root.default shares between applications (user-order sojourn)");
        Files.writeString(
                conf.resolve("heddle-scheduler.xml"),
                "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"default\">"
                        + "<user-order>fifo</user-order></queue></queue></heddle-scheduler>");
        assertThat(doctor()).contains("user-order fifo").contains("set <user-order> of queue root.default to drf");
        site("bridge.xml", shares + CheckTest.property("heddle.bridge.queues", "*=etl"));
        assertThat(doctor()).contains("not checked  whether queue root.etl shares between applications");
        // FairScheduler
        cluster("simple", "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler");
        site("bridge.xml", shares);
        Files.writeString(
                conf.resolve("fair-scheduler.xml"),
                "<allocations><queue name=\"default\"><schedulingPolicy>fifo</schedulingPolicy></queue></allocations>");
        assertThat(doctor()).contains("set <schedulingPolicy> of queue root.default to fair or drf");
        Files.writeString(conf.resolve("fair-scheduler.xml"), "<allocations><queue name=\"default\"/></allocations>");
        assertThat(doctor()).contains("queue root.default shares between applications (schedulingPolicy fair)");
    }

    @Test
    void clocksThatDifferAreFound() throws Exception {
        byte[] answer = String.join(
                        "\r\n",
                        "HTTP/1.1 401 Unauthorized",
                        "Date: Sat, 01 Jan 2000 00:00:00 GMT",
                        "Content-Length: 0",
                        "Connection: close",
                        "",
                        "")
                .getBytes(StandardCharsets.US_ASCII);
        try (ServerSocket manager = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> {
                try (Socket client = manager.accept()) {
                    client.getOutputStream().write(answer);
                    client.getOutputStream().flush();
                    client.getInputStream().transferTo(OutputStream.nullOutputStream());
                } catch (IOException e) {
                    // the assertion below says what is missing
                }
            });
            server.start();
            PrintWriter writer = new PrintWriter(out, true);
            String url = "http://127.0.0.1:" + manager.getLocalPort();
            Heddle.run(writer, writer, "doctor", "--conf-dir", conf.toString(), "--rm", url);
            assertThat(out.toString())
                    .containsPattern("problem      its clock is [0-9]{9,} s behind that of this machine")
                    .contains("it requires authentication (401)");
            server.join(10_000);
        }
    }

    @Test
    void withoutKeysOfABridgeThereIsNoSection() {
        PrintWriter writer = new PrintWriter(out, true);
        Heddle.run(writer, writer, "doctor", "--conf-dir", conf.toString());
        assertThat(out.toString()).doesNotContain("offer bridge");
    }
}
