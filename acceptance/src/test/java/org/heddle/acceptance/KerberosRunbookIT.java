// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * docs/runbooks.md, "A cluster with Kerberos", to the letter: HDFS, YARN and the history server as processes with
 * keytabs, the files of conf-samples/kerberos, and tickets by kinit from a key distribution centre.
 */
@Order(99)
@Tag("soak")
@ExtendWith(KeepLogs.class)
@SuppressWarnings("NullAway.Init") // the one test sets the fields first
class KerberosRunbookIT {
    private static final Pattern PROPERTY = Pattern.compile("<name>([^<]*)</name>\\s*<value>([^<]*)</value>");
    private static final String FILE = """
            <heddle-scheduler version="1">
              <queue name="root">
                <submit/>
                <queue name="default"><submit users="*"/></queue>
                <queue name="full"><max-running-apps>0</max-running-apps><submit users="*"/></queue>
                <queue name="closed"><submit users="bob"/></queue>
              </queue>
            </heddle-scheduler>
            """;

    private Path work;
    private Distribution distribution;
    private Realm realm;
    private Cluster cluster;

    @Test
    void ticketsOpenPagesAndCommandsAsTheRunbookSays() throws Exception {
        work = SourceTree.newDirectory("kerberos");
        distribution = Distribution.unpack();
        HadoopHome home = HadoopHome.assemble(HadoopHome.Line.HADOOP_3_5);
        distribution.install(home, "drf");
        String block = Cluster.freeBlock();
        try (Realm started = new Realm(work, block + ".250")) {
            realm = started;
            keys(block);
            alice("kinit -kt " + work.resolve("alice.keytab") + " alice").orFail();
            try (Cluster secure = secure(home, block).start()) {
                cluster = secure;
                follow(Documented.commandsOf("KerberosRunbookIT"));
                prometheusGetsFiguresFromTheTimer();
            }
        } finally {
            SourceTree.delete(distribution.directory());
            SourceTree.delete(home.path());
        }
        SourceTree.delete(work);
    }

    private void keys(String block) throws IOException {
        for (String daemon : List.of("nn", "dn", "nm", "jhs")) {
            realm.add(work.resolve("daemons.keytab"), daemon + "/cluster");
        }
        realm.add(work.resolve("rm.service.keytab"), "rm/" + block + ".4");
        for (String host : List.of("2", "3", "4", "6", "11")) {
            realm.add(work.resolve("spnego.service.keytab"), "HTTP/" + block + "." + host);
        }
        for (String user : List.of("alice", "gateway", "metrics")) {
            realm.add(work.resolve(user + ".keytab"), user);
        }
        Files.writeString(work.resolve("http_secret"), "what cookies are signed with in this test");
    }

    /** Two site files of the sample, and what HDFS, NodeManagers and the history server need beside them. */
    private Cluster.Builder secure(HadoopHome home, String block) throws IOException {
        Cluster.Builder builder = Cluster.builder(home)
                .kerberos(block, realm.environment("alice"))
                .scheduler(SharedCluster.HEDDLE)
                .file("heddle-scheduler.xml", FILE)
                .nodes(1, 4096, 8);
        Path samples = distribution.directory().resolve("conf-samples/kerberos");
        for (String file : List.of("core-site.xml", "yarn-site.xml")) {
            Matcher property = PROPERTY.matcher(Files.readString(samples.resolve(file)));
            while (property.find()) {
                String value = property.group(2)
                        .replace("/etc/security/keytabs", work.toString())
                        .replace("/etc/security", work.toString());
                builder.property(property.group(1), value);
            }
        }
        Map<String, String> others = new HashMap<>(Map.of(
                "dfs.block.access.token.enable",
                "true",
                "ignore.secure.ports.for.testing",
                "true",
                "dfs.web.authentication.kerberos.principal",
                "HTTP/_HOST@" + Realm.NAME,
                "dfs.web.authentication.kerberos.keytab",
                work.resolve("spnego.service.keytab").toString(),
                "hadoop.proxyuser.gateway.hosts",
                "*",
                "hadoop.proxyuser.gateway.users",
                "alice",
                "yarn.scheduler.heddle.usage.directory",
                "hdfs://" + block + ".2:" + Site.NAME_NODE + "/yarn/usage",
                // Containers find the realm as NodeManagers do; on a real cluster that is /etc/krb5.conf.
                "yarn.nodemanager.admin-env",
                "JAVA_TOOL_OPTIONS=" + realm.javaOption()));
        Map.of(
                        "nn", List.of("dfs.namenode.kerberos.principal", "dfs.namenode.keytab.file"),
                        "dn", List.of("dfs.datanode.kerberos.principal", "dfs.datanode.keytab.file"),
                        "nm", List.of("yarn.nodemanager.principal", "yarn.nodemanager.keytab"),
                        "jhs", List.of("mapreduce.jobhistory.principal", "mapreduce.jobhistory.keytab"))
                .forEach((daemon, keys) -> {
                    others.put(keys.get(0), daemon + "/cluster@" + Realm.NAME);
                    others.put(keys.get(1), work.resolve("daemons.keytab").toString());
                });
        others.forEach(builder::property);
        return builder;
    }

