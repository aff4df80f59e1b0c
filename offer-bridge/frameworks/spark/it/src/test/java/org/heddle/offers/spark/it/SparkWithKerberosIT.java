// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.heddle.offers.fixture.BridgeProcess;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.KerberosRealm;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * YARN and HDFS with Kerberos, and a bridge with a keytab. Spark's jobs read and write files of which the bridge's user
 * may see nothing, so the executors' access comes from the delegation tokens that the driver gets and sends to them.
 */
class SparkWithKerberosIT {
    private static final int TICKET_SECONDS = 30;
    private static final int TOKEN_SECONDS = 20;
    private static final int LINES = 60;
    private static final FsPermission PRIVATE_DIRECTORY = new FsPermission((short) 0700);

    @TempDir
    private Path directory;

    private KerberosRealm realm;
    private HeddleCluster cluster;
    private BridgeProcess bridge;

    @BeforeEach
    void start() throws Exception {
        realm = new KerberosRealm(directory.resolve("kdc"), TICKET_SECONDS, "bridge/localhost", "alice", "bob");
        cluster = HeddleCluster.builder()
                .nodes(2, Map.of("memory-mb", 4096L, "vcores", 4L))
                .addressesAsNames()
                .users("alice", "bob")
                .hdfs(2)
                .properties(realm.properties())
                .property("dfs.namenode.delegation.token.renew-interval", String.valueOf(TOKEN_SECONDS * 1000))
                .property("hadoop.proxyuser.bridge.hosts", "*")
                .property("hadoop.proxyuser.bridge.users", "bridge") // and nobody else
                .property("yarn.scheduler.capacity.maximum-am-resource-percent", "1.0")
                .build();
        cluster.start();
        SparkJob.prepare(cluster, directory);
        bridge = new BridgeProcess(
                cluster,
                Files.createDirectory(directory.resolve("bridge")),
                directory.resolve("bridge/state"),
                List.of(
                        "heddle.bridge.kerberos.principal=" + realm.principal("bridge/localhost"),
                        "heddle.bridge.kerberos.keytab=" + realm.keytab()));
        bridge.awaitReady();
        for (String user : List.of("alice", "bob")) {
            org.apache.hadoop.fs.Path home = new org.apache.hadoop.fs.Path("/user/" + user);
            try (OutputStream out = files().create(new org.apache.hadoop.fs.Path(home, "lines"))) {
                out.write(String.join("\n", lines(user)).getBytes(StandardCharsets.UTF_8));
            }
            files().setOwner(new org.apache.hadoop.fs.Path(home, "lines"), user, user);
            files().setPermission(home, PRIVATE_DIRECTORY);
        }
    }

    @AfterEach
    void stop() throws IOException {
        if (bridge != null) {
            bridge.close();
        }
        if (cluster != null) {
            cluster.close();
        }
        if (realm != null) {
            realm.close();
        }
    }

    /** Each of the rounds takes longer than a token is valid, and all of them longer than a ticket. */
    @Test
    void aJobWithAKeytabReadsAndWritesLongerThanItsTicketsAndTokensAreValid() throws Exception {
        int rounds = 3;
        try (SparkJob job = job("keytab")
                .set("spark.kerberos.principal", realm.principal("alice"))
                .set("spark.kerberos.keytab", realm.keytab().toString())
                .rounds(bridge(), "/user/alice/lines", 2, rounds, (TOKEN_SECONDS + 4) * 1000, "/user/alice/copies")) {
            job.awaitSuccess();
        }
        for (int round = 1; round <= rounds; round++) {
            assertCopy("alice", "/user/alice/copies/" + round);
        }
    }

    @Test
    void aJobWithATicketReadsAndWritesWhatItsUserMay() throws Exception {
        Path tickets = directory.resolve("tickets");
        realm.writeTicket("bob", tickets);
        try (SparkJob job = job("ticket")
                .environment("KRB5CCNAME", tickets.toString())
                .rounds(bridge(), "/user/bob/lines", 2, 1, 10, "/user/bob/copies")) {
            job.awaitSuccess();
        }
        assertCopy("bob", "/user/bob/copies/1");
        try (SparkJob job = job("curious")
                .environment("KRB5CCNAME", tickets.toString())
                .rounds(bridge(), "/user/alice/lines", 2, 1, 10, "/user/bob/secrets")) {
            assertThat(job.awaitEnd()).isNotZero();
            assertThat(job.log()).contains("Permission denied: user=bob, access=EXECUTE, inode=\"/user/alice\"");
        }
    }

    private SparkJob job(String name) {
        return new SparkJob(directory, name)
                .set("spark.cores.max", "2")
                .environment(
                        "JAVA_TOOL_OPTIONS",
                        "-Djava.security.krb5.conf=" + System.getProperty("java.security.krb5.conf"))
                .environment("KRB5CCNAME", directory.resolve("none").toString());
    }

    private String bridge() {
        return "127.0.0.1:" + bridge.address().getPort();
    }

    private void assertCopy(String user, String copy) throws IOException {
        List<String> found = new ArrayList<>();
        for (FileStatus part : files().listStatus(new org.apache.hadoop.fs.Path(copy))) {
            assertThat(part.getOwner()).as(part.toString()).isEqualTo(user);
            try (InputStream in = files().open(part.getPath())) {
                new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(found::add);
            }
        }
        assertThat(found).hasSize(LINES);
        assertThat(new TreeSet<>(found)).isEqualTo(new TreeSet<>(lines(user)));
    }

    private static List<String> lines(String user) {
        return IntStream.range(0, LINES).mapToObj(i -> user + " " + i).toList();
    }

    private FileSystem files() throws IOException {
        return cluster.fileSystem();
    }
}
