// SPDX-License-Identifier: Apache-2.0
package org.heddle.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.util.KerberosName;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.kerby.kerberos.kerb.client.KrbClient;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.testkit.Await;
import org.heddle.testkit.machine.SystemPackage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ResourceManager with the sample and a KDC: who has a ticket gets page and metrics, who has none gets neither. */
@Loads({"kerberos/core-site.xml", "kerberos/yarn-site.xml", "kerberos/heddle-metrics.sh"})
class KerberosTest {
    private static final String METRIC = "heddle_queue_dominant_share{queue=\"root.production\"}";
    private static final String[] PATHS = {
        "/heddle/", "/heddle/metrics", "/heddle/v1/scheduler", "/cluster/scheduler", "/ws/v1/cluster/scheduler"
    };

    @TempDir
    static Path directory;

    private static MiniKdc kdc;
    private static ResourceManager manager;
    private static String web;

    @BeforeAll
    static void start() throws Exception {
        kdc = new MiniKdc(
                MiniKdc.createConf(),
                Files.createDirectory(directory.resolve("kdc")).toFile());
        kdc.start();
        YarnConfiguration conf =
                Samples.manager(Path.of("kerberos", "core-site.xml"), Path.of("kerberos", "yarn-site.xml"));
        Map<String, String> moved = new HashMap<>();
        Path keytab = directory.resolve("all.keytab");
        kdc.createPrincipal(keytab.toFile(), "rm/localhost", "HTTP/localhost", "prometheus");
        for (Map.Entry<String, String> entry :
                Samples.site(Path.of("kerberos", "core-site.xml"), Path.of("kerberos", "yarn-site.xml"))) {
            if (entry.getValue().startsWith("/etc/security/")) {
                moved.put(
                        entry.getKey(),
                        entry.getValue().endsWith(".keytab")
                                ? keytab.toString()
                                : Files.writeString(
                                                directory.resolve("http_secret"), "0123456789abcdef0123456789abcdef")
                                        .toString());
            } else if (entry.getValue().contains("@")) {
                assertThat(entry.getValue()).endsWith("/_HOST@" + kdc.getRealm());
            }
        }
        assertThat(moved).hasSize(4);
        moved.forEach(conf::set);
        conf.set(
                SchedulerKeys.CONFIGURATION_FILE.name(),
                Samples.file("drf/minimal/heddle-scheduler.xml").toString());
        UserGroupInformation.setConfiguration(conf);
        KerberosName.resetDefaultRealm();
        manager = new ResourceManager();
        manager.init(conf);
        manager.start();
        web = Samples.web(conf);
    }

    @AfterAll
    static void stop() {
        if (manager != null) {
            manager.stop();
        }
        kdc.stop();
        UserGroupInformation.reset();
        UserGroupInformation.setConfiguration(new Configuration());
    }

    @Test
    void nobodyGetsInWithoutATicket() throws Exception {
        for (String path : PATHS) {
            for (String pretended : new String[] {"", "?user.name=yarn"}) {
                HttpURLConnection connection = (HttpURLConnection)
                        URI.create(web + path + pretended).toURL().openConnection();
                assertThat(connection.getResponseCode()).as(path + pretended).isEqualTo(401);
                assertThat(connection.getHeaderField("WWW-Authenticate")).contains("Negotiate");
            }
        }
    }