    private void follow(List<String> commands) throws Exception {
        assertThat(commands).hasSize(8);
        for (String path : List.of("/heddle/", "/heddle/v1/scheduler", "/heddle/metrics", "/cluster/scheduler")) {
            assertThat(alice(commands.get(0).replace("/heddle/", path)).orFail().out())
                    .as(path)
                    .isEqualTo("401");
        }
        alice("rm " + work.resolve("alice.cache")).orFail();
        CommandResult none = alice(commands.get(2));
        assertThat(none.exit()).as(none.toString()).isNotZero();
        CommandResult refused = alice(commands.get(3));
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("401").contains("kinit").doesNotContain("\tat ");

        alice(commands.get(1)).orFail();
        JsonNode state = Rest.parse(alice(commands.get(2)).orFail().out());
        assertThat(state.toString()).contains("root.full");
        for (String path : List.of("/heddle/", "/cluster/scheduler", "/ws/v1/cluster/scheduler")) {
            alice(commands.get(2).replace("/heddle/v1/scheduler", path)).orFail();
        }
        why(commands.get(3));
        pack(commands.get(5));
        assertThat(alice(commands.get(4)).orFail().out()).contains("alice");
        gateway(commands.get(6), commands.get(7));
    }

    private void why(String command) throws Exception {
        try (Daemon job = cluster.client("hadoop", "jar", cluster.home().examples(), "pi")
                .and("-Dmapreduce.job.queuename=root.full", "1", "1")
                .start("waits", work.resolve("waits.log"))) {
            cluster.await("the application to be there", () -> !waiting().isEmpty() || !job.isAlive());
            String id = waiting();
            cluster.await(
                    "the reason",
                    () -> alice(command.replace("application_1700000000000_0042", id))
                            .out()
                            .contains("queue root.full runs 0 applications"));
            cluster.client("yarn", "application", "-kill", id).run().orFail();
        }
        CommandResult closed = cluster.client("hadoop", "jar", cluster.home().examples(), "pi")
                .and("-Dmapreduce.job.queuename=root.closed", "1", "1")
                .run();
        assertThat(closed.exit()).isNotZero();
        assertThat(closed.text()).contains("alice").contains("root.closed");
    }

    /** The id of the one application that waits. */
    private String waiting() throws IOException {
        for (JsonNode app : cluster.rest("/ws/v1/cluster/apps").at("/apps/app")) {
            if (app.path("state").asText().equals("ACCEPTED")) {
                assertThat(app.path("user").asText()).isEqualTo("alice");
                return app.path("id").asText();
            }
        }
        return "";
    }

    private void pack(String command) throws IOException {
        Path place = distribution.directory();
        Files.writeString(
                place.resolve("problem.json"), """
                {"id": "kerberos", "P": 1, "k": 2, "r": 1, "alpha": 1.2, "jobs": [
                  {"name": "rows", "a": 20, "b": -0.5, "cpu": false, "io": true,
                   "run": {"jar": "%s", "main": "teragen", "args": ["-Dmapreduce.job.maps=2", "100", "/tmp/packed"]}}]}
                """.formatted(cluster.home().examples()));
        alice("bin/heddle pack plan -o plan.json problem.json").orFail();
        CommandResult run = alice(command);
        assertThat(run.exit()).as(run + cluster.tails()).isZero();
        assertThat(cluster.client("hadoop", "fs", "-ls", "/tmp/packed")
                        .run()
                        .orFail()
                        .out())
                .contains("_SUCCESS");
    }

    /** The application belongs to the user that the gateway names, and the gateway may not name others. */
    private void gateway(String ticket, String job) throws IOException {
        shell("gateway", ticket).orFail();
        CommandResult done = shell("gateway", job);
        assertThat(done.exit()).as(done + cluster.tails()).isZero();
        assertThat(cluster.rest("/ws/v1/cluster/apps?states=FINISHED")
                        .at("/apps/app")
                        .findValuesAsText("user"))
                .containsOnly("alice")
                .hasSize(2);
        CommandResult refused = shell("gateway", job.replace("=alice", "=bob").replace("/tmp/rows", "/tmp/others"));
        assertThat(refused.exit()).isNotZero();
        assertThat(refused.text()).contains("gateway").contains("is not allowed to impersonate bob");
    }

    /** The line of the timer, as cron starts it: without a ticket. */
    private void prometheusGetsFiguresFromTheTimer() throws IOException {
        String line = Files.readString(SourceTree.root().resolve("docs/runbooks.md"))
                .lines()
                .map(String::strip)
                .filter(each -> each.startsWith("* * * * * metrics "))
                .findFirst()
                .orElseThrow()
                .substring("* * * * * metrics ".length());
        Path exporter = Files.createDirectories(work.resolve("exporter"));
        shell("metrics", line.replace("/var/lib/node_exporter", exporter.toString()))
                .orFail();
        assertThat(exporter.resolve("heddle.prom"))
                .content()
                .contains("# TYPE heddle_nodes gauge")
                .contains("heddle_nodes 1");
    }

    private CommandResult alice(String line) throws IOException {
        return shell("alice", line);
    }

    /** A line as the document has it, in the directory of the archive, by a user with tickets of their own. */
    private CommandResult shell(String user, String line) throws IOException {
        String real = line.replace("/etc/security/keytabs", work.toString())
                .replace("2026-11", YearMonth.now(ZoneOffset.UTC).toString());
        Command command = cluster == null
                ? Command.of("bash", "-c", real)
                : cluster.command(
                        "bash",
                        "-c",
                        real.replace(
                                "http://rm1.example.org:8088",
                                cluster.manager("rm1", "").toString()));
        realm.environment(user).forEach(command::with);
        return command.in(distribution.directory()).run();
    }
}
