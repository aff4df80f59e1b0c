// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosTicket;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.heddle.offers.fixture.BridgeProcess;
import org.heddle.offers.fixture.Program;
import org.heddle.offers.fixture.WireClient;
import org.heddle.offers.wire.Encoding;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.KerberosRealm;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * YARN and HDFS with Kerberos, and a bridge with a keytab whose tickets end after 30 s, with its state in a directory
 * of HDFS that only it may read. Frameworks of two users fetch a file that only their user may read; the second one
 * comes after the first ticket has ended. Then the bridge is killed, and the next one continues from that state.
 */
@Tag("soak")
class KerberosIT {
    private static final int TICKET_SECONDS = 30;

    @TempDir
    private Path directory;

    private KerberosRealm realm;
    private HeddleCluster cluster;

    @BeforeEach
    void start() throws Exception {
        realm = new KerberosRealm(directory.resolve("kdc"), TICKET_SECONDS, "bridge/localhost");
        Path hadoop = hadoopCommand();
        cluster = HeddleCluster.builder()
                .nodes(1, Map.of("memory-mb", 4096L, "vcores", 4L))
                .addressesAsNames()
                .users("alice", "bob")
                .hdfs()
                .properties(realm.properties())
                .property("hadoop.proxyuser.bridge.hosts", "*")
                .property("hadoop.proxyuser.bridge.groups", "*")
                .property("yarn.scheduler.capacity.maximum-am-resource-percent", "1.0")
                .property("yarn.nodemanager.admin-env.HADOOP_HOME", hadoop.toString())
                .build();
        cluster.start();
    }

    @AfterEach
    void stop() throws IOException {
        if (cluster != null) {
            cluster.close();
        }
        if (realm != null) {
            realm.close();
        }
    }

    /** A hadoop command made of Hadoop's jars, as agents look for it: only {@code hadoop fs}. */
    private Path hadoopCommand() throws Exception {
        Path home = directory.resolve("hadoop");
        Path command = Files.createDirectories(home.resolve("bin")).resolve("hadoop");
        Files.writeString(
                command,
                "#!/bin/sh\nshift\nexec " + Program.java() + " -Xmx128m -Djava.security.krb5.conf="
                        + System.getProperty("java.security.krb5.conf") + " -cp " + directory.resolve("process/conf")
                        + ":"
                        + System.getProperty("java.class.path") + " org.apache.hadoop.fs.FsShell \"$@\"\n");
        Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
        return home;
    }

    @Test
    void tasksReadWhatTheirUserMayReadLongAfterTheFirstTicket() throws Exception {
        assertTicketsAreShort();
        FileSystem files = FileSystem.get(cluster.configuration());
        for (String user : List.of("alice", "bob")) {
            org.apache.hadoop.fs.Path secret = new org.apache.hadoop.fs.Path("/user/" + user + "/secret");
            try (FSDataOutputStream out = files.create(secret)) {
                out.write(("for " + user).getBytes(StandardCharsets.UTF_8));
            }
            files.setOwner(secret, user, user);
            files.setPermission(secret, new FsPermission((short) 0400));
        }
        org.apache.hadoop.fs.Path state = new org.apache.hadoop.fs.Path("/bridge-state");
        files.mkdirs(state, new FsPermission((short) 0700));
        files.setOwner(state, "bridge", "bridge");
        Path home = Files.createDirectories(directory.resolve("process"));
        try (BridgeProcess bridge = new BridgeProcess(
                cluster,
                home,
                cluster.configuration().get("fs.defaultFS") + state,
                List.of(
                        "heddle.bridge.kerberos.principal=" + realm.principal("bridge/localhost"),
                        "heddle.bridge.kerberos.keytab=" + realm.keytab(),
                        "heddle.bridge.staging.dir=/tmp/heddle-bridge",
                        "heddle.bridge.users.proxy=true"))) {
            bridge.awaitReady();
            long ready = System.currentTimeMillis(); // its first ticket is older
            assertThat(fetch(bridge, "alice", "alice")).isEqualTo(TaskState.TASK_FINISHED);
            assertThat(fetch(bridge, "alice", "bob")).isEqualTo(TaskState.TASK_FAILED);
            Await.until(
                    "the first ticket to end",
                    Duration.ofSeconds(2 * TICKET_SECONDS),
                    () -> System.currentTimeMillis() > ready + TICKET_SECONDS * 1000L);
            assertThat(fetch(bridge, "bob", "bob")).as(bridge.tail()).isEqualTo(TaskState.TASK_FINISHED);
            assertThat(cluster.resourceManager().getRMContext().getRMApps().values())
                    .extracting(app -> app.getUser())
                    .containsOnly("alice", "bob");
            assertThat(files.listStatus(state))
                    .isNotEmpty()
                    .allMatch(file -> file.getOwner().equals("bridge"));
            theNextBridgeContinues(bridge);
        }
    }

