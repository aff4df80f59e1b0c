// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.heddle.scheduler.config.Json;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code heddle doctor}, on made-up Hadoop homes and daemons. */
@Tag("pure")
class DoctorTest {
    private static final String NOBODY = "http://127.0.0.1:1";
    private static final String DRF_JAR = "heddle-drf-scheduler-0.1.0.jar";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path home;

    private Path conf;

    @BeforeEach
    void aHealthyHome() throws IOException {
        conf = Files.createDirectories(home.resolve("etc/hadoop"));
        jar("share/hadoop/common/hadoop-common-3.5.0.jar", "x");
        jar("share/hadoop/yarn/lib/" + DRF_JAR, "org.heddle.drf.DrfScheduler");
        Files.writeString(conf.resolve("hadoop-env.sh"), "export JAVA_HOME=" + System.getProperty("java.home") + "\n");
        site("org.heddle.drf.DrfScheduler", "");
    }

    private void site(String scheduler, String more) throws IOException {
        Files.writeString(
                conf.resolve("yarn-site.xml"),
                "<configuration>\n" + CheckTest.property("yarn.resourcemanager.scheduler.class", scheduler)
                        + CheckTest.SAFE + CheckTest.property("yarn.resourcemanager.webapp.address", "127.0.0.1:1")
                        + more
                        + "</configuration>");
    }