    /** A real key distribution centre wrote the keytab, and the ResourceManager demands a ticket. */
    @Test
    void theDoctorChecksABridgeOfThisCluster() throws Exception {
        Path conf = Files.createDirectory(directory.resolve("conf"));
        Files.copy(Samples.file("kerberos/core-site.xml"), conf.resolve("core-site.xml"));
        Files.copy(Samples.file("kerberos/yarn-site.xml"), conf.resolve("yarn-site.xml"));
        Path keytab = directory.resolve("all.keytab");
        Files.setPosixFilePermissions(keytab, PosixFilePermissions.fromString("rw-------"));
        String realm = "@" + kdc.getRealm();
        Path bridge = Files.writeString(
                directory.resolve("bridge.xml"),
                "<configuration>" + property("heddle.bridge.kerberos.principal", "rm/localhost" + realm)
                        + property("heddle.bridge.kerberos.keytab", keytab.toString())
                        + property("heddle.bridge.spnego.principal", "HTTP/other" + realm)
                        + property("heddle.bridge.spnego.keytab", keytab.toString()) + "</configuration>");
        Commands.Outcome doctor = Commands.heddle(
                directory, "doctor", "--conf-dir", conf.toString(), "--bridge", bridge.toString(), "--rm", web);
        assertThat(doctor.out())
                .contains(
                        "ok           bridge and cluster use Kerberos",
                        "ok           " + keytab + " has a key of rm/localhost" + realm,
                        "problem      " + keytab + " has no key of HTTP/other" + realm,
                        "it has keys of HTTP/localhost" + realm + ", prometheus" + realm + ", rm/localhost" + realm,
                        " requires Kerberos, and there is no Kerberos ticket; run kinit first")
                .doesNotContain("its clock is");
    }

    private static String property(String name, String value) {
        return "<property><name>" + name + "</name><value>" + value + "</value></property>";
    }

    @Test
    void whoHasATicketGetsPageAndMetrics() throws Exception {
        UserGroupInformation prometheus = UserGroupInformation.loginUserFromKeytabAndReturnUGI(
                "prometheus@" + kdc.getRealm(), directory.resolve("all.keytab").toString());
        for (String path : PATHS) {
            URL address = URI.create(web + path).toURL();
            HttpURLConnection answer = prometheus.doAs((PrivilegedExceptionAction<HttpURLConnection>)
                    () -> new AuthenticatedURL().openConnection(address, new AuthenticatedURL.Token()));
            assertThat(answer.getResponseCode()).as(path).isEqualTo(200);
            if (path.endsWith("/metrics")) {
                assertThat(new String(answer.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .contains(METRIC);
            }
        }
    }

    @Test
    void theScriptFetchesMetricsForPrometheus() throws Exception {
        SystemPackage.require("curl");
        assumeTrue(
                Commands.run(directory, Map.of(), "curl", "--version").out().contains("SPNEGO"),
                "the curl on PATH knows no SPNEGO, so the script is not run here");
        String script = Samples.file("kerberos/heddle-metrics.sh").toString();
        Path file = directory.resolve("heddle.prom");
        Map<String, String> environment = new HashMap<>(Map.of(
                "KRB5_CONFIG", System.getProperty("java.security.krb5.conf"),
                "KRB5CCNAME", directory.resolve("nobody.cache").toString()));
        Commands.Outcome refused = Commands.run(directory, environment, "sh", script, web, file.toString());
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("answers 401").contains("no valid ticket");
        assertThat(file).doesNotExist();

        environment.put("KRB5CCNAME", ticket("prometheus").toString());
        Commands.Outcome done = Commands.run(directory, environment, "sh", script, web, file.toString());
        assertThat(done.code()).as(done.out() + done.err()).isZero();
        assertThat(file).content().contains(METRIC);
        assertThat(directory.resolve("heddle.prom.new")).doesNotExist();
    }

    /** What kinit does. */
    private static Path ticket(String user) throws Exception {
        KrbClient client = new KrbClient(new File(System.getProperty("java.security.krb5.conf")).getParentFile());
        client.setKdcHost("localhost");
        client.setKdcTcpPort(kdc.getPort());
        client.setAllowUdp(false);
        // In milliseconds; otherwise it waits a second for each answer, shorter than a pause of a busy machine.
        client.setTimeout(
                Math.toIntExact(Await.stretched(Duration.ofSeconds(30)).toMillis()));
        client.init();
        Path cache = directory.resolve(user + ".cache");
        client.storeTicket(
                client.requestTgt(
                        user + "@" + kdc.getRealm(),
                        directory.resolve("all.keytab").toFile()),
                cache.toFile());
        return cache;
    }
}