    private static void theNextBridgeContinues(BridgeProcess bridge) throws Exception {
        FrameworkInfo.Builder info = WireClient.info("long").setUser("alice").setFailoverTimeout(600);
        WireClient before = new WireClient(bridge.address(), Encoding.PROTOBUF).subscribe(info.build());
        Offer offer = before.awaitOffer();
        before.launch(offer, 600, WireClient.task("long", offer, "sleep 600", 0.5, 256));
        before.awaitStatus("long", TaskState.TASK_RUNNING);
        info.setId(FrameworkID.newBuilder().setValue(before.frameworkId()));
        bridge.replace();
        before.close();
        try (WireClient after = new WireClient(bridge.address(), Encoding.PROTOBUF).subscribe(info.build())) {
            after.send(
                    Call.newBuilder().setType(Call.Type.RECONCILE).setReconcile(Call.Reconcile.getDefaultInstance()));
            after.awaitStatus("long", TaskState.TASK_RUNNING);
            after.kill("long");
            after.awaitStatus("long", TaskState.TASK_KILLED);
            after.send(Call.newBuilder().setType(Call.Type.TEARDOWN));
        }
    }

    @SuppressWarnings("removal") // the new way to find the subject needs Java 18
    private void assertTicketsAreShort() throws Exception {
        UserGroupInformation bridge = UserGroupInformation.loginUserFromKeytabAndReturnUGI(
                realm.principal("bridge/localhost"), realm.keytab().toString());
        Set<KerberosTicket> tickets = bridge.doAs((PrivilegedAction<Set<KerberosTicket>>)
                () -> Subject.getSubject(AccessController.getContext()).getPrivateCredentials(KerberosTicket.class));
        Instant end = tickets.iterator().next().getEndTime().toInstant();
        assertThat(end).isBeforeOrEqualTo(Instant.now().plusSeconds(TICKET_SECONDS));
    }

    /** The end of a task of one user that fetches a file of another. */
    private TaskState fetch(BridgeProcess bridge, String user, String owner) throws Exception {
        try (WireClient client = new WireClient(bridge.address(), Encoding.PROTOBUF)
                .subscribe(WireClient.info("fetch").setUser(user).build())) {
            Offer offer = client.awaitOffer();
            TaskInfo.Builder task =
                    WireClient.task("fetch", offer, "grep 'for " + owner + "' secret", 0.5, 256).toBuilder();
            String file = cluster.configuration().get("fs.defaultFS") + "/user/" + owner + "/secret";
            task.getCommandBuilder().addUris(CommandInfo.URI.newBuilder().setValue(file));
            client.launch(offer, 600, task.build());
            TaskState state = client.await(
                            event -> event.hasUpdate()
                                    && event.getUpdate().getStatus().getState() != TaskState.TASK_STARTING
                                    && event.getUpdate().getStatus().getState() != TaskState.TASK_RUNNING,
                            Duration.ofSeconds(60))
                    .getUpdate()
                    .getStatus()
                    .getState();
            client.send(Call.newBuilder().setType(Call.Type.TEARDOWN));
            return state;
        }
    }
}