    private void jar(String path, String className) throws IOException {
        Path file = home.resolve(path);
        Files.createDirectories(file.getParent());
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            zip.putNextEntry(new ZipEntry(className.replace('.', '/') + ".class"));
            zip.closeEntry();
        }
    }

    private int run(String... more) {
        String[] arguments = new String[5 + more.length];
        System.arraycopy(
                new String[] {"doctor", "--hadoop-home", home.toString(), "--conf-dir", conf.toString()},
                0,
                arguments,
                0,
                5);
        System.arraycopy(more, 0, arguments, 5, more.length);
        out.getBuffer().setLength(0);
        return Heddle.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    @Test
    void aHealthyHomeWithoutDaemonsHasNoProblemAndSaysWhatItDidNotSee() {
        assertThat(run()).as(out.toString() + err).isZero();
        assertThat(out.toString())
                .contains(
                        "ok           yarn-site.xml: 4 properties",
                        "ok           yarn.resourcemanager.scheduler.class = org.heddle.drf.DrfScheduler",
                        "ok           Hadoop 3.5.0 in " + home,
                        DRF_JAR + ", version 0.1.0",
                        "is Java ",
                        "not checked  there is no answer from http://127.0.0.1:1",
                        "0 problems, 1 not checked");
        assertThat(run("--rm", NOBODY)).as("named, so it should be there").isEqualTo(1);
        assertThat(out.toString()).contains("problem      there is no answer from " + NOBODY, "fix: start the");
    }

    @Test
    void aHomeThatIsALinkIsOneTooAndSoIsOneWithALinkedShare(@TempDir Path elsewhere) throws Exception {
        Path real = home;
        Path share = Files.move(real.resolve("share"), elsewhere.resolve("share"));
        Files.createSymbolicLink(real.resolve("share"), share);
        assertThat(run()).as(out.toString() + err).isZero();
        home = Files.createSymbolicLink(elsewhere.resolve("current"), real);
        assertThat(run()).as(out.toString() + err).isZero();
        assertThat(out.toString()).contains("ok           Hadoop 3.5.0 in " + home);
    }

    @Test
    void jarsOnceOfOneVersionAndNoOthers() throws Exception {
        jar("share/hadoop/yarn/heddle-drf-scheduler-0.0.9.jar", "org.heddle.drf.DrfScheduler");
        jar("share/hadoop/yarn/lib/heddle-drf-scheduler-0.1.0-tests.jar", "x");
        assertThat(run()).isEqualTo(1);
        assertThat(out.toString())
                .contains(
                        "heddle-drf-scheduler is there 2 times",
                        "jars of different versions of Heddle",
                        "heddle-drf-scheduler-0.1.0-tests.jar does not belong in a Hadoop home")
                .contains("3 problems");

        Files.delete(home.resolve("share/hadoop/yarn/heddle-drf-scheduler-0.0.9.jar"));
        Files.delete(home.resolve("share/hadoop/yarn/lib/heddle-drf-scheduler-0.1.0-tests.jar"));
        Files.delete(home.resolve("share/hadoop/yarn/lib/" + DRF_JAR));
        assertThat(run()).isEqualTo(1);
        assertThat(out.toString())
                .contains("no heddle-drf-scheduler-*.jar in " + home, "heddle install", "--plugin drf on every");

        jar(DRF_JAR, "org.heddle.drf.DrfScheduler");
        assertThat(run()).isEqualTo(1);
        assertThat(out.toString()).contains(DRF_JAR + " is not on the class path of the daemon that needs it");

        Files.delete(home.resolve(DRF_JAR));
        jar("share/hadoop/yarn/lib/" + DRF_JAR, "org.heddle.Other");
        assertThat(run()).isEqualTo(1);
        assertThat(out.toString()).contains(DRF_JAR + " does not contain org.heddle.drf.DrfScheduler");
    }

    @Test
    void theSpeculatorsJarHasToBeWhereApplicationMastersLook() throws Exception {
        Files.writeString(
                conf.resolve("mapred-site.xml"),
                "<configuration>" + CheckTest.property(SpeculatorKeys.CLASS, SpeculatorKeys.LATE)
                        + CheckTest.property("mapreduce.jobhistory.webapp.address", "127.0.0.1:1")
                        + "</configuration>");
        assertThat(run()).isEqualTo(1);
        assertThat(out.toString())
                .contains(
                        "no heddle-late-speculator-*.jar",
                        "on every node",
                        "not checked  there is no answer from http://127.0.0.1:1");
        jar("share/hadoop/mapreduce/heddle-late-speculator-0.1.0.jar", SpeculatorKeys.LATE);
        assertThat(run()).as(out.toString()).isZero();
        Files.writeString(
                conf.resolve("mapred-site.xml"),
                "<configuration>" + CheckTest.property(SpeculatorKeys.CLASS, "org.heddle.late.LateSpeculator")
                        + "</configuration>");
        assertThat(run()).isEqualTo(1);
        assertThat(out.toString()).contains("there is no such class, and no MapReduce job starts");
    }

    @Test
    void misspeltKeysOfOtherModules() throws Exception {
        site(
                "org.heddle.drf.DrfScheduler",
                CheckTest.property("yarn.scheduler.heddle.market.store.directry", "/ledger"));
        Files.writeString(
                conf.resolve("mapred-site.xml"),
                "<configuration>" + CheckTest.property("mapreduce.heddle.late.profle", "paper")
                        + CheckTest.property("mapreduce.heddle.late.dry-run", "true") + "</configuration>");
        Files.writeString(
                conf.resolve("core-site.xml"),
                "<configuration>" + CheckTest.property("heddle.bridge.hostnam", "host") + "</configuration>");
        assertThat(run()).isEqualTo(1);
        assertThat(out.toString())
                .contains(
                        "yarn.scheduler.heddle.market.store.directry (yarn-site.xml line",
                        "yarn.scheduler.heddle.market.store.directory",
                        "mapreduce.heddle.late.profle (mapred-site.xml line 1) is not a key of Heddle and has no effect",
                        "mapreduce.heddle.late.profile",
                        "heddle.bridge.hostnam (core-site.xml line 1) is not a key of Heddle and has no effect",
                        "heddle.bridge.hostname")
                .doesNotContain("late.dry-run (");
    }

    @Test
    void wrongValuesOfKeysOfOtherModules() throws Exception {
        site(
                "org.heddle.drf.DrfScheduler",
                CheckTest.property("yarn.scheduler.heddle.market.interval-ms", "soon")
                        + CheckTest.property("yarn.scheduler.heddle.market.preemption-max-lost-work", "2"));
        Files.writeString(
                conf.resolve("mapred-site.xml"),
                "<configuration>" + CheckTest.property("mapreduce.heddle.late.cap.slots", "abc")
                        + CheckTest.property("mapreduce.heddle.late.profile", "papers") + "</configuration>");
        Files.writeString(
                conf.resolve("core-site.xml"),
                "<configuration>" + CheckTest.property("heddle.bridge.offer.timeout", "1") + "</configuration>");
        assertThat(run()).isEqualTo(1);
        assertThat(out.toString())
                .contains(
                        "market.interval-ms = 'soon': must be a duration",
                        "market.preemption-max-lost-work = '2': must be a part above 0",
                        "late.cap.slots = 'abc': must be a part from 0 to 1",
                        "correct it in mapred-site.xml line 1",
                        "late.profile = 'papers': must be one of paper, heddle",
                        "heddle.bridge.offer.timeout = '1': must be a duration")
                .contains("5 problems");
    }

    @Test
    void sitesThatAreWrong() throws Exception {
        site(
                "org.heddle.market.DynamicPriorityScheduler",
                CheckTest.property("yarn.resourcemanager.fs.state-store.uri", "${hadoop.tmp.dir}/rmstore")
                        + CheckTest.property("yarn.resourcemanager.scheduler.monitor.enable", "true")
                        + CheckTest.property("yarn.resourcemanager.ha.enabled", "true")
                        + CheckTest.property("yarn.resourcemanager.ha.rm-ids", "rm1,rm2")
                        + CheckTest.property("yarn.resourcemanager.hostname.rm1", "127.0.0.1")
                        + CheckTest.property("yarn.resourcemanager.webapp.address.rm1", "127.0.0.1:1")
                        + CheckTest.property("yarn.resourcemanager.webapp.address.rm2", "127.0.0.1:1")
                        + CheckTest.property("yarn.scheduler.heddle.configuration.file", "queues.xml")
                        + CheckTest.property(
                                "hadoop.http.filter.initializers",
                                "org.heddle.scheduler.http.HeddleFilterInitializer"));
        assertThat(run()).isEqualTo(1);
        assertThat(out.toString())
                .contains(
                        "sets yarn.resourcemanager.fs.state-store.uri twice",
                        "the applications that recovery needs are kept below /tmp",
                        "this monitor is not started, because it works with CapacityScheduler only",
                        "ResourceManager rm2 of yarn.resourcemanager.ha.rm-ids has no host",
                        "no ZooKeeper is configured",
                        "NodeManagers do not start without it",
                        "yarn.scheduler.heddle.market.http.master-key is not set",
                        "queues.xml, which yarn.scheduler.heddle.configuration.file names, does not exist",
                        "no heddle-dynamic-priority-scheduler-*.jar");
        Files.writeString(conf.resolve("queues.xml"), "<heddle-scheduler version=\"1\"><queue/></heddle-scheduler>");
        run();
        assertThat(out.toString()).contains("queues.xml: line 1, <queue");
        Files.writeString(conf.resolve("yarn-site.xml"), "<configuration>\n<property>");
        assertThat(run()).isEqualTo(1);
        assertThat(out.toString())
                .contains(
                        "yarn-site.xml: line 2: is not well-formed XML",
                        "not checked  the keys of yarn-site.xml",
                        "not checked  which file the ResourceManager reads")
                .doesNotContain("recovery.enabled");
    }

    @Test
    void javaAndItsFlags() throws Exception {
        Files.delete(home.resolve("share/hadoop/common/hadoop-common-3.5.0.jar"));
        jar("share/hadoop/common/hadoop-common-3.4.3.jar", "x");
        assertThat(run()).isEqualTo(1);
        assertThat(out.toString()).contains("no --add-opens java.base/java.lang=ALL-UNNAMED found, which Hadoop 3.4.3");
        Files.createDirectories(home.resolve("libexec"));
        Files.writeString(
                home.resolve("libexec/hadoop-functions.sh"),
                "  jdk17_opts=\"--add-opens java.base/java.lang=ALL-UNNAMED\"\n");
        assertThat(run()).as(out.toString()).isZero();

        Path old = Files.createDirectories(home.resolve("jdk8/bin"));
        Path java = Files.writeString(old.resolve("java"), "#!/bin/sh\necho 'openjdk version \"1.8.0_402\"' >&2\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(conf.resolve("hadoop-env.sh"), "export JAVA_HOME=" + home.resolve("jdk8") + "\n");
        assertThat(run()).isEqualTo(1);
        assertThat(out.toString()).contains("is Java 8, and Heddle's classes need 17");
        Files.writeString(conf.resolve("hadoop-env.sh"), "export JAVA_HOME=/nowhere\n");
        assertThat(run()).isEqualTo(1);
        assertThat(out.toString()).contains("there is no such java");
    }

    private static HttpServer daemon(Map<String, String> answers) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String answer = answers.get(exchange.getRequestURI().getPath());
            byte[] body = String.valueOf(answer).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer == null ? 404 : 200, body.length);
            try (OutputStream to = exchange.getResponseBody()) {
                to.write(body);
            }
        });
        server.start();
        return server;
    }

    @Test
    void whatIsWrongWithRunningDaemons() throws Exception {
        Map<String, String> sick = Map.of(
                "/ws/v1/cluster/info",
                "{\"clusterInfo\":{\"state\":\"STARTED\",\"haState\":\"ACTIVE\",\"hadoopVersion\":\"3.4.3\"}}",
                "/jmx",
                "{\"beans\":[{\"SpecVersion\":\"11\",\"InputArguments\":[],"
                        + "\"ClassPath\":\"/a/heddle-drf-scheduler-0.1.0.jar:/b/heddle-drf-scheduler-0.2.0.jar\"}]}",
                "/conf",
                "{\"property\":{\"key\":\"k\",\"value\":\"org.heddle.market.DynamicPriorityScheduler\"}}",
                "/heddle/v1/scheduler",
                "{\"configuration\":{\"source\":\"q.xml\",\"warnings\":[\"w\"],\"problem\":\"line 7\"},"
                        + "\"counters\":{\"errors-contained\":3}}",
                "/ws/v1/cluster/metrics",
                "{\"clusterMetrics\":{\"activeNodes\":1,\"lostNodes\":2,\"unhealthyNodes\":1}}");
        HttpServer one = daemon(sick);
        HttpServer two = daemon(sick);
        try {
            String first = "http://127.0.0.1:" + one.getAddress().getPort();
            String second = "http://127.0.0.1:" + two.getAddress().getPort();
            assertThat(run("--rm", first, "--rm", second)).isEqualTo(1);
            assertThat(out.toString())
                    .contains(
                            "runs on Java 11, and Heddle needs 17",
                            "runs without --add-opens",
                            "heddle-drf-scheduler is on its class path more than once",
                            "the scheduler in force is org.heddle.market.DynamicPriorityScheduler, and yarn-site.xml"
                                    + " line 2 says org.heddle.drf.DrfScheduler",
                            "an older version is in force: line 7",
                            "3 errors inside the scheduler",
                            "2 lost",
                            "1 unhealthy",
                            "2 of 2 ResourceManagers are active",
                            "they run different versions of Heddle: 0.1.0, 0.2.0");
            run("--rm", first, "--json");
            assertThat(Json.number(Json.parse(out.toString()), "problems")).isGreaterThan(6);
        } finally {
            one.stop(0);
            two.stop(0);
        }
    }

    @Test
    void whoAnswersOtherwiseIsNoResourceManager() throws Exception {
        HttpServer other = daemon(Map.of("/ws/v1/cluster/info", "<html>hello</html>"));
        try {
            assertThat(run("--rm", "http://127.0.0.1:" + other.getAddress().getPort()))
                    .isEqualTo(1);
            assertThat(out.toString()).contains("is not a ResourceManager (200)");
            assertThat(run("--rm", "nonsense")).isEqualTo(2);
            assertThat(err.toString()).contains("'nonsense' is not a web address; write for example http://rm1:8088");
        } finally {
            other.stop(0);
        }
    }

    @Test
    void aWrongCommandLine() {
        PrintWriter to = new PrintWriter(err, true);
        assertThat(Heddle.run(to, to, "doctor", "--conf-dir", "/nowhere")).isEqualTo(2);
        assertThat(err.toString()).contains("/nowhere is not a directory; give another one with --conf-dir");
    }
}
